// Normalizes line ends: a newline, a carriage return, or both, as in editors. A carriage return alone becomes a newline
// in place, so that line splitters only look for one byte.
import { NEWLINE, RETURN } from './splitter.ts';

/** Returns the offset up to which line ends are known. A final carriage return may be half of one. */
export function normalizeLineEnds(
  buffer: Buffer,
  start: number,
  end: number,
  final: boolean,
): number {
  const view = buffer.subarray(0, end);
  for (let at = view.indexOf(RETURN, start); at >= 0; at = view.indexOf(RETURN, at + 1)) {
    if (at + 1 < end) {
      if (view[at + 1] !== NEWLINE) view[at] = NEWLINE;
    } else if (final) {
      view[at] = NEWLINE;
    } else {
      return at;
    }
  }
  return end;
}
