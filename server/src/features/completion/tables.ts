/** Completion items for datasets, views and `let` names. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import {
  type BoundQuery,
  type DatasetSchema,
  oncePer,
  quoteName,
  quoteText,
  type Schema,
} from '../../../../language/src/index.ts';
import { bracketed } from './columns.ts';
import { type ItemData, item } from './items.ts';
import { ranks } from './ranking.ts';

/** Items for datasets and views. They insert names in brackets and quotes, as in the APL documentation. */
export const datasetItems = oncePer(({ datasets }: Schema): readonly CompletionItem[] =>
  datasets.map((dataset) => ({
    ...described(dataset),
    textEditText: `[${quoteText(dataset.name)}]`,
    filterText: bracketed(dataset.name),
  })),
);

/** Returns items for datasets and views inside an existing string. `written` escapes a name for the string's quotes. */
export function datasetTexts(schema: Schema, written: (name: string) => string): CompletionItem[] {
  return schema.datasets.map((dataset) => ({
    ...described(dataset),
    textEditText: written(dataset.name),
    filterText: written(dataset.name),
  }));
}

function described({ name, kind = 'dataset' }: DatasetSchema): CompletionItem {
  return {
    ...item(name, CompletionItemKind.Class, ranks.table + name),
    labelDetails: { description: kind },
    data: { table: name } satisfies ItemData,
  };
}

/** Returns items for `let` statements and parameters declared before an offset. `wanted`: tables, values or both. */
export function letItems(
  { lets, outer, parameters, tree }: BoundQuery,
  offset: number,
  wanted: { readonly tables: boolean; readonly values: boolean },
): CompletionItem[] {
  const found = new Map<string, string>();
  for (const { name, type } of outer) {
    if (type === 'table' ? wanted.tables : wanted.values) found.set(name, type);
  }
  if (wanted.values) {
    for (const { name, type, end } of parameters) if (end <= offset) found.set(name, type);
  }
  for (const { name, value, end } of lets) {
    const isTable = value.kind === 'pipeline';
    if (isInside(tree.text, end, offset) || !(isTable ? wanted.tables : wanted.values)) continue;
    found.set(name, value.kind === 'pipeline' ? 'table' : value.type);
  }
  return [...found].map(([name, type]) => ({
    ...item(name, CompletionItemKind.Variable, ranks.let + name, quoteName(name)),
    labelDetails: { description: type },
  }));
}

/** Returns whether an offset is in a `let` statement, where the statement's name isn't declared yet. */
function isInside(text: string, end: number, offset: number): boolean {
  if (end > offset || text.charAt(end - 1) === ';') return end > offset;
  const next = /\S/g;
  next.lastIndex = end;
  const found = next.exec(text);
  return found === null || found.index >= offset;
}
