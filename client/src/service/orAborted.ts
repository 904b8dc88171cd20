/** Returns the value; undefined once the signal is aborted, because starting a deployment may take a long time. */
export function orAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    value.then(resolve, reject);
  });
}
