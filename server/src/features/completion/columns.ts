/** Columns as completion items, made once for each column: those of a dataset live as long as its schema. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import {
  accepts,
  type Column,
  type Columns,
  isPlainName,
  type ParameterType,
  quoteName,
  quoteText,
} from '../../../../language/src/index.ts';
import { columnDetail } from '../../markdown.ts';
import { type ItemData, item } from './items.ts';
import { ranks } from './ranking.ts';
import { offered } from './wideRows.ts';

/**
 * The columns of a stage; those of the expected type come first, hidden ones are left out. Of very many, those
 * that match what is typed.
 */
export function columnItems(
  columns: Columns,
  typed: string,
  expected?: ParameterType,
  commitCharacters?: string[],
): CompletionItem[] {
  const items: CompletionItem[] = [];
  for (const column of offered(columns, typed, (column) => fits(column, expected)).list) {
    if (column.hidden) continue;
    const made = columnItem(column, fits(column, expected));
    items.push(commitCharacters === undefined ? made : { ...made, commitCharacters });
  }
  return items;
}

function fits({ type, variants }: Column, expected: ParameterType | undefined): boolean {
  if (expected === undefined || expected === type) return true;
  if (variants !== undefined) return variants.some((variant) => accepts(expected, variant));
  // A bag may hold what is wanted, and is seldom meant itself.
  if (type === 'dynamic') return false;
  return accepts(expected, type) || (expected === 'long' && type === 'real');
}

const fitting = new WeakMap<Column, CompletionItem>();
const others = new WeakMap<Column, CompletionItem>();

function columnItem(column: Column, fits: boolean): CompletionItem {
  const known = fits ? fitting : others;
  let made = known.get(column);
  if (made === undefined) {
    made = makeItem(column, fits ? ranks.column : ranks.otherColumn);
    known.set(column, made);
  }
  return made;
}

function makeItem(column: Column, rank: string): CompletionItem {
  const { name, dataset, definition, description } = column;
  const insert = quoteName(name);
  // What the query itself made is likelier meant than what was there before, and `_time` than `_sysTime`.
  const order = definition !== undefined ? 0 : name.startsWith('_') && name !== '_time' ? 2 : 1;
  const data: ItemData | undefined = dataset === undefined ? undefined : { dataset };
  return {
    ...item(name, CompletionItemKind.Field, `${rank}${order}${name}`, insert),
    // Whether it is begun as a word or in brackets, what is typed is found in this text.
    filterText: bracketed(name),
    labelDetails: { description: columnDetail(column) },
    ...(data === undefined ? {} : { data }),
    ...(dataset === undefined && description !== undefined ? { documentation: description } : {}),
  };
}

/** A name with its quoted spellings, so that each way to begin it finds it. */
export function bracketed(name: string): string {
  return `${name} ['${name}'] ["${name}"]`;
}

/**
 * Behind `geo.` or in `geo['…']`: columns whose dotted names go on from the path, each of which needs
 * its brackets, and the keys of a constant bag. `typed` is the path as it is written, `begun` what follows it.
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
        // The path as it is typed comes first in what filters, whichever way it is written.
        filterText: `${typed}${column.name.slice(prefix.length)} ${column.name}`,
      };
    }),
    ...keys.map((key) => ({
      ...item(
        key,
        CompletionItemKind.Property,
        ranks.here + key,
        isPlainName(key) ? `${path}.${key}` : `${path}[${quoteText(key)}]`,
      ),
      filterText: `${typed}${key}`,
    })),
  ];
}
