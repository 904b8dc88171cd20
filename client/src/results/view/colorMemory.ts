/** Remembers each tab's series colors in VS Code's state for the page, which outlives the page. */

import type { TabId } from '../../answers/tabs.ts';
import type { ColorMemory } from '../../charts/view/module.ts';
import { channel } from './channel.ts';

type Slots = ReturnType<ColorMemory['read']>;

/** The maximum number of tabs whose colors are kept. The least recently drawn are forgotten. */
const maxTabs = 20;

/** Color slots by tab, the most recently written last. */
let tabs: Map<TabId, Slots> | undefined;

export function colorMemory(tab: TabId): ColorMemory {
  tabs ??= new Map(readTabs(channel.state?.read()));
  const known = tabs;
  return {
    read: () => known.get(tab) ?? [],
    write: (slots) => {
      known.delete(tab);
      known.set(tab, slots);
      for (const oldest of [...known.keys()].slice(0, -maxTabs)) known.delete(oldest);
      channel.state?.write({ colors: [...known] });
    },
  };
}

/** Returns the valid entries of a state, which another version may have written. */
function readTabs(state: unknown): [TabId, Slots][] {
  const { colors } = (state ?? {}) as { colors?: unknown };
  if (!Array.isArray(colors)) return [];
  return colors.filter((entry): entry is [TabId, Slots] => {
    const [tab, slots] = Array.isArray(entry) ? entry : [];
    return typeof tab === 'string' && Array.isArray(slots) && slots.every(isSlot);
  });
}

function isSlot(entry: unknown): boolean {
  const [key, slot] = Array.isArray(entry) ? entry : [];
  return typeof key === 'string' && Number.isSafeInteger(slot) && slot >= 0;
}
