/**
 * Replaces JSON values that can't be stored, as the service does. Values that are nested too deeply become null. A note
 * replaces strings that are too long or not valid Unicode. In keys, only the invalid characters are replaced.
 */
import { isUtf8 } from 'node:buffer';
import {
  INGEST_NESTING_MAX,
  INGEST_TEXT_TOO_LONG,
  INGEST_VALUE_BYTES_MAX,
} from '../../../../api/src/index.ts';
import { type JsonFormat, stringEnd } from './scan.ts';

/** Returns the fixed JSON, or undefined if nothing needed fixing. Malformed JSON stays malformed. */
export function fixJson(bytes: Buffer, format: JsonFormat): Buffer | undefined {
  const levels = INGEST_NESTING_MAX + (format === 'array' ? 1 : 0);
  const parts: Buffer[] = [];
  let copied = 0;
  const replace = (start: number, end: number, text: string) => {
    parts.push(bytes.subarray(copied, start), Buffer.from(text));
    copied = end;
  };
  let depth = 0;
  let cutFrom = -1;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case 0x22: {
        const plainEnd = plainStringEnd(bytes, at);
        const end = plainEnd ?? stringEnd(bytes, at, bytes.length);
        if (plainEnd === undefined && cutFrom < 0 && end < bytes.length) {
          const text = fixedString(bytes, at, end);
          if (text !== undefined) replace(at, end + 1, text);
        }
        at = end;
        break;
      }
      case 0x5b:
      case 0x7b:
        depth += 1;
        if (depth === levels + 1) cutFrom = at;
        break;
      case 0x5d:
      case 0x7d:
        if (depth === levels + 1 && cutFrom >= 0) {
          replace(cutFrom, at + 1, 'null');
          cutFrom = -1;
        }
        depth -= 1;
        break;
      case 0x0a:
        // Start again at depth 0, because a malformed line with unclosed brackets must not affect the next lines.
        if (format === 'newline_delimited') {
          depth = 0;
          cutFrom = -1;
        }
        break;
      default:
    }
  }
  if (parts.length === 0) return undefined;
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}

/** Finds the end of a short string without escapes, which avoids the slow check. */
function plainStringEnd(bytes: Buffer, start: number): number | undefined {
  const end = Math.min(bytes.length, start + PLAIN_BYTES_MAX);
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === 0x22) return at;
    if (byte === 0x5c || byte >= 0x80) return undefined;
  }
  return undefined;
}

const PLAIN_BYTES_MAX = 256;

function fixedString(bytes: Buffer, start: number, end: number): string | undefined {
  const content = bytes.subarray(start + 1, end);
  if (content.length > INGEST_VALUE_BYTES_MAX) {
    return isKey(bytes, end) ? undefined : JSON.stringify(INGEST_TEXT_TOO_LONG);
  }
  if (isUtf8(content) && !hasLoneSurrogate(content)) return undefined;
  // Keep the readable characters of a key, so that two malformed keys don't become equal.
  return JSON.stringify(isKey(bytes, end) ? readable(content) : '<invalid data>');
}

function isKey(bytes: Buffer, end: number): boolean {
  for (let at = end + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) return byte === 0x3a;
  }
  return false;
}

function hasLoneSurrogate(content: Buffer): boolean {
  if (!content.includes('\\u')) return false;
  const text = parsed(content);
  return text !== undefined && !text.isWellFormed();
}

function readable(content: Buffer): string {
  return (parsed(content) ?? content.toString()).toWellFormed();
}

function parsed(content: Buffer): string | undefined {
  try {
    return JSON.parse(`"${content.toString()}"`) as string;
  } catch {
    return undefined;
  }
}
