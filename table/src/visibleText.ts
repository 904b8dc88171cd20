/**
 * Makes invisible characters visible, so that a value can neither hide characters nor reorder the text around it. Only
 * for the screen: the clipboard has the exact value.
 */

/**
 * Control characters, lone surrogates, line separators and characters without a glyph, including bidirectional
 * controls. The selectors FE00 to FE0F are excluded, because they choose between forms of a visible character.
 */
const invisible = /(?![\uFE00-\uFE0F])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\uFFF9-\uFFFB]/gu;

/** A faster check: text that consists only of these characters has nothing to replace. */
const plain = /^[\x20-\x7E\xA0-\xAC\xAE-\u02FF]*$/;

const symbols: Readonly<Record<string, string>> = { '\n': '⏎', '\r': '␍', '\t': '⇥', '\x7f': '␡' };

/**
 * Characters that a joiner may connect: emoji, and letters of scripts that change their shape when joined. Letters
 * without a glyph are excluded, because symbols replace them.
 */
const emojiEnd = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?$/u;
const emojiStart = /^\p{Extended_Pictographic}/u;
const unjoined = /\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic}/u;
const letterEnd = /(?!\p{DI})[\p{L}\p{M}]$/u;
const letterStart = /^(?!\p{DI})[\p{L}\p{M}]/u;

/**
 * Returns text on one line, with symbols for line breaks and controls, and with text such as `[U+202E]` for other
 * invisible characters. Text that was made visible before is returned unchanged.
 */
export function visibleText(text: string): string {
  return withSymbols(text, invisibleSymbol);
}

/** Like `visibleText`, but with custom symbols. */
export function withSymbols(text: string, symbolOf: (character: string) => string): string {
  if (plain.test(text)) return text;
  return text.replace(invisible, (character, index: number) =>
    isJoiner(character) && joins(text, index) ? character : symbolOf(character),
  );
}

/** Like `visibleText`, but keeps line breaks. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** Like `visibleText`, but escaped for HTML and XML. */
export function visibleMarkup(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function isJoiner(character: string): boolean {
  return character === '\u200C' || character === '\u200D';
}

/** Whether the joiner at an index is part of an emoji or a word, so that it needs no symbol. */
function joins(text: string, index: number): boolean {
  const [before, after] = [
    text.slice(Math.max(0, index - 3), index),
    text.slice(index + 1, index + 3),
  ];
  if (emojiEnd.test(before)) return emojiStart.test(after);
  return (
    letterEnd.test(before) && letterStart.test(after) && !unjoined.test(before.slice(-1) + after)
  );
}

/** Returns the symbol of an invisible character, such as `⇥` or `[U+202E]`. */
export function invisibleSymbol(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const symbol = symbols[character];
  if (symbol !== undefined) return symbol;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Cuts text that is longer than `max` characters. The last of them is then an ellipsis. */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max - 1)}…` : text;
}

/** Returns a string's first `length` units, without half of a surrogate pair at the end. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
