// Makes foreign text safe to show. VS Code draws links and icons in labels, prompts and messages, and runs the command
// of a `command:` link, while names, queries, files and errors come from services and colleagues.
import {
  invisibleSymbol,
  visibleLines,
  visibleText,
  withSymbols,
} from '../../../table/src/visibleText.ts';

const link = /\]\((?=(?:https?:\/\/|command:|file:))/gi;
const iconStart = /\$\((?=[\w~-]+\))/g;

/** Makes links and icons literal by inserting a space, and shows invisible characters as symbols. Idempotent. */
export function plain(text: string): string {
  // Convert to symbols first, because a symbol may be the label of a link.
  return inert(visibleLines(text));
}

/** Like `plain`, but on one line. */
export function plainLine(text: string): string {
  return inert(visibleText(text));
}

function inert(text: string): string {
  return text.replace(link, '] (').replace(iconStart, '$$ (');
}

/** A VS Code icon, given by its ID, such as `sync~spin`. */
export class Icon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

/** A label with icons. Only `withIcons` creates one, so that no icon comes from foreign text. */
export class IconText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A label. A string is shown without icons. */
export type Label = string | IconText;

/** Creates a label whose template may contain icons such as `$(key)`. Inserted strings stay plain text. */
export function withIcons(words: TemplateStringsArray, ...values: (string | Icon)[]): IconText {
  const parts = words.map((word, index) => {
    const value = values[index];
    if (value === undefined) return word;
    return word + (value instanceof Icon ? `$(${value.id})` : plainLine(value));
  });
  return new IconText(parts.join('').replace(link, '] ('));
}

export function labelText(label: Label): string {
  return label instanceof IconText ? label.text : plainLine(label);
}

/** Escapes text so that Markdown shows it literally, with its line breaks. */
export function escapedMarkdown(text: string): string {
  return visibleLines(text)
    .split('\n')
    .map((line) => line.trim().replace(/[!-/:-@[-`{-~]/g, '\\$&'))
    .join('  \n');
}

/** Shows invisible characters in Markdown as symbols. The symbols' brackets have no meaning there. */
export function visibleMarkdown(markdown: string): string {
  const symbol = (character: string) =>
    invisibleSymbol(character).replace('[', '\u27E8').replace(']', '\u27E9');
  return markdown
    .split(/\r?\n/)
    .map((line) => withSymbols(line, symbol))
    .join('\n');
}
