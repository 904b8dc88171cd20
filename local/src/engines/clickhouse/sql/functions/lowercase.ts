/** Converts strings to lowercase as DuckDB does. */
import { quotedText } from '../value.ts';

/** Characters that the two engines' Unicode tables convert differently. */
const UNLIKE_LOWER =
  '\\x{1c89}\\x{a7cb}\\x{a7cc}\\x{a7ce}\\x{a7d2}\\x{a7d4}\\x{a7da}\\x{a7dc}\\x{10d50}-\\x{10d65}\\x{16ea0}-\\x{16eb8}';

export function refusedIf(sql: string, characters: string, what: string): string {
  const refused = `throwIf(match(${sql}, ${quotedText(`[${characters}]`)}), ${quotedText(`ClickHouse cannot convert this character to ${what} case.`)})`;
  return `substring(${sql}, 1 + ${refused})`;
}

/** ClickHouse applies the rules for words, such as the final sigma; DuckDB converts each character. */
export function lowerUtf8(s: string): string {
  const plain = `replaceAll(replaceAll(${s}, 'Σ', 'σ'), 'İ', 'i')`;
  return `lowerUTF8(${refusedIf(plain, UNLIKE_LOWER, 'lower')})`;
}

export function lower(s: string): string {
  if (/^'[ -~]*'$/.test(s)) return s.toLowerCase();
  return `if(isASCII(${s}), lower(${s}), ${lowerUtf8(s)})`;
}
