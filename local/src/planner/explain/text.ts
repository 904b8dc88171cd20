/** Formats APL, SQL and names on one line of limited length. */
import { lex } from '../../../../language/src/index.ts';

/** The maximum length of an expression, and the maximum number of names in a list. */
const TEXT_MAX = 400;
const NAMES_MAX = 40;

export function aplText(text: string): string {
  let out = '';
  let end = 0;
  for (const token of lex(text)) {
    if (token.kind === 'end') break;
    if (end > 0 && token.start > end) out += ' ';
    out += text.slice(token.start, token.end);
    end = token.end;
  }
  return cut(out);
}

const sqlPieces = /'(?:[^']|'')*'|\bt\.(?=["a-z])|"(?:[^"]|"")*"|\s+/g;
const plainName = /^"[A-Za-z_][A-Za-z0-9_]*"$/;

/** Removes the alias `t.` and unnecessary quotes around names. */
export function sqlText(sql: string): string {
  const text = sql.replace(sqlPieces, (piece, offset: number) => {
    if (piece.startsWith("'")) return piece;
    if (piece.startsWith('"')) return plainName.test(piece) ? piece.slice(1, -1) : piece;
    if (piece === 't.') return '';
    return sql[offset - 1] === '(' || sql[offset + piece.length] === ')' ? '' : ' ';
  });
  return cut(text);
}

export function nameText(name: string): string {
  return sqlText(`"${name.replaceAll('"', '""')}"`);
}

export function listText(parts: readonly string[]): string {
  const shown = parts.slice(0, NAMES_MAX).join(', ');
  const more = parts.length - NAMES_MAX;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function cut(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  return `${text.slice(0, TEXT_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes control characters and line separators. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    return shortEscapes[character] ?? `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
