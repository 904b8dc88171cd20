/**
 * Creates completion items for columns and caches them per column object. The cache stays effective because a dataset's
 * column objects live as long as its schema.
 */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import {
  accepts,
  type Column,
  type Columns,
  isPlainName,
  oncePer,
  type ParameterType,
  quoteName,
  quoteText,
} from '../../../../language/src/index.ts';
import { columnDetail } from '../../markdown.ts';
import { type ItemData, item } from './items.ts';
import { ranks } from './ranking.ts';
import { offered } from './wideRows.ts';

/** Returns items for columns, those of the expected type first. For wide rows, returns only matches of `typed`. */
export function columnItems(
  columns: Columns,
  typed: string,
  expected?: ParameterType,
  commitCharacters: string[] = [],
): CompletionItem[] {
  return offered(columns, typed, (column) => fits(column, expected))
    .list.filter(({ hidden }) => !hidden)
    .map((column) => {
      const made = columnItem(column, fits(column, expected));
      return commitCharacters.length === 0 ? made : { ...made, commitCharacters };
    });
}

function fits({ type, variants }: Column, expected: ParameterType | undefined): boolean {
  if (expected === undefined || expected === type) return true;
  if (variants !== undefined) return variants.some((variant) => accepts(expected, variant));
  // Don't prefer a dynamic column. Its values may have the expected type, but users rarely mean such a column.
  if (type === 'dynamic') return false;
  return accepts(expected, type) || (expected === 'long' && type === 'real');
}

const fittingItem = oncePer((column: Column) => makeItem(column, ranks.column));
const otherItem = oncePer((column: Column) => makeItem(column, ranks.otherColumn));

function columnItem(column: Column, fits: boolean): CompletionItem {
  return fits ? fittingItem(column) : otherItem(column);
}

function makeItem(column: Column, rank: string): CompletionItem {
  const { name, dataset, definition, description } = column;
  const insert = quoteName(name);
  // Columns that the query defines come first, and names that start with an underscore come last, except `_time`.
  const order = definition !== undefined ? 0 : name.startsWith('_') && name !== '_time' ? 2 : 1;
  const data: ItemData | undefined = dataset === undefined ? undefined : { dataset };
  return {
    ...item(name, CompletionItemKind.Field, `${rank}${order}${name}`, insert),
    // The filter text matches the name typed with and without brackets.
    filterText: bracketed(name),
    labelDetails: { description: columnDetail(column) },
    ...(data === undefined ? {} : { data }),
    ...(dataset === undefined && description !== undefined ? { documentation: description } : {}),
  };
}

export function bracketed(name: string): string {
  return `${name} ['${name}'] ["${name}"]`;
}

/**
 * Returns items for the columns whose dotted names start with the path, and for the keys of a constant bag. `typed` is
 * the path as written, and `begun` is the partial name after it.
 */
export function memberItems(
  path: string,
  { typed, begun }: { readonly typed: string; readonly begun: string },
  columns: Columns,
  keys: readonly string[],
): CompletionItem[] {
  const prefix = `${path}.`;
  const found = offered(columns, begun, undefined, prefix).list.filter(
    ({ name, hidden }) => !hidden && name.startsWith(prefix),
  );
  return [
    ...found.map((column): CompletionItem => {
      const { data: _, ...made } = columnItem(column, true);
      return {
        ...made,
        label: column.name.slice(prefix.length),
        textEditText: quoteName(column.name),
        // With this filter text, both the path as typed and the column's complete name match the item.
        filterText: `${typed}${column.name.slice(prefix.length)} ${column.name}`,
      };
    }),
    ...keys.map((key) => {
      const insert = isPlainName(key) ? `${path}.${key}` : `${path}[${quoteText(key)}]`;
      const made = item(key, CompletionItemKind.Property, ranks.here + key, insert);
      return { ...made, filterText: `${typed}${key}` };
    }),
  ];
}
