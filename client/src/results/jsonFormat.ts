/**
 * Indents JSON text without reading its values: every number, string and duplicate name stays as written,
 * and nesting of any depth is only a loop.
 */

/** One token of JSON: a string, a bracket, a separator, or a run of anything else but space. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** The text indented by two spaces; the text must be JSON. */
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

/** Whether text is a JSON object or array; a number or a word alone is better read as plain text. */
export function isJsonStructure(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
