/** Shows inlay hints: types of defined names, names of unnamed items, and a stage's output columns. */
import { type InlayHint, InlayHintKind, MarkupKind } from 'vscode-languageserver';
import {
  type BoundOperator,
  type BoundQuery,
  type BoundStage,
  type Columns,
  endOfLine,
  factsOf,
  itemsOf,
  type NamedExpression,
  partitionPoint,
  quoteName,
  type Reference,
  type Span,
} from '../../../language/src/index.ts';
import { toSpan } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { columnCount, columnsLine, columnType } from '../markdown.ts';
import type { Settings } from '../settings.ts';

export const inlayHintsFeature: Feature = {
  capabilities: { inlayHintProvider: true },
  register(connection, workspace) {
    connection.languages.inlayHint.on(
      workspace.answering([], (now, { range }) =>
        inlayHints(now, toSpan(now.lines, range), workspace.settings),
      ),
    );
  },
};

interface Hint {
  readonly at: number;
  readonly label: string;
  /** Whether the hint precedes the code that it describes. */
  readonly before?: true;
  readonly kind?: InlayHintKind;
  readonly tooltip?: string;
}

/** Returns the inlay hints in a range that includes both ends. */
export function inlayHints(
  snapshot: Snapshot,
  range: Span,
  { columnTypeHints, resultColumnHints }: Pick<Settings, 'columnTypeHints' | 'resultColumnHints'>,
): InlayHint[] {
  if (!columnTypeHints && !resultColumnHints) return [];
  const hints: InlayHint[] = [];
  for (const query of snapshot.queries) {
    // Compare up to the end of the query's last line, because a comment there may follow the last stage.
    if (query.start + query.reach.end < range.start || query.start > range.end) continue;
    const { bound } = query.analysis;
    const inside = { start: range.start - query.start, end: range.end - query.start };
    const found = [
      ...(columnTypeHints ? typeHints(bound, inside) : []),
      ...(resultColumnHints ? resultHints(snapshot, query, inside) : []),
    ];
    found.sort((a, b) => a.at - b.at);
    for (const hint of found) hints.push(inlayHint(snapshot, query, hint));
  }
  return hints;
}

function inlayHint(snapshot: Snapshot, query: QueryState, hint: Hint): InlayHint {
  const { tooltip } = hint;
  return {
    position: snapshot.lines.positionAt(query.start + hint.at),
    label: hint.label,
    ...(hint.kind === undefined ? {} : { kind: hint.kind }),
    ...(hint.before ? { paddingRight: true } : {}),
    ...(hint.before || hint.label.startsWith(':') ? {} : { paddingLeft: true }),
    ...(tooltip && { tooltip: { kind: MarkupKind.Markdown, value: tooltip } }),
  };
}

function isWithin(at: number, { start, end }: Span): boolean {
  return start <= at && at <= end;
}

// ── Types ─────────────────────────────────────────────────────────────────────────────────────────

function typeHints(bound: BoundQuery, range: Span): Hint[] {
  const hints: Hint[] = [];
  for (const reference of bound.references) {
    if (!reference.definition || !isWithin(reference.end, range)) continue;
    const type = typeOfDefinition(reference, bound);
    if (type === undefined || type === 'unknown' || isTyped(reference, bound.tree.text)) continue;
    hints.push({ at: reference.end, label: `: ${type}`, kind: InlayHintKind.Type });
  }
  for (const stage of bound.stages) {
    if (stage.start > range.end || stage.end < range.start) continue;
    for (const item of unnamedItems(stage.operator)) {
      if (!isWithin(item.start, range) || !isCertain(item.name, stage.output)) continue;
      const column = stage.output.list.find(({ name }) => name === item.name);
      if (column === undefined) continue;
      const type = column.type === 'unknown' ? '' : `: ${columnType(column)}`;
      const label = `${quoteName(item.name)}${type} =`;
      hints.push({ at: item.start, label, before: true, kind: InlayHintKind.Type });
    }
  }
  return hints;
}

function typeOfDefinition({ meaning, ...at }: Reference, bound: BoundQuery): string | undefined {
  if (meaning.kind === 'let') return meaning.type;
  if (meaning.kind !== 'column') return undefined;
  const { column } = meaning;
  // Show the type in the stage's output, because an operator may change it. For example, make-series makes an array.
  const output = innermostStage(bound.stages, at)?.output.list;
  return columnType(output?.find(({ name }) => name === column.name) ?? column);
}

/** Stages are sorted by start, so the last stage around the span is the innermost. */
function innermostStage(stages: readonly BoundStage[], span: Span): BoundStage | undefined {
  const end = partitionPoint(stages, ({ start }) => start <= span.start);
  for (let i = end - 1; i >= 0; i--) {
    const stage = stages[i] as BoundStage;
    if (span.end <= stage.end) return stage;
  }
  return undefined;
}

function isTyped({ end }: Reference, text: string): boolean {
  return /^[ \t]*:/.test(text.slice(end, end + 20));
}

/** Returns whether the service certainly uses `name` as the column's name. */
function isCertain(name: string, { open, guessed }: Columns): boolean {
  return !open || (guessed !== undefined && !guessed.has(name));
}

/** Returns the unnamed calls of an operator, except calls whose column keeps the name of the first argument. */
function unnamedItems(operator: BoundOperator): NamedExpression[] {
  if (factsOf(operator).namesItems !== true) return [];
  return itemsOf(operator).filter(({ named, name, columns, expression }) => {
    if (named || columns !== undefined || expression.kind !== 'call') return false;
    const [first] = expression.arguments;
    return !(first?.kind === 'column' && first.name === name);
  });
}

// ── Columns that leave a stage ────────────────────────────────────────────────────────────────────

/** Maximum length of the listed column names. VS Code cuts off hints after 43 characters, even within a word. */
const longestList = 32;

function resultHints(snapshot: Snapshot, query: QueryState, range: Span): Hint[] {
  const { bound } = query.analysis;
  const hints: Hint[] = [];
  for (const [index, stage] of bound.stages.entries()) {
    if (stage.end > range.end || !changes(stage)) continue;
    const at = endOfLine(snapshot.text, query.start + stage.end) - query.start;
    if (!isWithin(at, range)) continue;
    // Show a hint only for the last stage that ends on a line.
    let next = index + 1;
    while ((bound.stages[next]?.start ?? at) < stage.end) next++;
    if ((bound.stages[next]?.start ?? at) < at) continue;
    const { output } = stage;
    const tooltip = `${columnCount(output)}: ${columnsLine(output)}`;
    hints.push({ at, label: `→ ${shortList(output)}`, tooltip });
  }
  return hints;
}

/** Returns whether a stage changes the columns. Returns false if no output column is known. */
function changes({ input, output }: BoundStage): boolean {
  if (output === input || output.list.length === 0) return false;
  if (output.list.length !== input.list.length) return true;
  return output.list.some((column, index) => {
    const before = input.list[index];
    return before?.name !== column.name || before.type !== column.type;
  });
}

/** Lists as many column names as fit, and the number of omitted columns. The tooltip lists types too. */
function shortList({ list, open }: Columns): string {
  const visible = list.filter(({ hidden }) => !hidden);
  const names: string[] = [];
  let length = 0;
  for (const { name } of visible) {
    length += name.length + 2;
    if (names.length > 0 && length > longestList) break;
    names.push(name);
  }
  const more = visible.length - names.length;
  if (more > 0) names.push(`${more.toLocaleString('en-US')} more`);
  if (open) names.push('…');
  return names.join(', ');
}
