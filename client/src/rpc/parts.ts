/**
 * Splits one pipe into several channels. Each message names its part, so that a page can use another page's contract in
 * addition to its own.
 */

/** How messages reach the other end and come from it. */
interface Port<Subscription> {
  post(message: never): void;
  onMessage(listener: (message: unknown) => void): Subscription;
}

/** Returns a port for each part, by its name. Messages of other parts are ignored. */
export function splitPort<Subscription, const Names extends readonly string[]>(
  port: Port<Subscription>,
  names: Names,
): Readonly<Record<Names[number], Port<Subscription>>> {
  const parts = names.map((part): [string, Port<Subscription>] => [
    part,
    {
      // The other end opens the envelope by the same split.
      post: (message) => port.post({ part, message } as never),
      onMessage: (listener) =>
        port.onMessage((envelope) => {
          const { part: name, message } = (envelope ?? {}) as { part?: unknown; message?: unknown };
          if (name === part) listener(message);
        }),
    },
  ]);
  return Object.fromEntries(parts) as Record<Names[number], Port<Subscription>>;
}

/** Returns what a part has kept in the state of its page, as VS Code hands it back. */
export function stateOfPart(state: unknown, part: string): unknown {
  return ((state ?? {}) as Readonly<Record<string, unknown>>)[part];
}
