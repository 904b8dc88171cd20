// Finds the members that differ between a folder and a deployment, with their exported values.
import { itemsById } from '../merge.ts';
import { equal, isMembers, type Members } from '../value.ts';
import type { Plan, Step } from './plan.ts';

/** A difference. A side without the member omits it. */
export interface Difference {
  /** Member names and item identifiers, outermost first. */
  readonly path: readonly string[];
  readonly base?: unknown;
  readonly folder?: unknown;
  readonly deployment?: unknown;
}

/** The differing members of a change. If the base is unknown, no difference has one. */
export interface ThreeWayDiff {
  readonly hasBase: boolean;
  readonly differences: readonly Difference[];
}

/** Returns a change's differences, in the order of the folder's members. */
export function threeWayDiff(step: Step, { isUnguarded }: Pick<Plan, 'isUnguarded'>): ThreeWayDiff {
  const { before = {}, after = {} } = step;
  const base = baseOf(step, isUnguarded);
  return { hasBase: base !== undefined, differences: [...differing(base, after, before, [])] };
}

/** Returns the exported document. If only one side changed it, that is the other side's document. */
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
  const [own, other] = [childrenOf(folder), childrenOf(deployment)];
  if (own === undefined || other === undefined) {
    yield {
      path,
      ...(base !== undefined && { base }),
      ...(folder !== undefined && { folder }),
      ...(deployment !== undefined && { deployment }),
    };
    return;
  }
  const before = childrenOf(base);
  for (const name of new Set([...own.keys(), ...other.keys()])) {
    yield* differing(before?.get(name), own.get(name), other.get(name), [...path, name]);
  }
}

/** Returns members by name and items by identifier; undefined for a value that is compared as one. */
function childrenOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isMembers(value) ? new Map(Object.entries(value)) : itemsById(value);
}
