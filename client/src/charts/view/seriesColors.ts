/**
 * Assigns colors to series by key in order of appearance, so a series keeps its color when ranks, ranges and filters
 * change. A slot is a combination of palette color and dash; see `inkOf`.
 */
import type { ColorMemory } from './module.ts';
import { palettes } from './palette.ts';

export const maxRemembered = 300;

const colorCount = palettes.light.length;

/** Returns the visible series' slots, and adds new series to the memory. */
export function slotsOf(keys: readonly string[], memory: ColorMemory): ReadonlyMap<string, number> {
  const remembered = new Map(memory.read());
  const slots = assigned(keys, remembered);
  const isNew = ([key]: readonly [string, number]) => !remembered.has(key);
  const added = [...slots].filter(isNew);
  if (added.length > 0) memory.write(bounded([...remembered, ...added], slots));
  return new Map(keys.map((key) => [key, slots.get(key) as number]));
}

/**
 * Assigns slots so that no color is used more often than necessary. If two series that were never visible together
 * remember the same slot, the later one gets another slot while both are visible.
 */
function assigned(
  keys: readonly string[],
  remembered: ReadonlyMap<string, number>,
): Map<string, number> {
  const usesMax = Math.ceil(keys.length / colorCount);
  const uses = new Uint16Array(colorCount);
  const slots = new Map<string, number>();
  const taken = new Set<number>();
  const take = (key: string, slot: number) => {
    slots.set(key, slot);
    taken.add(slot);
    uses[slot % colorCount] = (uses[slot % colorCount] as number) + 1;
  };
  const shown = new Set(keys);
  const yielding: string[] = [];
  const hidden = new Set<number>();
  for (const [key, slot] of remembered) {
    const color = slot % colorCount;
    if (!shown.has(key)) hidden.add(color);
    else if (taken.has(slot) || (uses[color] as number) >= usesMax) yielding.push(key);
    else take(key, slot);
  }
  // If no remembered series is visible, start with the first color again.
  if (slots.size === 0) hidden.clear();
  // Assign new series first. Only their slots are remembered, so yielding series get the same slots next time.
  for (const key of [...keys.filter((one) => !remembered.has(one)), ...yielding]) {
    let best = 0;
    for (let color = 1; color < colorCount; color++) if (cost(color) < cost(best)) best = color;
    let slot = best;
    while (taken.has(slot)) slot += colorCount;
    take(key, slot);
  }
  return slots;

  /** Returns a color's cost: unused colors cost least, then colors of hidden series, then colors of visible series. */
  function cost(color: number): number {
    return (uses[color] as number) * 2 + (hidden.has(color) ? 1 : 0);
  }
}

type Slots = ReturnType<ColorMemory['read']>;

/** Limits the number of remembered slots by removing the oldest hidden series. */
function bounded(slots: Slots, shown: ReadonlyMap<string, number>): Slots {
  let excess = slots.length - maxRemembered;
  return slots.filter(([key]) => {
    if (excess <= 0 || shown.has(key)) return true;
    excess -= 1;
    return false;
  });
}
