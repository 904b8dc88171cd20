/** Work whose result nobody reads: lets, columns, and one text parsed over and over. */
import type { BoundQuery, BoundStage, NamedExpression, Reference } from '../binding/bound.ts';
import type { Fix } from '../edits.ts';
import { quoteName } from '../names.ts';
import { type Call, type Linter, report, shown, written } from './linter.ts';

export function lintLets(linter: Linter, { lets, references }: BoundQuery): void {
  if (lets.length === 0) return;
  const used = new Set<string>();
  for (const { name, definition } of references) if (!definition) used.add(name);
  for (const { name, nameSpan, start, end } of lets) {
    if (used.has(name)) continue;
    report(
      linter,
      'unused-let',
      nameSpan,
      { name: quoteName(name) },
      {
        title: `Remove ${quoteName(name)}`,
        edits: [{ start, end: statementEnd(linter.text, end), text: '' }],
      },
    );
  }
}

/** Behind a statement's semicolon and its line. */
function statementEnd(text: string, end: number): number {
  const rest = /^\s*;?[ \t]*(\r?\n)?/.exec(text.slice(end));
  return end + (rest?.[0].length ?? 0);
}

/** Columns that an extend makes, that no later stage reads and that are gone in the end. */
export function lintColumns(linter: Linter, bound: BoundQuery): void {
  const made = bound.stages.filter(({ operator }) => operator.kind === 'extend');
  if (made.length === 0) return;
  const reads = readNames(bound.references);
  for (const [index, stage] of bound.stages.entries()) {
    const { operator } = stage;
    if (operator.kind !== 'extend') continue;
    for (const item of operator.items) {
      if (!item.named || item.columns !== undefined || (reads.get(item.name) ?? -1) >= stage.start)
        continue;
      if (!isLost(bound, index, item.name)) continue;
      const values = { name: quoteName(item.name) };
      const { start } = item;
      const span = { start, end: start + nameLength(linter.text, start) };
      report(linter, 'unused-column', span, values, removed(linter, stage, operator.items, item));
    }
  }
}

/** By name: the last place where it is read. What is not known to be something else counts as a read. */
function readNames(references: readonly Reference[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { name, definition, start } of references) if (!definition) last.set(name, start);
  return last;
}

/** Whether a later stage of the same pipeline starts over without the column, and none before it takes all. */
function isLost({ stages, tree }: BoundQuery, from: number, name: string): boolean {
  for (let i = from + 1; i < stages.length; i++) {
    const { operator, output, start } = stages[i] as BoundStage;
    switch (operator.kind) {
      case 'where':
      case 'sort':
      case 'top':
      case 'limit':
      case 'extend':
        // A star reads every column.
        if (tree.text.slice(start, operator.end).includes('*')) return false;
        break;
      case 'project':
      case 'summarize':
        if (tree.text.slice(start, operator.end).includes('*')) return false;
        return !output.list.some((column) => column.name === name);
      default:
        return false;
    }
  }
  return false;
}

/** The length of the name that an item begins with. */
function nameLength(text: string, start: number): number {
  const equals = text.indexOf('=', start);
  return equals < 0 ? 1 : text.slice(start, equals).trimEnd().length;
}

/** Takes one item away with its comma, or the whole stage when it is the only one. */
function removed(
  { text }: Linter,
  stage: BoundStage,
  items: readonly NamedExpression[],
  item: NamedExpression,
): Fix {
  const title = `Remove ${quoteName(item.name)}`;
  const at = items.indexOf(item);
  const next = items[at + 1];
  const last = items[at - 1];
  if (next !== undefined)
    return { title, edits: [{ start: item.start, end: next.start, text: '' }] };
  if (last !== undefined) return { title, edits: [{ start: last.end, end: item.end, text: '' }] };
  const start = text.slice(0, stage.start).trimEnd().length;
  return { title, edits: [{ start, end: stage.end, text: '' }] };
}

/** The page on performance: every `parse_json()` reads its text anew for every row. */
export function lintParses(linter: Linter, calls: readonly Call[]): void {
  if (calls.length < 2) return;
  const byText = new Map<string, Call[]>();
  for (const call of calls) {
    const text = written(linter, call).replace(/\s+/g, '');
    byText.set(text, [...(byText.get(text) ?? []), call]);
  }
  for (const same of byText.values()) {
    const [first] = same;
    if (same.length < 2 || first === undefined) continue;
    const earliest = same.reduce((a, b) => (b.start < a.start ? b : a));
    report(linter, 'repeated-parse', earliest, {
      call: shown(linter, earliest),
      count: String(same.length),
    });
  }
}
