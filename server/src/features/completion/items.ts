/**
 * Completion items. What does not depend on the document is made once and shared by all answers: the
 * range that an item replaces stands in the list, not in the item.
 */
import {
  type Command,
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
} from 'vscode-languageserver';
import { quoteText, type WordRow } from '../../../../language/src/index.ts';
import type { Quote } from './quotes.ts';
import { ranks } from './ranking.ts';

/** What resolving needs to know of an item beside its label; it travels through the client. */
export type ItemData =
  | 'function'
  | 'operator'
  | 'scalarOperator'
  | 'shape'
  /** A field of this dataset. */
  | { readonly dataset: string }
  /** A dataset or view. */
  | { readonly table: string };

/** An item as the answer holds it: what it inserts is in `textEditText`. */
export function item(
  label: string,
  kind: CompletionItemKind,
  sortText: string,
  insert = label,
): CompletionItem {
  return {
    label,
    kind,
    sortText,
    ...(insert === label ? {} : { textEditText: insert, filterText: `${label} ${insert}` }),
  };
}

/** An item whose text has places to fill in, found by its label. */
export function snippet(
  label: string,
  kind: CompletionItemKind,
  sortText: string,
  text: string,
): CompletionItem {
  return {
    label,
    kind,
    sortText,
    textEditText: text,
    insertTextFormat: InsertTextFormat.Snippet,
  };
}

/** Makes the editor offer what comes next once the item is there. */
export const offerNext: Command = { title: '', command: 'editor.action.triggerSuggest' };

/** The same where the item stands before a blank that is there already: the cursor goes over it first. */
const offerNextBehindBlank: Command = {
  title: '',
  command: 'runCommands',
  arguments: [{ commands: ['cursorRight', 'editor.action.triggerSuggest'] }],
};

/** Makes the editor show the parameters of the call that was inserted. */
export const showParameters: Command = {
  title: '',
  command: 'editor.action.triggerParameterHints',
};

/** Words with which something goes on, and what is inserted for them. */
const openWords: ReadonlyMap<string, string> = new Map([
  ['$left', '$left.'],
  ['$right', '$right.'],
  ['typeof', 'typeof('],
  ...'as by from in limit nulls on query_parameters step to with'
    .split(' ')
    .map((word) => [word, `${word} `] as const),
]);

const wordItems = new Map<string, CompletionItem>();

/** Words that stand at this place and no other. `gap` is whether a blank follows already. */
export function words(rows: readonly WordRow[], gap: boolean): CompletionItem[] {
  return rows.map((row, index) => {
    const key = `${index} ${gap} ${row.name} ${row.summary}`;
    let made = wordItems.get(key);
    if (made === undefined) {
      made = wordItem(row, index, gap);
      wordItems.set(key, made);
    }
    return made;
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

/** A value as an item: a text in quotes, anything else as it is. */
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
