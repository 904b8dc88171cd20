/** Work whose result nobody reads: lets, columns, and one text parsed over and over. */
import type {
  BoundOperator,
  BoundPipeline,
  BoundQuery,
  BoundStage,
  NamedExpression,
} from '../binding/bound.ts';
import type { Fix } from '../edits.ts';
import { inQuotes, quoteName } from '../names.ts';
import type { Span } from '../text.ts';
import { type Call, type Linter, report, shown, written } from './linter.ts';

export function lintLets(linter: Linter, { lets, references }: BoundQuery): void {
  if (lets.length === 0) return;
  const used = new Set<string>();
  // A column of that name hides the let, so that its uses are none of the let's.
  for (const { name, definition, meaning } of references)
    if (!definition && meaning.kind !== 'column') used.add(name);
  for (const { name, nameSpan, start, end } of lets) {
    if (used.has(name)) continue;
    report(
      linter,
      'unused-let',
      nameSpan,
      { name: quoteName(name) },
      {
        title: `Remove ${inQuotes(quoteName(name))}`,
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

/** Columns that an extend makes, that nothing reads and that a later stage of its pipeline leaves out. */
export function lintColumns(linter: Linter, { stages }: BoundPipeline): void {
  /** The stage that starts over behind the one looked at, when only what names its columns lies between. */
  let over: BoundStage | undefined;
  let names: ReadonlySet<string> | undefined;
  for (let i = stages.length - 1; i >= 0; i--) {
    const stage = stages[i] as BoundStage;
    const { operator } = stage;
    if (operator.kind === 'project' || operator.kind === 'summarize') {
      over = stage;
      names = undefined;
    } else if (!naming.has(operator.kind)) over = undefined;
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

/** Stages that read no column that they do not name. */
const naming: ReadonlySet<BoundOperator['kind']> = new Set([
  'extend',
  'limit',
  'sort',
  'top',
  'where',
]);

/** Whether the name is read at or behind a stage; a star reads every name. */
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
  const title = `Remove ${inQuotes(quoteName(item.name))}`;
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
    const same = byText.get(text);
    if (same === undefined) byText.set(text, [call]);
    else same.push(call);
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
