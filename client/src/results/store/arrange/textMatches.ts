/** Which of a store's texts match a condition: long runs of plain text are searched as one string. */
import { isAscii } from 'node:buffer';
import type { LongTask } from '../rowSource.ts';
import type { TextStore } from '../table/textStore.ts';
import { matcherOf, type TextCondition } from './matcher.ts';

const batchTexts = 1_024;
/** Bytes that are searched at once. */
const runBytes = 256 * 1_024;

/** One byte per text: 1 where it matches. Throws `Invalid` for an invalid regular expression. */
export async function entryMatches(
  store: TextStore,
  condition: TextCondition,
  task: LongTask,
): Promise<Uint8Array> {
  const { heap } = store;
  const matches = new Uint8Array(heap.count);
  const matcher = matcherOf(condition);
  const wanted = condition.caseSensitive ? condition.text : condition.text.toLowerCase();
  const isSearchable = condition.match === 'contains' && wanted !== '';
  const results = new Uint8Array(batchTexts);
  for (let from = 0; from < heap.count; ) {
    if (task.due) await task.pause(from, heap.count);
    if (isSearchable) {
      const to = searchRun(store, from, wanted, condition.caseSensitive, matches);
      if (to > from) {
        from = to;
        continue;
      }
    }
    const count = Math.min(batchTexts, heap.count - from);
    const texts: string[] = [];
    for (let entry = from; entry < from + count; entry++) texts.push(heap.text(entry));
    matcher(texts, results);
    matches.set(results.subarray(0, count), from);
    from += count;
  }
  return matches;
}

/** Searches texts from `from` on as one string; returns where it stopped, `from` itself if they are not ASCII. */
function searchRun(
  { heap }: TextStore,
  from: number,
  wanted: string,
  caseSensitive: boolean,
  matches: Uint8Array,
): number {
  const start = heap.start(from);
  let to = from + 1;
  while (to < heap.count && heap.end(to) - start <= runBytes) to++;
  const bytes = heap.bytesOf(start, heap.end(to - 1));
  if (!isAscii(bytes)) return from;
  const plain = bytes.toString('latin1');
  const run = caseSensitive ? plain : plain.toLowerCase();
  let entry = from;
  for (let at = run.indexOf(wanted); at >= 0; ) {
    const position = start + at;
    while (heap.end(entry) <= position) entry++;
    if (position + wanted.length <= heap.end(entry)) {
      matches[entry] = 1;
      at = run.indexOf(wanted, heap.end(entry) - start);
    } else {
      // It crosses into the next text, where another match may begin.
      at = run.indexOf(wanted, at + 1);
    }
  }
  return to;
}
