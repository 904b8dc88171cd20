/** Classifies characters for the lexer. ASCII characters use a table, and others use Unicode classes. */

export const unknownClass = 0;
export const spaceClass = 1;
export const wordClass = 2;
export const digitClass = 3;
export const punctuationClass = 4;
export const quoteClass = 5;

const asciiClasses = new Uint8Array(128);
for (const c of ' \t\n\r\v\f') asciiClasses[c.charCodeAt(0)] = spaceClass;
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$') {
  asciiClasses[c.charCodeAt(0)] = wordClass;
}
for (const c of '0123456789') asciiClasses[c.charCodeAt(0)] = digitClass;
for (const c of '()[]{},;|.:+-*/%<>=!&?') asciiClasses[c.charCodeAt(0)] = punctuationClass;
for (const c of '\'"') asciiClasses[c.charCodeAt(0)] = quoteClass;

const unicodeWord = /[\p{L}\p{M}\p{N}]/u;
const unicodeSpace = /[\s\u0085\u200B\u2060]/u;

/** Returns the class of the character at an offset. A surrogate pair is one character. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return asciiClasses[code] as number;
  const character = String.fromCodePoint(text.codePointAt(at) as number);
  if (unicodeWord.test(character)) return wordClass;
  if (unicodeSpace.test(character)) return spaceClass;
  return unknownClass;
}

/** Returns the number of UTF-16 units of the character at an offset. */
export function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Returns whether the character at an offset can continue a word: a letter, a digit, `_` or a combining mark. */
export function continuesWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) {
    const found = asciiClasses[code] as number;
    return (found === wordClass && code !== 36) || found === digitClass;
  }
  return at < text.length && classAt(text, at) === wordClass;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isNewline(code: number): boolean {
  return code === 10 || code === 13;
}
