// Joins concurrent calls to a command that must not run twice at once.

/** Returns a function whose calls join a running call and get its result. Their arguments are ignored. */
export function joinedWhileRunning<Arguments extends unknown[], Result>(
  work: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  let running: Promise<Result> | undefined;
  return (...args) => {
    running ??= work(...args).finally(() => {
      running = undefined;
    });
    return running;
  };
}
