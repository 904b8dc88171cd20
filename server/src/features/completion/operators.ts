/** Operators after a pipe and between values, sources and statements, as completion items made once. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { proseOf, shapes, statements } from '../../../../language/src/editing.ts';
import {
  type OperatorRow,
  operators,
  type ScalarOperatorRow,
  type ScalarType,
  scalarOperators,
} from '../../../../language/src/index.ts';
import { item, offerNext, snippet } from './items.ts';
import { operatorOrder, ranks, scalarOperatorOrder } from './ranking.ts';

/** The word alone, with which the rest is offered next. */
function keyword(row: OperatorRow, rank: string, alone: boolean): CompletionItem {
  const bare = alone || proseOf(row).syntax === row.name;
  const sortText = rank + operatorOrder(row.name);
  const insert = bare ? row.name : `${row.name} `;
  return {
    ...item(row.name, CompletionItemKind.Keyword, sortText, insert),
    filterText: row.name,
    ...(bare ? {} : { command: offerNext }),
    ...(row.name === 'where' ? { preselect: true } : {}),
    data: 'operator',
  };
}

/**
 * The operator with places for all that it needs; behind the words, so that what is seen of the list
 * has each operator once.
 */
function whole(row: OperatorRow, rank: string): CompletionItem {
  const sortText = `${rank}~~${operatorOrder(row.name)}`;
  const { snippet: text, syntax } = proseOf(row);
  return {
    ...snippet(row.name, CompletionItemKind.Snippet, sortText, text),
    labelDetails: { detail: ` ${syntax.slice(row.name.length).trim()}` },
    data: 'operator',
  };
}

/** A table needs brackets right behind its name, so it is offered whole only. */
const neverAlone: ReadonlySet<string> = new Set(['datatable', 'externaldata', 'table']);

function withSnippets(row: OperatorRow, rank: string): CompletionItem[] {
  if (proseOf(row).syntax === row.name) return [keyword(row, rank, false)];
  if (neverAlone.has(row.name)) return [whole(row, rank)];
  return [keyword(row, rank, false), whole(row, rank)];
}

const transforms = operators.filter(({ role }) => role !== 'source');

const shapeItems: readonly CompletionItem[] = shapes.map((row) => ({
  ...snippet(row.name, CompletionItemKind.Snippet, ranks.shape + row.name, row.snippet),
  documentation: row.summary,
  data: 'shape',
}));

/** Behind a pipe. */
export const operatorItems: readonly CompletionItem[] = [
  ...transforms.flatMap((row) => withSnippets(row, ranks.operator)),
  ...shapeItems,
];

/** Behind a pipe where what follows belongs to an operator already, whose name is chosen anew. */
export const operatorNameItems: readonly CompletionItem[] = transforms.map((row) =>
  keyword(row, ranks.operator, true),
);

/** Where a pipeline starts. */
export const sourceItems: readonly CompletionItem[] = operators
  .filter(({ role }) => role !== 'transform')
  .flatMap((row) => withSnippets(row, ranks.source));

/** `let`, `set` and `declare`. */
export const statementItems: readonly CompletionItem[] = statements.map((row) => ({
  ...snippet(row.name, CompletionItemKind.Keyword, ranks.statement + row.name, row.snippet),
  documentation: row.summary,
}));

const betweenValues = scalarOperators.filter(
  ({ name, synonymOf }) => /^[!\w=<>]/.test(name) && name !== 'not' && synonymOf === undefined,
);

const scalarItems = new Map<string, readonly CompletionItem[]>();

/**
 * Operators behind a value of a type. `alone` is whether the right side is there already; `lone` whether
 * the value is no condition, so that `and` and `or` cannot follow.
 */
export function scalarOperatorItems(
  type: ScalarType,
  lone: boolean,
  alone: boolean,
): readonly CompletionItem[] {
  const key = `${type} ${lone} ${alone}`;
  let items = scalarItems.get(key);
  if (items === undefined) {
    items = betweenValues
      .filter((row) => fitsType(row, type))
      .map((row) => scalarOperatorItem(row, type, lone, alone));
    scalarItems.set(key, items);
  }
  return items;
}

function scalarOperatorItem(
  row: ScalarOperatorRow,
  type: ScalarType,
  lone: boolean,
  alone: boolean,
): CompletionItem {
  const { name, right } = row;
  const sortText = ranks.operator + scalarOperatorOrder(name, type, lone);
  const shared = { filterText: name, data: 'scalarOperator' };
  if (alone) return { ...item(name, CompletionItemKind.Operator, sortText), ...shared };
  const places = right === 'list' ? ' ($0)' : right === 'bounds' ? ' ($1 .. $2)' : ' $0';
  const made = snippet(name, CompletionItemKind.Operator, sortText, `${name}${places}`);
  return { ...made, ...shared, command: offerNext };
}

/** Operators on text, and those to which case is nothing, are of no use behind a number. */
function fitsType({ category, caseSensitive }: ScalarOperatorRow, type: ScalarType): boolean {
  if (category !== 'string' && caseSensitive !== false) return true;
  return type === 'string' || type === 'dynamic' || type === 'unknown';
}
