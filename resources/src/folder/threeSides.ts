// The members in which a folder and a deployment differ, with what the export had of each.
import { itemsById } from '../merge.ts';
import { equal, isMembers, type Members } from '../value.ts';
import type { Plan, Step } from './plan.ts';

/** A side that does not have the member leaves it out. */
export interface Difference {
  /** Names of members and identifiers of items, from the outside in. */
  readonly path: readonly string[];
  readonly base?: unknown;
  readonly folder?: unknown;
  readonly deployment?: unknown;
}

/** The differing members of a change. Without a known base, no difference has one. */
export interface ThreeSides {
  readonly hasBase: boolean;
  readonly differences: readonly Difference[];
}

/** Returns the three sides of a change, in the order of the folder's members. */
export function threeSides(step: Step, { isUnguarded }: Pick<Plan, 'isUnguarded'>): ThreeSides {
  const { before = {}, after = {} } = step;
  const base = baseOf(step, isUnguarded);
  return { hasBase: base !== undefined, differences: [...differing(base, after, before, [])] };
}

/** Returns the document as it was exported. Whatever only one side changed is the other side's. */
function baseOf(
  { conflict, before, after, base }: Step,
  isUnguarded: boolean,
): Members | undefined {
  if (conflict === 'both') return base;
  if (conflict === 'deployment') return after;
  return isUnguarded ? undefined : before;
}

function* differing(
  base: unknown,
  folder: unknown,
  deployment: unknown,
  path: readonly string[],
): Generator<Difference> {
  if (equal(folder, deployment)) return;
  const [own, other] = [partsOf(folder), partsOf(deployment)];
  if (own === undefined || other === undefined) {
    yield {
      path,
      ...(base !== undefined && { base }),
      ...(folder !== undefined && { folder }),
      ...(deployment !== undefined && { deployment }),
    };
    return;
  }
  const before = partsOf(base);
  for (const name of new Set([...own.keys(), ...other.keys()])) {
    yield* differing(before?.get(name), own.get(name), other.get(name), [...path, name]);
  }
}

/** Returns members by name, and items by identifier; undefined for a value that is compared as a whole. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isMembers(value) ? new Map(Object.entries(value)) : itemsById(value);
}
