/** How long a thread runs without its event loop turning while something else goes on. */

export interface Block {
  /** Milliseconds of processor time: on a machine that is busy with other work, the clock would measure that. */
  readonly busy: number;
  /** Milliseconds by the clock. */
  readonly elapsed: number;
}

/** Milliseconds of processor time of this thread. Node before 23.9 has only the clock. */
export function threadTime(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest blocks of this thread during `work`; the two need not be the same one. */
export async function longestBlock(work: () => Promise<unknown>): Promise<Block> {
  let [busy, elapsed] = [0, 0];
  let [busyBefore, before] = [threadTime(), performance.now()];
  const timer = setInterval(() => {
    const [busyNow, now] = [threadTime(), performance.now()];
    busy = Math.max(busy, busyNow - busyBefore);
    elapsed = Math.max(elapsed, now - before);
    [busyBefore, before] = [busyNow, now];
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { busy, elapsed };
}
