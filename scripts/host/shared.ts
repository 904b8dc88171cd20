// What the tests with windows share in a run.

export interface Shared {
  /** Added to the environment of each file with windows. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

export async function startShared(): Promise<Shared> {
  return { env: {}, stop: async () => {} };
}
