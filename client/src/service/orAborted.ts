/** The value, or undefined as soon as the signal is aborted: starting a deployment takes a while. */
export function orAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    value.then(resolve, reject);
  });
}
