// Remembers the deployment that was shown for each call before it was confirmed.

/** The number of calls to remember. Declined calls stay until there are more. */
const CALLS_MAX = 100;

export class DescribedCalls {
  readonly #deployments = new Map<string, string>();

  describe(name: string, input: unknown, deployment: string): void {
    const key = keyOf(name, input);
    this.#deployments.delete(key);
    this.#deployments.set(key, deployment);
    const [oldest] = this.#deployments.keys();
    if (this.#deployments.size > CALLS_MAX && oldest !== undefined)
      this.#deployments.delete(oldest);
  }

  /** Forgets a call that runs now. Returns an error if it was shown for another deployment. */
  take(name: string, input: unknown, deployment: string): string | undefined {
    const key = keyOf(name, input);
    const shown = this.#deployments.get(key);
    this.#deployments.delete(key);
    if (shown === undefined || shown === deployment) return undefined;
    return `The window changed from the deployment ${shown} to ${deployment} before the call ran. Nothing was run. Call the tool again.`;
  }
}

function keyOf(name: string, input: unknown): string {
  return JSON.stringify([name, input]);
}
