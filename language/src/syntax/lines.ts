/** Finds the starts and ends of lines by offset. */
import { isNewline } from './characters.ts';

export function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isNewline(text.charCodeAt(at))) at++;
  return at;
}

export function lineBelow(text: string, end: number): number {
  return Math.min(text.length, end + (text.startsWith('\r\n', end) ? 2 : 1));
}

export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isNewline(text.charCodeAt(at - 1))) at--;
  return at;
}
