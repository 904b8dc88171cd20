/** What may be typed at the cursor, most fitting first; details are filled in when an item is looked at. */
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
  InsertTextFormat,
  MarkupKind,
  type Range,
  TextEdit,
} from 'vscode-languageserver';
import {
  aggregates,
  type Column,
  type Columns,
  type Context,
  constantWords,
  contextAt,
  endOfLine,
  type FunctionRow,
  functionNamed,
  functions,
  joinSides,
  operatorNamed,
  operators,
  queryAt,
  quoteName,
  type ScalarOperatorRow,
  type ScalarType,
  type Span,
  scalarOperatorNamed,
  scalarOperators,
  statements,
  types,
  type WordRow,
} from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import {
  columnDetail,
  columnMarkdown,
  functionMarkdown,
  operatorMarkdown,
  scalarOperatorMarkdown,
  signatureLabel,
} from '../markdown.ts';

export const completionTriggers = ['|', ' ', '.', '[', '(', "'", '"', '=', ','] as const;

/** What resolving needs to know of an item; it travels through the client. */
interface ItemData {
  readonly kind: 'function' | 'operator' | 'scalarOperator';
  readonly name: string;
}

/** The order of groups; within one, items go by name. */
const ranks = {
  word: '0',
  column: '1',
  let: '2',
  dataset: '2',
  operator: '3',
  aggregate: '4',
  scalarOperator: '4',
  function: '5',
  type: '5',
  statement: '6',
  constant: '6',
} as const;

export function completion(snapshot: Snapshot, offset: number): CompletionList {
  const query = queryAt(snapshot.queries, offset);
  const items =
    query === undefined ? starts(emptyPlace(snapshot, offset)) : itemsAt(snapshot, query, offset);
  return { isIncomplete: false, items };
}

/** Where items go, and from what they are made. */
interface Place {
  readonly snapshot: Snapshot;
  readonly query: QueryState | undefined;
  /** Turns a span of the query into a range of the document. */
  readonly range: (span: Span) => Range;
  readonly replace: Span;
}

function emptyPlace(snapshot: Snapshot, offset: number): Place {
  const replace = { start: offset, end: offset };
  return { snapshot, query: undefined, range: (span) => toRange(snapshot.lines, span), replace };
}

function itemsAt(snapshot: Snapshot, query: QueryState, offset: number): CompletionItem[] {
  const context = contextAt(query.analysis.bound, offset - query.start);
  if (context.kind === 'nothing') return [];
  const range = (span: Span) => toRange(snapshot.lines, span, query.start);
  return itemsFor(context, { snapshot, query, range, replace: context.replace });
}

function itemsFor(context: Exclude<Context, { kind: 'nothing' }>, place: Place): CompletionItem[] {
  switch (context.kind) {
    case 'source':
      return context.statements ? starts(place) : sources(place);
    case 'dataset':
      return [...datasets(place), ...words(context.words, place)];
    case 'operator':
      return operators
        .filter((row) => row.role !== 'source')
        .map((row) => operatorItem(row.name, row.snippet, place));
    case 'expression':
      return [
        ...words(context.words, place),
        ...(context.aggregates === 'allowed'
          ? []
          : columns(context.columns, place, context.expected)),
        ...(context.right === undefined ? [] : rightSide(context, context.right, place)),
        ...lets(place),
        ...(context.tables ? datasets(place) : []),
        ...(context.aggregates === 'allowed' ? aggregates : []).map((row) =>
          functionItem(row, place),
        ),
        ...functions.map((row) => functionItem(row, place)),
        ...constants(place),
      ];
    case 'afterExpression':
      return [
        ...words(context.words, place),
        ...(context.operators ? scalarOperatorItems(context.type, place) : []),
      ];
    case 'column':
      return columns(context.columns, place);
    case 'member':
      return members(context, place);
    case 'word':
      return words(context.words, place);
    case 'type':
      return types.map((row) => ({
        ...item(row.name, place, CompletionItemKind.TypeParameter, ranks.type),
        documentation: row.summary,
      }));
    case 'text':
      return context.values.map((value) =>
        item(value, place, CompletionItemKind.EnumMember, ranks.word),
      );
  }
}

function item(
  label: string,
  place: Place,
  kind: CompletionItemKind,
  rank: string,
  insert = label,
): CompletionItem {
  return {
    label,
    kind,
    sortText: `${rank}${label}`,
    // What the person has typed is the text there, brackets and quotes included, so that is what filters.
    filterText: insert === label ? label : `${insert} ${label}`,
    textEdit: TextEdit.replace(place.range(place.replace), insert),
  };
}

function withData(made: CompletionItem, data: ItemData): CompletionItem {
  return { ...made, data };
}

// ── Tables ────────────────────────────────────────────────────────────────────────────────────────

function sources(place: Place): CompletionItem[] {
  return [
    ...datasets(place),
    ...lets(place),
    ...operators
      .filter((row) => row.role !== 'transform')
      .map((row) => operatorItem(row.name, row.snippet, place)),
  ];
}

/** Datasets and views; the fields that a query sees depend on this name, so it is written as APL's own pages do. */
function datasets(place: Place): CompletionItem[] {
  return place.snapshot.schema.datasets.map((dataset) => ({
    ...item(
      dataset.name,
      place,
      CompletionItemKind.Class,
      ranks.dataset,
      `['${escaped(dataset.name)}']`,
    ),
    filterText: `${dataset.name} ['${dataset.name}']`,
    detail: dataset.kind ?? 'dataset',
    ...(dataset.description === undefined ? {} : { documentation: dataset.description }),
  }));
}

function escaped(name: string): string {
  return name.replace(/[\\']/g, (character) => `\\${character}`);
}

function lets(place: Place): CompletionItem[] {
  const bound = place.query?.analysis.bound;
  if (bound === undefined) return [];
  const names = new Set([...bound.lets, ...bound.parameters].map(({ name }) => name));
  return [...names].map((name) =>
    item(name, place, CompletionItemKind.Variable, ranks.let, quoteName(name)),
  );
}

// ── Columns ───────────────────────────────────────────────────────────────────────────────────────

function columns(known: Columns, place: Place, expected?: ScalarType): CompletionItem[] {
  return known.list.map((column) => columnItem(column, place, expected));
}

function columnItem(column: Column, place: Place, expected?: ScalarType): CompletionItem {
  const fits = expected === undefined || column.type === expected || column.type === 'unknown';
  const insert = quoteName(column.name);
  return {
    ...item(column.name, place, CompletionItemKind.Field, ranks.column, insert),
    // Columns of the asked type come first, and `_sysTime` and its like after what people made.
    sortText: `${ranks.column}${fits ? 0 : 1}${column.name.startsWith('_') && column.name !== '_time' ? 1 : 0}${column.name}`,
    filterText: insert === column.name ? column.name : `${column.name} ${insert}`,
    labelDetails: { description: columnDetail(column) },
    documentation: { kind: MarkupKind.Markdown, value: columnMarkdown(column) },
  };
}

/** In the conditions of a join: the columns that only the right side has, and names for both sides. */
function rightSide(
  { columns: left, expected }: Extract<Context, { kind: 'expression' }>,
  right: Columns,
  place: Place,
): CompletionItem[] {
  const known = new Set(left.list.map(({ name }) => name));
  const others = right.list.filter(({ name }) => !known.has(name));
  return [
    ...others.map((column) => columnItem(column, place, expected)),
    ...words(joinSides, place),
  ];
}

/** Behind a dot: columns whose dotted names go on from the path, each of which needs its brackets. */
function members(context: Extract<Context, { kind: 'member' }>, place: Place): CompletionItem[] {
  const prefix = `${context.path}.`;
  const whole = { ...place, replace: context.whole };
  return context.columns.list
    .filter((column) => column.name.startsWith(prefix))
    .map((column) => ({
      ...columnItem(column, whole),
      filterText: column.name,
      label: column.name.slice(prefix.length),
    }));
}

// ── Words, operators and functions ────────────────────────────────────────────────────────────────

function words(rows: readonly WordRow[], place: Place): CompletionItem[] {
  return rows.map((row) => ({
    ...item(row.name, place, CompletionItemKind.Keyword, ranks.word),
    ...(row.summary === '' ? {} : { documentation: row.summary }),
  }));
}

function operatorItem(name: string, snippet: string, place: Place): CompletionItem {
  const data: ItemData = { kind: 'operator', name };
  // What follows already belongs to the operator, whose name alone is then chosen anew.
  if (/^[ \t]*[^\s|;)]/.test(restOfLine(place))) {
    return withData(item(name, place, CompletionItemKind.Keyword, ranks.operator), data);
  }
  return withData(snippetItem(name, place, ranks.operator, snippet), data);
}

function snippetItem(name: string, place: Place, rank: string, snippet: string): CompletionItem {
  const made = item(name, place, CompletionItemKind.Keyword, rank, snippet);
  return { ...made, filterText: name, insertTextFormat: InsertTextFormat.Snippet };
}

/** Where a query or a statement before one starts. */
function starts(place: Place): CompletionItem[] {
  return [...sources(place), ...statementItems(place)];
}

/** `let`, `set` and `declare`. */
function statementItems(place: Place): CompletionItem[] {
  return statements.map(({ name, snippet, summary }) => ({
    ...snippetItem(name, place, ranks.statement, snippet),
    documentation: summary,
  }));
}

/** Words that are values, and the types whose values are written as calls. */
function constants(place: Place): CompletionItem[] {
  return [
    ...constantWords.map(({ name, summary }) => ({
      ...item(name, place, CompletionItemKind.Constant, ranks.constant),
      documentation: summary,
    })),
    ...calledTypes.map((name) => ({
      ...snippetItem(name, place, ranks.constant, isCalled(place) ? name : `${name}($0)`),
      kind: CompletionItemKind.Constant,
    })),
  ];
}

const calledTypes = ['datetime', 'dynamic', 'timespan', 'typeof'] as const;

/** Whether the arguments of a call stand behind the place already. */
function isCalled(place: Place): boolean {
  return restOfLine(place).startsWith('(');
}

function restOfLine({ snapshot, query, replace }: Place): string {
  const from = (query?.start ?? 0) + replace.end;
  return snapshot.text.slice(from, endOfLine(snapshot.text, from));
}

function functionItem(row: FunctionRow, place: Place): CompletionItem {
  const takesNothing = row.signatures.every(({ parameters }) => parameters.length === 0);
  const call = takesNothing ? `${row.name}()` : `${row.name}($0)`;
  const insert = isCalled(place) ? row.name : call;
  const rank = row.kind === 'aggregate' ? ranks.aggregate : ranks.function;
  return withData(
    {
      ...item(row.name, place, CompletionItemKind.Function, rank, insert),
      filterText: row.name,
      insertTextFormat: InsertTextFormat.Snippet,
      labelDetails: { description: row.kind === 'aggregate' ? 'aggregate' : row.category },
    },
    { kind: 'function', name: row.name },
  );
}

function scalarOperatorItems(type: ScalarType, place: Place): CompletionItem[] {
  return scalarOperators
    .filter((row) => /^[!\w=<>]/.test(row.name) && !row.name.endsWith(')') && fitsType(row, type))
    .map((row) =>
      withData(item(row.name, place, CompletionItemKind.Operator, ranks.scalarOperator), {
        kind: 'scalarOperator',
        name: row.name,
      }),
    );
}

/** Operators on text are of no use behind a number. */
function fitsType(row: ScalarOperatorRow, type: ScalarType): boolean {
  return row.category !== 'string' || type === 'string' || type === 'dynamic' || type === 'unknown';
}

/** Fills in the documentation of an item that was looked at. */
export function resolveCompletion(chosen: CompletionItem): CompletionItem {
  const data = chosen.data as ItemData | undefined;
  const documentation = data && documentationOf(data);
  if (data === undefined || documentation === undefined) return chosen;
  const row = data.kind === 'function' ? functionNamed(data.name) : undefined;
  const signature = row?.signatures[0];
  return {
    ...chosen,
    ...(row !== undefined && signature !== undefined
      ? { detail: signatureLabel(row, signature) }
      : {}),
    documentation: { kind: MarkupKind.Markdown, value: documentation },
  };
}

function documentationOf(data: ItemData): string | undefined {
  switch (data.kind) {
    case 'function': {
      const row = functionNamed(data.name);
      return row && functionMarkdown(row);
    }
    case 'operator': {
      const row = operatorNamed(data.name);
      return row && operatorMarkdown(row);
    }
    case 'scalarOperator': {
      const row = scalarOperatorNamed(data.name);
      return row && scalarOperatorMarkdown(row);
    }
  }
}
