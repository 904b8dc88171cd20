/** Runs loops in time slices, between which other requests are served. */
import type { LongTask } from './rowSource.ts';

/** The number of iterations per slice, small enough that a slice of a cheap loop takes well below a millisecond. */
const sliceItems = 1 << 13;

export async function inSlices(
  count: number,
  task: LongTask,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < count; from += sliceItems) {
    const to = Math.min(count, from + sliceItems);
    work(from, to);
    if (task.due) await task.pause(to, count);
  }
}
