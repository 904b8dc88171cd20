// Snippets in JSON strings.
import { encode } from '../../../../resources/src/jsonText.ts';

/** Escapes a snippet so that its inserted text is valid in a JSON string. */
export function encodeSnippet(snippet: string): string {
  return snippet.replace(/\\[$}\\]|["\n\r\t]/g, (found) => {
    if (found === '\\\\') return '\\\\\\\\';
    if (found.startsWith('\\')) return found;
    return encode(found).replaceAll('\\', '\\\\');
  });
}
