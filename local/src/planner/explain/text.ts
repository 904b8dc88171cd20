/** Pieces of text in a plan's lines: on one line, of bounded length, with nothing in them that ends a line. */
import { lex } from '../../../../language/src/index.ts';

/** More of one expression or list hides the plan; the SQL has it whole. */
const TEXT_MAX = 400;
const NAMES_MAX = 40;

/** A piece of APL on one line, without its comments. */
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

/** A piece of SQL on one line, without what every name has: the name of the relation, and quotes that a plain name can do without. */
export function sqlText(sql: string): string {
  const text = sql.replace(sqlPieces, (piece, offset: number) => {
    if (piece.startsWith("'")) return piece;
    if (piece.startsWith('"')) return plainName.test(piece) ? piece.slice(1, -1) : piece;
    if (piece === 't.') return '';
    return sql[offset - 1] === '(' || sql[offset + piece.length] === ')' ? '' : ' ';
  });
  return cut(text);
}

/** A name as the plan shows it: quoted only where it must be. */
export function nameText(name: string): string {
  return sqlText(`"${name.replaceAll('"', '""')}"`);
}

/** A list on one line; of a long one the first few. */
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

/** Text in which every character that is none, or that may end a line, is written out. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    return shortEscapes[character] ?? `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
