// APL of a resource as a separate text: in an editor, or in a file next to the JSON, which has
// `{ "$file": "name.apl" }` in its place. A query is written as it is; an expression as a query that computes it, so
// that an editor can check, complete and run it.
import { decode } from './jsonText.ts';
import type { AplPattern } from './kinds.ts';
import { isMembers } from './value.ts';

/** What is in the JSON in place of APL. */
export interface FileReference {
  readonly $file: string;
}

export function fileReference(name: string): FileReference {
  return { $file: name };
}

export function isFileReference(value: unknown): value is FileReference {
  return isMembers(value) && typeof value['$file'] === 'string' && Object.keys(value).length === 1;
}

/** Reads back exactly what was written: line ends of a repository may change, so that others stay in the JSON. */
export function fitsFile(apl: string): boolean {
  return !apl.startsWith('\uFEFF') && !/[\r\0]|\p{Surrogate}/u.test(apl);
}

export interface Expression {
  readonly dataset: string;
  readonly name: string;
}

/** The text of the file. `about` says what an expression belongs to. */
export function aplText(
  apl: string,
  language: AplPattern['language'],
  { dataset, name }: Expression,
): string {
  if (language === 'query') return `${apl}\n`;
  return `${quoted(dataset)}\n| extend ${quoted(name)} = ${apl}\n`;
}

const NAME = String.raw`(?:\[\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*\]|[\p{L}_][\p{L}\p{N}_]*)`;
/** Also as the formatter writes it. Of the space after the sign one is part of the form. */
const EXTEND = new RegExp(String.raw`^\s*${NAME}\s*\|\s*extend\s+${NAME}\s*= ?`, 'u');

/** The two names of that form: the word between them is not followed by what ends it. */
const NAMES = new RegExp(String.raw`${NAME}(?=\s*[|=])`, 'gu');

/** The APL of a file's text, and where it starts there; undefined where the text has not the form of an expression. */
export function aplOf(
  text: string,
  language: AplPattern['language'],
): { readonly apl: string; readonly start: number } | undefined {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (language === 'query') return { apl: body, start: 0 };
  const start = EXTEND.exec(body)?.[0].length;
  return start === undefined ? undefined : { apl: body.slice(start), start };
}

/** What the text of an expression says that it computes; undefined where the text has not that form. */
export function expressionIn(text: string): Expression | undefined {
  const [head] = EXTEND.exec(text) ?? [];
  const [dataset, name] = head?.match(NAMES) ?? [];
  if (dataset === undefined || name === undefined) return undefined;
  return { dataset: unquoted(dataset), name: unquoted(name) };
}

function unquoted(name: string): string {
  const [, inner] = /^\[\s*['"](.*)['"]\s*\]$/s.exec(name) ?? [];
  return inner === undefined ? name : decode(inner, 0, inner.length).value;
}

function quoted(name: string): string {
  const text = name.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `['${text}']`;
}
