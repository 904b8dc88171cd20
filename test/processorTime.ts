// Processor time, which other work on the machine lengthens little, unlike the time on a clock.

/** Milliseconds of the processor that this thread has used. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds of the processor that all threads of this process have used. */
export function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
