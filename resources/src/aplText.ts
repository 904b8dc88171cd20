// Stores a resource's APL as a separate text, in an editor or in a file next to the JSON, which then contains `{
// "$file": "name.apl" }`. A query is stored unchanged. An expression is stored as a query that computes it, so that an
// editor can check, complete and run it.
import { decode } from './jsonText.ts';
import type { AplPattern } from './kinds.ts';
import { isMembers } from './value.ts';

/** Replaces APL in the JSON. */
export interface FileReference {
  readonly $file: string;
}

export function fileReference(name: string): FileReference {
  return { $file: name };
}

export function isFileReference(value: unknown): value is FileReference {
  return isMembers(value) && typeof value['$file'] === 'string' && Object.keys(value).length === 1;
}

/**
 * Returns whether a file preserves the APL exactly. Otherwise it stays in the JSON: repositories may change line ends,
 * and byte order marks, zero characters and lone surrogates may be lost.
 */
export function canStoreInFile(apl: string): boolean {
  return !apl.startsWith('\uFEFF') && !/[\r\0]|\p{Surrogate}/u.test(apl);
}

export interface Expression {
  readonly dataset: string;
  readonly name: string;
}

/** Returns the text of the file. The last argument names an expression's dataset and field. */
export function aplText(
  apl: string,
  language: AplPattern['language'],
  { dataset, name }: Expression,
): string {
  if (language === 'query') return `${apl}\n`;
  return `${quoted(dataset)}\n| extend ${quoted(name)} = ${apl}\n`;
}

const NAME = String.raw`(?:\[\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*\]|[\p{L}_][\p{L}\p{N}_]*)`;
/** Matches the head of an expression's query, also as reformatted. One space after the sign is part of it. */
const EXTEND = new RegExp(String.raw`^\s*${NAME}\s*\|\s*extend\s+${NAME}\s*= ?`, 'u');

/** Matches the two names in the head. The word `extend` between them isn't followed by a pipe or an equals sign. */
const NAMES = new RegExp(String.raw`${NAME}(?=\s*[|=])`, 'gu');

/** Returns the APL in a file's text and its start; undefined if the text doesn't have the form of an expression. */
export function aplOf(
  text: string,
  language: AplPattern['language'],
): { readonly apl: string; readonly start: number } | undefined {
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (language === 'query') return { apl: body, start: 0 };
  const start = EXTEND.exec(body)?.[0].length;
  return start === undefined ? undefined : { apl: body.slice(start), start };
}

/** Returns the dataset and name stated in an expression's text; undefined if the text doesn't have that form. */
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
