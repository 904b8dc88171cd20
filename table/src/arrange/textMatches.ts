/** Finds the strings in a heap that match a condition. Adjacent strings are searched together. */
import { Buffer, isAscii } from 'node:buffer';
import type { ByteHeap } from '../columns/byteHeap.ts';
import type { LongTask } from '../rowSource.ts';
import { matcherOf, type TextCondition } from './matcher.ts';

const batchTexts = 1_024;
const runBytes = 256 * 1_024;

/** Returns one byte per string: 1 if it matches, otherwise 0. Throws `Invalid` if the regular expression is invalid. */
export async function entryMatches(
  heap: ByteHeap,
  condition: TextCondition,
  task: LongTask,
): Promise<Uint8Array> {
  const matches = new Uint8Array(heap.count);
  const matcher = matcherOf(condition);
  const needle = needleOf(condition);
  for (let from = 0; from < heap.count; ) {
    if (task.due) await task.pause(from, heap.count);
    if (needle !== undefined) {
      const to = searchRun(heap, from, needle, matches);
      if (to > from) {
        from = to;
        continue;
      }
    }
    const count = Math.min(batchTexts, heap.count - from);
    const texts: string[] = [];
    for (let entry = from; entry < from + count; entry++) texts.push(heap.text(entry));
    matcher(texts, matches.subarray(from));
    from += count;
  }
  return matches;
}

type Needle = NonNullable<ReturnType<typeof needleOf>>;

/** Returns the string to search for across adjacent strings; undefined if each string must be compared separately. */
function needleOf({ match, text, caseSensitive }: TextCondition) {
  // The bytes of a lone surrogate differ from its bytes within a pair, so bytes can't be compared.
  if (match !== 'contains' || text === '' || /\p{Cs}/u.test(text)) return undefined;
  const wanted = caseSensitive ? text : text.toLowerCase();
  return { text: wanted, bytes: Buffer.from(wanted), caseSensitive };
}

/** Searches adjacent strings from `from` on. Returns the first string that wasn't searched, which may be `from`. */
function searchRun(heap: ByteHeap, from: number, needle: Needle, matches: Uint8Array): number {
  const start = heap.start(from);
  let to = from + 1;
  while (to < heap.count && heap.end(to) - start <= runBytes) to++;
  const bytes = heap.bytesOf(start, heap.end(to - 1));
  let run: { indexOf(wanted: never, at?: number): number } = bytes;
  let wanted: string | Buffer = needle.bytes;
  if (!needle.caseSensitive) {
    // Stop at non-ASCII text, because lowercasing it may change its length.
    if (!isAscii(bytes)) return from;
    run = bytes.toString('latin1').toLowerCase();
    wanted = needle.text;
  }
  const length = needle.bytes.length;
  let entry = from;
  for (let at = run.indexOf(wanted as never); at >= 0; ) {
    const position = start + at;
    while (heap.end(entry) <= position) entry++;
    if (position + length <= heap.end(entry)) {
      matches[entry] = 1;
      at = run.indexOf(wanted as never, heap.end(entry) - start);
    } else {
      // The match extends into the next string, so continue at the next byte: another match may begin there.
      at = run.indexOf(wanted as never, at + 1);
    }
  }
  return to;
}
