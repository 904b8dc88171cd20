/** Builds completion items. Most are shared by all responses, so the edit range is in the list, not in the item. */
import {
  type Command,
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
} from 'vscode-languageserver';
import { getOrCreate, quoteText, type WordRow } from '../../../../language/src/index.ts';
import type { Quote } from './quotes.ts';
import { ranks } from './ranking.ts';

/** The data that is needed to resolve an item, in addition to its label. The client sends it back unchanged. */
export type ItemData =
  | 'function'
  | 'operator'
  | 'scalarOperator'
  | 'shape'
  | { readonly dataset: string }
  | { readonly table: string };

/** Creates a completion item. `textEditText` has the inserted text if it differs from the label. */
export function item(
  label: string,
  kind: CompletionItemKind,
  sortText: string,
  insert = label,
): CompletionItem {
  const edit = insert === label ? {} : { textEditText: insert, filterText: `${label} ${insert}` };
  return { label, kind, sortText, ...edit };
}

export function snippet(
  label: string,
  kind: CompletionItemKind,
  sortText: string,
  text: string,
): CompletionItem {
  const insertTextFormat = InsertTextFormat.Snippet;
  return { label, kind, sortText, textEditText: text, insertTextFormat };
}

/** Makes the editor request completion again after inserting the item. */
export const offerNext: Command = { title: '', command: 'editor.action.triggerSuggest' };

/** Like `offerNext`, but first moves the cursor over the whitespace that already follows the item. */
const offerNextBehindBlank: Command = {
  title: '',
  command: 'runCommands',
  arguments: [{ commands: ['cursorRight', 'editor.action.triggerSuggest'] }],
};

/** Makes the editor show parameter hints for the inserted call. */
export const showParameters: Command = {
  title: '',
  command: 'editor.action.triggerParameterHints',
};

/** Keywords that are incomplete without more input, with the text to insert for each. */
const openWords: ReadonlyMap<string, string> = new Map([
  ['$left', '$left.'],
  ['$right', '$right.'],
  ['typeof', 'typeof('],
  ...'as by from in limit nulls on query_parameters step to with'
    .split(' ')
    .map((word) => [word, `${word} `] as const),
]);

const wordItems = new Map<string, CompletionItem>();

/** Returns items for the keywords valid at the cursor. `gap`: whether whitespace already follows the cursor. */
export function words(rows: readonly WordRow[], gap: boolean): CompletionItem[] {
  return rows.map((row, index) => {
    const key = `${index} ${gap} ${row.name} ${row.summary}`;
    return getOrCreate(wordItems, key, () => wordItem(row, index, gap));
  });
}

function wordItem({ name, summary }: WordRow, index: number, gap: boolean): CompletionItem {
  const open = openWords.get(name);
  const insert = open === undefined ? name : gap ? open.trimEnd() : open;
  const blankIsThere = gap && open?.endsWith(' ') === true;
  const goesOn = open !== undefined || name.endsWith('=');
  return {
    ...item(name, CompletionItemKind.Keyword, ranks.here + String(index).padStart(2, '0'), insert),
    filterText: name,
    ...(summary === '' ? {} : { documentation: summary }),
    ...(goesOn ? { command: blankIsThere ? offerNextBehindBlank : offerNext } : {}),
  };
}

/** Creates an item for a value. Strings are quoted, and other values are inserted unchanged. */
export function valueItem(
  value: string | number | boolean,
  index: number,
  quote: Quote,
): CompletionItem {
  const insert = typeof value === 'string' ? quoteText(value, quote) : String(value);
  return {
    ...item(insert, CompletionItemKind.Value, ranks.here + String(index).padStart(3, '0')),
    ...(typeof value === 'string' ? { filterText: `${value} ${quoteText(value)} "${value}"` } : {}),
  };
}
