/** Completion items for pipeline operators, scalar operators, sources and statements, created once. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { proseOf, shapes, statements } from '../../../../language/src/editing.ts';
import {
  getOrCreate,
  type OperatorRow,
  operators,
  type ScalarOperatorRow,
  type ScalarType,
  scalarOperators,
} from '../../../../language/src/index.ts';
import { item, offerNext, snippet } from './items.ts';
import { operatorOrder, ranks, scalarOperatorOrder } from './ranking.ts';

/** Creates an item that inserts the operator's name, with a space if more input must follow and `alone` isn't set. */
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

/** Creates a snippet item. Snippets sort after all names, so the list starts with one item per operator. */
function whole(row: OperatorRow, rank: string): CompletionItem {
  const sortText = `${rank}~~${operatorOrder(row.name)}`;
  const { snippet: text, syntax } = proseOf(row);
  return {
    ...snippet(row.name, CompletionItemKind.Snippet, sortText, text),
    labelDetails: { detail: ` ${syntax.slice(row.name.length).trim()}` },
    data: 'operator',
  };
}

/** Sources that need a bracket directly after the name, so only the snippet is offered. */
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

/** Operators, their snippets, and snippets of common queries, offered after a pipe. */
export const operatorItems: readonly CompletionItem[] = [
  ...transforms.flatMap((row) => withSnippets(row, ranks.operator)),
  ...shapeItems,
];

/** Operators offered after a pipe if the rest of the stage already exists, so that only the name is inserted. */
export const operatorNameItems: readonly CompletionItem[] = transforms.map((row) =>
  keyword(row, ranks.operator, true),
);

/** Operators and their snippets, offered at the start of a pipeline. */
export const sourceItems: readonly CompletionItem[] = operators
  .filter(({ role }) => role !== 'transform')
  .flatMap((row) => withSnippets(row, ranks.source));

export const statementItems: readonly CompletionItem[] = statements.map((row) => ({
  ...snippet(row.name, CompletionItemKind.Keyword, ranks.statement + row.name, row.snippet),
  documentation: row.summary,
}));

const betweenValues = scalarOperators.filter(
  ({ name, synonymOf }) => /^[!\w=<>]/.test(name) && name !== 'not' && synonymOf === undefined,
);

const scalarItems = new Map<string, readonly CompletionItem[]>();

/** Returns items for operators after a value. `lone`: the value isn't a condition. `alone`: an operand follows. */
export function scalarOperatorItems(
  type: ScalarType,
  lone: boolean,
  alone: boolean,
): readonly CompletionItem[] {
  return getOrCreate(scalarItems, `${type} ${lone} ${alone}`, () =>
    betweenValues
      .filter((row) => fitsType(row, type))
      .map((row) => scalarOperatorItem(row, type, lone, alone)),
  );
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

/** Returns whether an operator suits a type. String operators also suit dynamic and unknown values. */
function fitsType({ category, caseSensitive }: ScalarOperatorRow, type: ScalarType): boolean {
  if (category !== 'string' && caseSensitive !== false) return true;
  return type === 'string' || type === 'dynamic' || type === 'unknown';
}
