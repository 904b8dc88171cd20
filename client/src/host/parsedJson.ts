// Parses JSON that may be invalid, such as a damaged file.
import { parseJson } from '../../../api/src/plain.ts';

/** Returns undefined for invalid JSON. */
export function parsedJson(text: string, parse: (text: string) => unknown = parseJson): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
