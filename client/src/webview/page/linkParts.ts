/** The page's end of several channels over one webview. */
import { splitPort, stateOfPart } from '../../rpc/parts.ts';
import type { HostLink, PageState } from './channel.ts';

/** Returns a link for each part, by name. Each part has its own page state. */
export function linkParts<const Names extends readonly string[]>(
  link: HostLink,
  names: Names,
): Readonly<Record<Names[number], HostLink>> {
  const { state } = link;
  const parts = Object.entries<HostLink>(splitPort(link, names)).map(([part, port]) => [
    part,
    { ...port, ...(state && { state: partState(state, part) }) },
  ]);
  return Object.fromEntries(parts);
}

function partState(state: PageState, part: string): PageState {
  return {
    read: () => stateOfPart(state.read(), part),
    write: (value) => state.write({ ...(state.read() ?? {}), [part]: value }),
  };
}
