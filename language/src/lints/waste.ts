/** Lints for unused work: unused `let` statements and columns, and strings parsed repeatedly. */
import type { BoundPipeline, BoundQuery, BoundStage, NamedExpression } from '../binding/bound.ts';
import { type Fix, remove, removeWithGap } from '../edits.ts';
import { getOrCreate } from '../maps.ts';
import { inQuotes, quoteName } from '../names.ts';
import { factsOf } from '../operators/facts.ts';
import type { Span } from '../text.ts';
import { type Call, type Linter, report, shown, written } from './linter.ts';

export function lintLets(linter: Linter, { lets, references }: BoundQuery): void {
  if (lets.length === 0) return;
  const used = new Set<string>();
  // Ignore a use that refers to a column with the same name, because the column hides the `let` statement.
  for (const { name, definition, meaning } of references)
    if (!definition && meaning.kind !== 'column') used.add(name);
  for (const { name, nameSpan, start, end } of lets) {
    if (used.has(name)) continue;
    const quoted = quoteName(name);
    const edits = [remove(start, statementEnd(linter.text, end))];
    const fix = { title: `Remove ${inQuotes(quoted)}`, edits };
    report(linter, 'unused-let', nameSpan, { name: quoted }, fix);
  }
}

function statementEnd(text: string, end: number): number {
  const rest = /^\s*;?[ \t]*(\r?\n)?/.exec(text.slice(end));
  return end + (rest?.[0].length ?? 0);
}

/** Reports columns of an extend that are never read and that a later stage drops. */
export function lintColumns(linter: Linter, { stages }: BoundPipeline): void {
  /** The next `project` or `summarize`. Undefined if a stage before it may read columns without naming them. */
  let over: BoundStage | undefined;
  let names: ReadonlySet<string> | undefined;
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i] as BoundStage;
    const { operator } = stage;
    if (operator.kind === 'project' || operator.kind === 'summarize') {
      over = stage;
      names = undefined;
    } else if (factsOf(operator).namesWhatItReads !== true) over = undefined;
    else if (operator.kind === 'extend' && over !== undefined) {
      for (const item of operator.items) {
        if (!item.named || item.columns !== undefined) continue;
        if (isRead(linter, item.name, stage)) continue;
        names ??= new Set(over.output.list.map(({ name }) => name));
        if (names.has(item.name)) continue;
        const values = { name: quoteName(item.name) };
        const { start } = item;
        const span = { start, end: start + nameLength(linter.text, start) };
        report(linter, 'unused-column', span, values, removed(linter, stage, operator.items, item));
      }
    }
  }
}

function isRead(linter: Linter, name: string, { start }: Span): boolean {
  if (linter.stars > 0) return true;
  if (linter.reads === undefined) {
    linter.reads = new Map();
    for (const reference of linter.bound.references) {
      if (!reference.definition) linter.reads.set(reference.name, reference.start);
    }
  }
  return (linter.reads.get(name) ?? -1) >= start;
}

function nameLength(text: string, start: number): number {
  const equals = text.indexOf('=', start);
  return equals < 0 ? 1 : text.slice(start, equals).trimEnd().length;
}

/** Returns a fix that removes an item and its comma, or the entire stage if it is the only item. */
function removed(
  { text }: Linter,
  stage: BoundStage,
  items: readonly NamedExpression[],
  item: NamedExpression,
): Fix {
  const title = `Remove ${inQuotes(quoteName(item.name))}`;
  const at = items.indexOf(item);
  const next = items[at + 1];
  const last = items[at - 1];
  if (next !== undefined) return { title, edits: [remove(item.start, next.start)] };
  if (last !== undefined) return { title, edits: [remove(last.end, item.end)] };
  return { title, edits: [removeWithGap(text, stage)] };
}

/** Reports identical `parse_json()` or `todynamic()` calls, which the performance documentation advises against. */
export function lintParses(linter: Linter, calls: readonly Call[]): void {
  if (calls.length < 2) return;
  const byText = new Map<string, Call[]>();
  for (const call of calls)
    getOrCreate(byText, written(linter, call).replace(/\s+/g, ''), () => []).push(call);
  for (const same of byText.values()) {
    if (same.length < 2) continue;
    const earliest = same.reduce((a, b) => (b.start < a.start ? b : a));
    const values = { call: shown(linter, earliest), count: String(same.length) };
    report(linter, 'repeated-parse', earliest, values);
  }
}
