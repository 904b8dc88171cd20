/** The page's end of several channels over one webview. */
import type { HostLink, PageState } from './channel.ts';

/** The links of parts of a link, by their names. Each has its own part of the state of the page. */
export function linkParts<const Names extends readonly string[]>(
  link: HostLink,
  names: Names,
): Readonly<Record<Names[number], HostLink>> {
  const parts = names.map((part): [string, HostLink] => [
    part,
    {
      // The envelope is opened by the host's end of the same split.
      post: (message) => link.post({ part, message } as never),
      onMessage: (listener) =>
        link.onMessage((envelope) => {
          const { part: name, message } = (envelope ?? {}) as { part?: unknown; message?: unknown };
          if (name === part) listener(message);
        }),
      ...(link.state && { state: partState(link.state, part) }),
    },
  ]);
  return Object.fromEntries(parts) as Record<Names[number], HostLink>;
}

function partState(state: PageState, part: string): PageState {
  const parts = () => (state.read() ?? {}) as Readonly<Record<string, unknown>>;
  return {
    read: () => parts()[part],
    write: (value) => state.write({ ...parts(), [part]: value }),
  };
}
