/** Trims a folder of stored answers in the background, so that no answer waits for it. */
import { setImmediate } from 'node:timers/promises';
import type { LongTask } from '../../../../table/src/rowSource.ts';
import { trimKept } from './keptFiles.ts';

/** Folders being trimmed. `again` requests another pass after the current one. */
const running = new Map<string, { again: boolean }>();

/** Yields after each file, because no caller waits for the result. */
const background: LongTask = {
  due: true,
  pause: async () => {
    await setImmediate();
  },
};

/** Starts trimming in the background. Requests for a folder that is already being trimmed share one further pass. */
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
    // Ignore failures: the next trim tries again to remove these answers.
    await trimKept(folder, maxBytes, background).catch(() => {});
  }
  running.delete(folder);
}
