/** The page's end of several channels over one webview. */
import { splitPort, stateOfPart } from '../../rpc/parts.ts';
import type { HostLink, PageState } from './channel.ts';

/** The links of parts of a link, by their names. Each has its own part of the state of the page. */
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
