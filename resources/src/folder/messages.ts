// Formats plans and reports as text, for a terminal and for an editor that colors the lines of a diff.

import { stringifyJson } from '../../../api/src/plain.ts';
import { kinds } from '../kinds.ts';
import type { ApplyReport, StepResult } from './apply.ts';
import { lineDiff } from './diff.ts';
import { LOCK } from './lock.ts';
import { type Action, type Plan, type Step, sideTexts } from './plan.ts';
import type { PullPlan } from './pull.ts';
import { threeWayDiff } from './threeWayDiff.ts';

const SIGNS: Readonly<Record<Action, string>> = { create: '+', change: '~', delete: '-' };
const VERBS: Readonly<Record<Action, string>> = {
  create: 'create',
  change: 'change',
  delete: 'delete',
};
const PAST_VERBS: Readonly<Record<Action, string>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
};

/** Summarizes a plan: `2 to create, 1 to change, 12 unchanged, 1 in conflict, 1 refused`. */
export function planSummary({ steps, conflicts, unchanged, refused }: Plan): string {
  const count = (action: Action) => steps.filter((step) => step.action === action).length;
  const parts = [
    ...(['create', 'change', 'delete'] as const).map(
      (action) => [count(action), `to ${VERBS[action]}`] as const,
    ),
    [unchanged.length, 'unchanged'] as const,
    [conflicts.length, 'in conflict'] as const,
    [refused.length, 'refused'] as const,
  ];
  const shown = parts.filter(([number]) => number > 0);
  return shown.length === 0 ? 'nothing' : shown.map(([n, what]) => `${n} ${what}`).join(', ');
}

/** Formats one step: `~ monitors/errors.json: change monitor "Errors"`. */
export function stepLine(step: Step): string {
  const { action, path, label, needsDataset } = step;
  const dataset =
    needsDataset === undefined ? '' : `, after the dataset ${needsDataset} is created`;
  const conflict = step.conflict === undefined ? '' : `. ${explainConflict(step)}`;
  return `${SIGNS[action]} ${path}: ${VERBS[action]} ${label}${dataset}${conflict}`;
}

/** Formats a step's line in the text of its plan. */
export function planLine(step: Step): string {
  const { action, path, label, conflict } = step;
  if (conflict === undefined) return stepLine(step);
  const kept = action === 'delete' ? ' and is not deleted' : '';
  return `! ${path}: ${label} is in conflict${kept}. ${explainConflict(step)}`;
}

/** Explains why a step is a conflict, as a sentence. */
export function explainConflict({ action, conflict }: Step): string {
  if (action === 'delete') return 'It was created or changed on the deployment since the export.';
  const where = conflict === 'both' ? 'on the deployment and in the folder' : 'on the deployment';
  return `It was changed ${where} since the export.`;
}

const UNGUARDED = `The folder has no ${LOCK}, so changes that others made on the deployment are not detected. An export or an apply writes it.`;

/** Formats an entire plan. `target` is the deployment, for use in a sentence. */
export function planText(plan: Plan, target: string): string {
  const lines = [`Plan for ${target}: ${planSummary(plan)}.`, ''];
  for (const step of plan.steps) {
    lines.push(planLine(step), ...differencesOf(step, plan));
  }
  for (const step of plan.conflicts) {
    lines.push(planLine(step), ...differencesOf(step, plan));
  }
  for (const { path, label, reason } of plan.refused) {
    lines.push(`! ${path}: ${label} is refused. ${reason}`);
  }
  lines.push(...list('On the deployment without a file, and kept:', plan.kept));
  lines.push(...list('No JSON file refers to:', plan.unused));
  if (plan.isUnguarded && plan.steps.some(({ action }) => action !== 'create')) {
    lines.push('', UNGUARDED);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Returns a change's diff and, for a conflict, the three sides of each member. */
function differencesOf(step: Step, plan: Plan): string[] {
  if (step.action !== 'change') return [];
  const { before, after } = sideTexts(step);
  const three = step.conflict === undefined ? [] : threeWayText(step, plan);
  return [lineDiff(before, after), ...three, ''];
}

const VALUE_MAX = 200;

function threeWayText(step: Step, plan: Plan): string[] {
  const { hasBase, differences } = threeWayDiff(step, plan);
  const value = (side: unknown) => {
    const text = side === undefined ? 'none' : stringifyJson(side);
    return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
  };
  return differences.flatMap(({ path, base, folder, deployment }) => [
    `  ${path.join('.')}`,
    `    exported:   ${hasBase ? value(base) : 'unknown'}`,
    `    folder:     ${value(folder)}`,
    `    deployment: ${value(deployment)}`,
  ]);
}

const LISTED_MAX = 50;

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const more = items.length - LISTED_MAX;
  return [
    '',
    title,
    ...items.slice(0, LISTED_MAX).map((item) => `  ${item}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const OUTCOMES: readonly StepResult['outcome'][] = ['done', 'failed', 'notDone'];
const TITLES: Readonly<Record<StepResult['outcome'], string>> = {
  done: 'done',
  failed: 'failed',
  notDone: 'not done',
};

/** Summarizes a report: `3 done, 1 failed, 2 not done`. */
export function reportSummary({ results }: ApplyReport): string {
  const parts = OUTCOMES.map((outcome) => {
    const count = results.filter((result) => result.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${TITLES[outcome]}`];
  });
  return parts.flat().join(', ') || 'nothing to do';
}

export function reportText(report: ApplyReport): string {
  const lines = report.datasets.map((name) => `created dataset ${JSON.stringify(name)}`);
  for (const { step, outcome, reason } of report.results) {
    const what =
      outcome === 'done' ? PAST_VERBS[step.action] : `${TITLES[outcome]}: ${VERBS[step.action]}`;
    lines.push(`${what} ${step.label} (${step.path})${reason === undefined ? '' : `. ${reason}`}`);
  }
  lines.push(`${capitalized(reportSummary(report))}.`);
  if (report.stopReason !== undefined) {
    lines.push(`Ended early: ${report.stopReason} Apply again to continue.`);
  }
  return `${lines.join('\n')}\n`;
}

/** Describes the files an export wrote. */
export function pullText(
  plan: PullPlan,
  { folder, removed }: { readonly folder: string; readonly removed: boolean },
): string {
  const { created, changed, unchanged, stale, counts, omittedMembers } = plan;
  const resources = [...counts]
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${count === 1 ? kinds[kind].noun : kinds[kind].plural}`);
  const lines = [
    `Exported ${resources.join(', ') || 'nothing'} to ${folder}. Files: ${created.length} created, ${changed.length} changed, ${unchanged} unchanged.`,
  ];
  if (omittedMembers.length > 0) {
    lines.push(`Left out, because the service sets them: ${omittedMembers.join(', ')}.`);
  }
  if (removed) lines.push(...list('Removed, because their resources are gone:', stale));
  else lines.push(...list('Kept, although their resources are gone:', stale));
  return `${lines.join('\n')}\n`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
