// Estimates tokens without a tokenizer, which would be larger than everything else. The estimate exceeds the count of
// public tokenizers (o200k_base, cl100k_base): for prose and code by 40 to 70 %, for random letters by a few percent.

const PIECES = /[A-Z]?[a-z]+|[A-Z]+|\d+|[\n\r]+|[ \t]+|\P{ASCII}+|[^\sA-Za-z\d]/gu;

/** Letters of a word that count as one token. Longer words are split. */
const SHORT_WORD = 6;

/** Letters of the longest word that is counted as one of a language. Longer ones are random letters. */
const LONG_WORD = 16;

/** Letters of a token in random letters. */
const RANDOM_LETTERS = 1.6;

/** UTF-8 bytes of a token in text other than ASCII. */
const TOKEN_BYTES = 1.4;

/** Returns the estimated tokens of a text. Takes time proportional to its length. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
}

function tokensOf(piece: string): number {
  const code = piece.charCodeAt(0);
  if (code > 127) {
    let bytes = 0;
    for (const character of piece) bytes += utf8Bytes(character.codePointAt(0) as number);
    return bytes / TOKEN_BYTES;
  }
  if (code >= 48 && code <= 57) return Math.ceil(piece.length / 2);
  if (code > 64) return /^[A-Za-z]/.test(piece) ? wordTokens(piece) : 1;
  // A single space belongs to the word after it.
  if (code === 32) return piece.length === 1 ? 0 : 1 + piece.length / 16;
  return code === 10 || code === 13 || code === 9 ? 1 + piece.length / 16 : 1;
}

function wordTokens(word: string): number {
  const { length } = word;
  const isUpper = length > 1 && word.charCodeAt(1) < 97;
  if (length > LONG_WORD || isUpper) return Math.ceil(length / RANDOM_LETTERS);
  return length <= SHORT_WORD ? 1 : Math.ceil(length / 3);
}

function utf8Bytes(code: number): number {
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}

/** Returns the longest start of a text, of whole lines if possible, within a number of tokens. */
export function startWithin(text: string, maxTokens: number): string {
  if (text.length <= maxTokens / 3 || estimateTokens(text) <= maxTokens) return text;
  // A token has at least a third of a character, so most of a long text need not be counted.
  let low = 0;
  let high = Math.min(text.length, maxTokens * 20);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const start = text.slice(0, low);
  const line = start.lastIndexOf('\n');
  return line > low / 2 ? start.slice(0, line) : withoutHalfPair(start);
}

/** Removes a lone high surrogate at the end. */
export function withoutHalfPair(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
