/**
 * Indents JSON without parsing its values: numbers, strings and duplicate names stay as written, and nesting may be of
 * any depth.
 */

import { parsedJson } from '../../../api/src/plain.ts';

/** One token of JSON: a string, a bracket, a separator, or a run of other non-whitespace characters. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  const newLine = () => `\n${'  '.repeat(depth)}`;
  for (const [part] of text.matchAll(token)) {
    const opened = before === '{' || before === '[';
    if (part === '}' || part === ']') {
      depth--;
      parts.push(opened ? part : newLine() + part);
    } else {
      if (opened) parts.push(newLine());
      if (part === '{' || part === '[') depth++;
      parts.push(part === ':' ? ': ' : part);
      if (part === ',') parts.push(newLine());
    }
    before = part;
  }
  return parts.join('');
}

/** Whether a string is a JSON object or array. Other JSON values are easier to read as plain text. */
export function isJsonStructure(text: string): boolean {
  return /^\s*[{[]/.test(text) && parsedJson(text, JSON.parse) !== undefined;
}
