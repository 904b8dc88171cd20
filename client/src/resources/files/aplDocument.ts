// The APL of a resource as an editor shows it, and what is saved of it. An expression is shown as the query that
// computes it, so that the fields of its dataset are completed and the query can be run.

import { aplLocation } from '../../../../resources/src/aplLocations.ts';
import {
  aplOf,
  aplText,
  type Expression,
  expressionIn,
} from '../../../../resources/src/aplText.ts';
import { type KindName, kinds } from '../../../../resources/src/kinds.ts';
import { type Members, textAt } from '../../../../resources/src/value.ts';

/** The text of a piece of APL; undefined where the record has none of that key. */
export function shownApl(kind: KindName, record: Members, place: string): string | undefined {
  const found = aplLocation(kind, record, place);
  if (found?.language !== 'expression') return found?.apl;
  return aplText(found.apl, found.language, aboutOf(record));
}

function aboutOf(record: Members): Expression {
  return { dataset: textAt(record, ['dataset']) ?? '', name: textAt(record, ['name']) ?? '' };
}

/** Whether the pieces of APL of a kind are expressions. */
export function hasExpression(kind: KindName): boolean {
  return kinds[kind].apl.some(({ language }) => language === 'expression');
}

export type WrittenApl =
  | { readonly ok: true; readonly apl: string }
  | { readonly ok: false; readonly problem: string };

/** The APL of a text that was edited; `base` is the record that the text was made of, where that is known. */
export function writtenApl(kind: KindName, text: string, base: Members | undefined): WrittenApl {
  if (!hasExpression(kind)) return { ok: true, apl: text };
  // Line ends are the editor's; those of an expression carry no meaning.
  const lines = text.replaceAll('\r\n', '\n');
  const [read, says] = [aplOf(lines, 'expression'), expressionIn(lines)];
  const about = base && aboutOf(base);
  const form = about ? aplText('\u2026', 'expression', about).trim().replace('\n', ' ') : FORM;
  if (read === undefined || says === undefined) {
    return { ok: false, problem: `Only the expression can be changed here, in ${form}.` };
  }
  if (about && (says.dataset !== about.dataset || says.name !== about.name)) {
    const problem = `The text must still begin with ${form}. To change the name or the dataset, edit the JSON document.`;
    return { ok: false, problem };
  }
  if (read.apl.trim() === '') return { ok: false, problem: 'The expression is empty.' };
  return { ok: true, apl: read.apl };
}

const FORM = "['dataset'] | extend ['name'] = \u2026";

/** A query that parses exactly where `apl` is one expression: brackets hold neither stages nor several columns. */
export function queryToCheck(apl: string): string {
  return `['x'] | extend y = z[${apl}\n]`;
}
