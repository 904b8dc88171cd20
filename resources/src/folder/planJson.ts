// Formats a plan and its report as JSON, as described in docs/cli.md. Removing a member or changing its meaning
// requires a new `version`.
import { stringifyJson } from '../../../api/src/plain.ts';
import { kinds } from '../kinds.ts';
import type { ApplyReport } from './apply.ts';
import type { FileProblem } from './files.ts';
import type { Plan, Step } from './plan.ts';
import { threeWayDiff } from './threeWayDiff.ts';

/** Returns the JSON of a plan for a deployment, and of its report if it was applied. */
export function planJson(plan: Plan, target: string, report?: ApplyReport): string {
  const step = (one: Step) => stepJson(one, plan);
  const { steps, conflicts, unchanged, refused, kept, unused, isUnguarded } = plan;
  const count = (action: Step['action']) => steps.filter((one) => one.action === action).length;
  return toJson({
    target,
    problems: [],
    detectsConflicts: !isUnguarded,
    steps: steps.map(step),
    conflicts: conflicts.map(step),
    unchanged,
    refused: refused.map(({ path, label, reason }) => ({ path, resource: label, reason })),
    kept,
    unused,
    ...(report && reportJson(report)),
    summary: {
      create: count('create'),
      change: count('change'),
      delete: count('delete'),
      unchanged: unchanged.length,
      conflicts: conflicts.length,
      refused: refused.length,
    },
  });
}

/** Returns the JSON for files with problems, for which nothing is planned. */
export function problemsJson(problems: readonly FileProblem[]): string {
  return toJson({ problems });
}

function toJson(value: object): string {
  return `${stringifyJson({ version: 1, ...value }, 2)}\n`;
}

function stepJson(step: Step, plan: Plan): object {
  const { action, kind, path, label, id, needsDataset, conflict, before, after } = step;
  return {
    action,
    kind: kinds[kind].folder,
    path,
    resource: label,
    ...(id !== undefined && { id }),
    ...(needsDataset !== undefined && { needsDataset }),
    ...(conflict !== undefined && { conflict }),
    ...(action === 'change' && threeWayDiff(step, plan)),
    ...(action !== 'create' && { deployment: before }),
    ...(action !== 'delete' && { folder: after }),
  };
}

function reportJson({ results, datasets, stopReason }: ApplyReport): object {
  return {
    results: results.map(({ step, outcome, reason }) => ({
      path: step.path,
      outcome,
      ...(reason !== undefined && { reason }),
    })),
    createdDatasets: datasets,
    ...(stopReason !== undefined && { ended: stopReason }),
  };
}
