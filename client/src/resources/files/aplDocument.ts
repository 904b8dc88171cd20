// A resource's APL as text in an editor. An expression is shown within a query that computes it, so that completion
// works and the query can run.

import { aplLocation } from '../../../../resources/src/aplLocations.ts';
import {
  aplOf,
  aplText,
  type Expression,
  expressionIn,
} from '../../../../resources/src/aplText.ts';
import { type KindName, kinds } from '../../../../resources/src/kinds.ts';
import { type Members, textAt } from '../../../../resources/src/value.ts';

/** Returns a piece of APL as the editor shows it; undefined if the record lacks this piece. */
export function shownApl(kind: KindName, record: Members, place: string): string | undefined {
  const found = aplLocation(kind, record, place);
  if (found?.language !== 'expression') return found?.apl;
  return aplText(found.apl, found.language, aboutOf(record));
}

function aboutOf(record: Members): Expression {
  return { dataset: textAt(record, ['dataset']) ?? '', name: textAt(record, ['name']) ?? '' };
}

export function hasExpression(kind: KindName): boolean {
  return kinds[kind].apl.some(({ language }) => language === 'expression');
}

type WrittenApl =
  | { readonly ok: true; readonly apl: string }
  | { readonly ok: false; readonly problem: string };

/** Extracts the APL from edited text. `base` is the record that the text was created from, if known. */
export function writtenApl(kind: KindName, text: string, base: Members | undefined): WrittenApl {
  if (!hasExpression(kind)) return { ok: true, apl: text };
  // Replace line breaks in expressions, because they depend on the editor and have no meaning there.
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

/** Returns a query that is valid only if `apl` is one expression, because brackets can't contain stages or columns. */
export function queryToCheck(apl: string): string {
  return `['x'] | extend y = z[${apl}\n]`;
}
