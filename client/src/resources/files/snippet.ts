// Snippets that are inserted into a string of JSON.
import { encode } from '../../../../resources/src/jsonText.ts';

/** A snippet whose text, once it is inserted, is written as JSON has it. */
export function encodeSnippet(snippet: string): string {
  return snippet.replace(/\\[$}\\]|["\n\r\t]/g, (found) => {
    if (found === '\\\\') return '\\\\\\\\';
    if (found.startsWith('\\')) return found;
    return encode(found).replaceAll('\\', '\\\\');
  });
}
