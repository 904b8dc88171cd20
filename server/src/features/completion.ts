/** What may be typed at the cursor, most fitting first; details are filled in when an item is looked at. */
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionList,
} from 'vscode-languageserver';
import {
  aggregates,
  type Columns,
  type Context,
  contextAt,
  functions,
  joinSides,
  operators,
  queryAt,
  quoteName,
  type ScalarType,
  type Span,
  statements,
  types,
} from '../../../language/src/index.ts';
import { toOffset, toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { fieldsNeeded } from '../fieldsNeeded.ts';
import {
  columnItem,
  constants,
  functionItem,
  item,
  operatorItem,
  type Place,
  ranks,
  scalarOperatorItems,
  snippetItem,
  words,
} from './completionItems.ts';
import { resolveCompletion } from './completionResolve.ts';

export const completionTriggers = ['|', ' ', '.', '[', '(', "'", '"', '=', ','] as const;

export const completionFeature: Feature = {
  capabilities: {
    completionProvider: { triggerCharacters: [...completionTriggers], resolveProvider: true },
  },
  register(connection, workspace) {
    connection.onCompletion(async ({ textDocument, position }) => {
      const before = workspace.snapshot(textDocument.uri);
      if (before === undefined) return null;
      await fieldsNeeded(workspace.schemas, before, toOffset(before.lines, position));
      const now = workspace.snapshot(textDocument.uri);
      return now ? completion(now, toOffset(now.lines, position)) : null;
    });
    connection.onCompletionResolve(resolveCompletion);
  },
};

export function completion(snapshot: Snapshot, offset: number): CompletionList {
  const query = queryAt(snapshot.queries, offset);
  const items =
    query === undefined ? starts(emptyPlace(snapshot, offset)) : itemsAt(snapshot, query, offset);
  return { isIncomplete: false, items };
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

// ── Tables ────────────────────────────────────────────────────────────────────────────────────────

/** Where a query or a statement before one starts. */
function starts(place: Place): CompletionItem[] {
  return [...sources(place), ...statementItems(place)];
}

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

/** `let`, `set` and `declare`. */
function statementItems(place: Place): CompletionItem[] {
  return statements.map(({ name, snippet, summary }) => ({
    ...snippetItem(name, place, ranks.statement, snippet),
    documentation: summary,
  }));
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
