/** Keys of 32 bits by which times are sorted; the least significant first. */
import type { LongTask } from '../rowSource.ts';
import { inSlices } from './slices.ts';

export async function timeKeys(times: Float64Array, task: LongTask): Promise<Uint32Array[]> {
  const low = new Uint32Array(times.length);
  const high = new Uint32Array(times.length);
  const one = new Float64Array(1);
  const words = new Int32Array(one.buffer);
  await inSlices(times.length, task, (from, to) => {
    for (let at = from; at < to; at++) {
      // Adding zero makes -0 equal to 0. The bits of a negative double order it the other way round.
      one[0] = (times[at] as number) + 0;
      const upper = words[1] as number;
      const sign = upper >> 31;
      low[at] = (words[0] as number) ^ sign;
      high[at] = upper ^ (sign | 0x8000_0000);
    }
  });
  return [low, high];
}
