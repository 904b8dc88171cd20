// Joins calls of work that must not run twice at once, such as a command that is chosen again before the
// first choice shows anything.

/** The work, except that a call while it runs gets the result of that run; its own arguments are ignored. */
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
