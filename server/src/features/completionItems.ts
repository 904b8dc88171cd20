/** Completion items: how each kind of thing is labelled, sorted, filtered and written into the text. */
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  MarkupKind,
  type Range,
  TextEdit,
} from 'vscode-languageserver';
import {
  type Column,
  constantWords,
  type FunctionRow,
  quoteName,
  type ScalarOperatorRow,
  type ScalarType,
  type Span,
  scalarOperators,
  type WordRow,
} from '../../../language/src/index.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import { columnDetail, columnMarkdown } from '../markdown.ts';

/** What resolving needs to know of an item; it travels through the client. */
export interface ItemData {
  readonly kind: 'function' | 'operator' | 'scalarOperator';
  readonly name: string;
}

/** The order of groups; within one, items go by name. */
export const ranks = {
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

/** Where items go, and from what they are made. */
export interface Place {
  readonly snapshot: Snapshot;
  readonly query: QueryState | undefined;
  /** Turns a span of the query into a range of the document. */
  readonly range: (span: Span) => Range;
  readonly replace: Span;
}

export function item(
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

export function columnItem(column: Column, place: Place, expected?: ScalarType): CompletionItem {
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

export function words(rows: readonly WordRow[], place: Place): CompletionItem[] {
  return rows.map((row) => ({
    ...item(row.name, place, CompletionItemKind.Keyword, ranks.word),
    ...(row.summary === '' ? {} : { documentation: row.summary }),
  }));
}

export function operatorItem(name: string, snippet: string, place: Place): CompletionItem {
  const data: ItemData = { kind: 'operator', name };
  // What follows already belongs to the operator, whose name alone is then chosen anew.
  if (hasOperand(place)) {
    return withData(item(name, place, CompletionItemKind.Keyword, ranks.operator), data);
  }
  return withData(snippetItem(name, place, ranks.operator, snippet), data);
}

export function snippetItem(
  name: string,
  place: Place,
  rank: string,
  snippet: string,
): CompletionItem {
  const made = item(name, place, CompletionItemKind.Keyword, rank, snippet);
  return { ...made, filterText: name, insertTextFormat: InsertTextFormat.Snippet };
}

export function functionItem(row: FunctionRow, place: Place): CompletionItem {
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

const calledTypes = ['datetime', 'dynamic', 'timespan', 'typeof'] as const;

/** Words that are values, and the types whose values are written as calls. */
export function constants(place: Place): CompletionItem[] {
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

/** Whether the arguments of a call stand behind the place already. */
function isCalled(place: Place): boolean {
  return place.snapshot.text.charAt(endOf(place)) === '(';
}

const operand = /[ \t]*[^\s|;)]/y;

/** Whether something stands behind the place that belongs to an operator there. */
function hasOperand(place: Place): boolean {
  operand.lastIndex = endOf(place);
  return operand.test(place.snapshot.text);
}

function endOf({ query, replace }: Place): number {
  return (query?.start ?? 0) + replace.end;
}

export function scalarOperatorItems(type: ScalarType, place: Place): CompletionItem[] {
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
