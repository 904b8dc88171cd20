/**
 * Several channels over one webview: each message says which part it belongs to, so that a page can use what another
 * page uses, with its contract, and have a contract of its own.
 */
import type { Pipe } from './hostChannel.ts';

/** The pipes of parts, by their names. Messages of other parts are ignored. */
export function splitPipe<const Names extends readonly string[]>(
  pipe: Pipe,
  names: Names,
): Readonly<Record<Names[number], Pipe>> {
  const parts = names.map((part): [string, Pipe] => [
    part,
    {
      // The envelope is opened by the page's end of the same split.
      post: (message) => pipe.post({ part, message } as never),
      onMessage: (listener) =>
        pipe.onMessage((envelope) => {
          const { part: name, message } = (envelope ?? {}) as { part?: unknown; message?: unknown };
          if (name === part) listener(message);
        }),
    },
  ]);
  return Object.fromEntries(parts) as Record<Names[number], Pipe>;
}

/** What a part has kept in the state of its page, as VS Code hands it back. */
export function stateOfPart(state: unknown, part: string): unknown {
  return ((state ?? {}) as Readonly<Record<string, unknown>>)[part];
}
