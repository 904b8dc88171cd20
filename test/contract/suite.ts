// All checks of the contract.
import { accessChecks } from './cases/access.ts';
import { clientChecks } from './cases/clients.ts';
import { constraintChecks } from './cases/constraints.ts';
import { dataChecks } from './cases/data.ts';
import { edgeChecks } from './cases/edges.ts';
import { lifecycleChecks } from './cases/lifecycles.ts';
import { rowChecks } from './cases/rows.ts';
import { ruleChecks } from './cases/rules.ts';
import { wayChecks } from './cases/ways.ts';
import type { Check } from './check.ts';
import type { Target } from './target.ts';

export const checks: readonly Check[] = [
  ...rowChecks,
  ...constraintChecks,
  ...ruleChecks,
  ...edgeChecks,
  ...dataChecks,
  ...wayChecks,
  ...lifecycleChecks,
  ...accessChecks,
  ...clientChecks,
];

/** Reports whether a check can run against a target. */
export function isPossible({ personal }: Check, target: Target): boolean {
  return personal !== true || target.personalToken !== undefined;
}
