/**
 * Assigns colors to series by their keys, first come, first served: a series keeps its color when ranks,
 * ranges and filters change. A slot is a color of the palette with a dash; see `inkOf`.
 */
import type { ColorMemory } from './module.ts';
import { palettes } from './palette.ts';

export const maxRemembered = 300;

const colorCount = palettes.light.length;

/** The slots of the series that are shown, which the memory keeps from then on. */
export function slotsOf(keys: readonly string[], memory: ColorMemory): ReadonlyMap<string, number> {
  const remembered = new Map(memory.read());
  const slots = assigned(keys, remembered);
  const isNew = ([key]: readonly [string, number]) => !remembered.has(key);
  const added = [...slots].filter(isNew);
  if (added.length > 0) memory.write(bounded([...remembered, ...added], slots));
  return new Map(keys.map((key) => [key, slots.get(key) as number]));
}

/**
 * No color is used more often than the number of series requires. Of series that were never shown together,
 * the one that came later yields while both are shown.
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
  // A chart of other series than the former ones starts with the first color again.
  if (slots.size === 0) hidden.clear();
  // New ones first: they are remembered, so the others find the same colors left next time.
  for (const key of [...keys.filter((one) => !remembered.has(one)), ...yielding]) {
    let best = 0;
    for (let color = 1; color < colorCount; color++) if (cost(color) < cost(best)) best = color;
    let slot = best;
    while (taken.has(slot)) slot += colorCount;
    take(key, slot);
  }
  return slots;

  /** Colors of series that may come back are used last, but before any color is used twice. */
  function cost(color: number): number {
    return (uses[color] as number) * 2 + (hidden.has(color) ? 1 : 0);
  }
}

type Slots = ReturnType<ColorMemory['read']>;

/** Without the oldest that are not shown. */
function bounded(slots: Slots, shown: ReadonlyMap<string, number>): Slots {
  let excess = slots.length - maxRemembered;
  return slots.filter(([key]) => {
    if (excess <= 0 || shown.has(key)) return true;
    excess -= 1;
    return false;
  });
}
