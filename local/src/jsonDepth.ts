/** Measures the nesting of JSON without recursion, because deep JSON would overflow the stack. */

/** Whether JSON is nested deeper than `levels`. The JSON may be invalid. */
export function isDeeper(json: Uint8Array, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === BRACE || byte === BRACKET) {
      depth += 1;
      if (depth > levels) return true;
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      depth -= 1;
    }
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
