/** Splits a pipe into channels. Each message names its channel, so that a page can also use another page's contract. */

interface Port<Subscription> {
  post(message: never): void;
  onMessage(listener: (message: unknown) => void): Subscription;
}

/** Returns a port for each part, by name. Messages to other parts are ignored. */
export function splitPort<Subscription, const Names extends readonly string[]>(
  port: Port<Subscription>,
  names: Names,
): Readonly<Record<Names[number], Port<Subscription>>> {
  const parts = names.map((part): [string, Port<Subscription>] => [
    part,
    {
      // The other end unwraps the message by splitting its port in the same way.
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

/** Returns the part of a page's restored state that belongs to a channel. */
export function stateOfPart(state: unknown, part: string): unknown {
  return ((state ?? {}) as Readonly<Record<string, unknown>>)[part];
}
