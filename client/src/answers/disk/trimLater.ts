/** Trims a folder of kept answers in the background, so that no answer waits for it. */
import { setImmediate } from 'node:timers/promises';
import type { LongTask } from '../../../../table/src/rowSource.ts';
import { trimKept } from './keptFiles.ts';

/** Folders that are being trimmed, and whether they are to be trimmed again afterwards. */
const running = new Map<string, { again: boolean }>();

/** Yields after each file: no call waits for the result. */
const background: LongTask = {
  due: true,
  pause: async () => {
    await setImmediate();
  },
};

/** Trims soon; several requests for one folder are served together. */
export function trimLater(folder: string, maxBytes: number): void {
  const state = running.get(folder);
  if (state !== undefined) state.again = true;
  else void trim(folder, maxBytes);
}

async function trim(folder: string, maxBytes: number): Promise<void> {
  const state = { again: true };
  running.set(folder, state);
  while (state.again) {
    state.again = false;
    // Answers that could not be removed now can be next time.
    await trimKept(folder, maxBytes, background).catch(() => {});
  }
  running.delete(folder);
}
