/** The order of stages: filters that come late, limits that come early, sorts that are lost. */
import { append } from '../append.ts';
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundStage,
} from '../binding/bound.ts';
import type { Fix } from '../edits.ts';
import type { Span } from '../text.ts';
import { type Linter, report, shown, written } from './linter.ts';

export function lintStages(linter: Linter, pipeline: BoundPipeline): void {
  const { stages } = pipeline;
  for (let i = 1; i < stages.length; i++) {
    const stage = stages[i] as BoundStage;
    const before = stages[i - 1] as BoundStage;
    switch (stage.operator.kind) {
      case 'where':
        lintFilter(linter, stages, i);
        lintEarlyLimit(linter, stages, i);
        break;
      case 'limit':
        lintLimit(linter, stage.operator, before.operator);
        break;
      case 'sort':
      case 'top':
        lintEarlyLimit(linter, stages, i);
        lintSort(linter, stages, i);
        break;
      case 'summarize':
      case 'count':
      case 'distinct':
        lintSort(linter, stages, i);
        break;
    }
  }
}

// ── Filters ───────────────────────────────────────────────────────────────────────────────────────

/** The page on performance: conditions are run where they stand, so those that drop much come first. */
function lintFilter(linter: Linter, stages: readonly BoundStage[], at: number): void {
  const stage = stages[at] as BoundStage;
  const { operator } = stage;
  if (operator.kind !== 'where') return;
  const before = (stages[at - 1] as BoundStage).operator;
  const keys = keysOf(before);
  if (keys === undefined) return;
  const used = columnsOf(operator.predicate);
  if (used === undefined || used.size === 0) return;
  if (keys !== 'all' && ![...used].every((name) => keys.has(name))) return;
  const first = stages[at - 1] as BoundStage;
  const values = { operator: shown(linter, before.keyword) };
  report(linter, 'late-filter', stage, values, movedBefore(linter, stage, first));
}

/** The columns that go through an operator as they are, so that a filter on them may stand before it. */
function keysOf(operator: BoundOperator): ReadonlySet<string> | 'all' | undefined {
  switch (operator.kind) {
    case 'sort':
      return 'all';
    case 'distinct':
      return operator.items.some(({ expression }) => expression.kind === 'star')
        ? 'all'
        : keptNames(operator.items);
    case 'summarize':
      return operator.groups.length === 0 ? undefined : keptNames(operator.groups);
    default:
      return undefined;
  }
}

type Items = Extract<BoundOperator, { readonly kind: 'distinct' }>['items'];

function keptNames(items: Items): ReadonlySet<string> {
  return new Set(
    items.flatMap(({ name, expression }) =>
      expression.kind === 'column' && expression.name === name ? [name] : [],
    ),
  );
}

function movedBefore(linter: Linter, stage: Span, first: Span): Fix {
  const { text } = linter;
  const gap = text.slice(text.slice(0, first.start).trimEnd().length, first.start);
  return {
    title: 'Move filter up',
    edits: [
      {
        start: first.start,
        end: first.start,
        text: written(linter, stage).trimEnd() + (gap || ' '),
      },
      { start: text.slice(0, stage.start).trimEnd().length, end: stage.end, text: '' },
    ],
  };
}

/** The columns that a condition reads; undefined when it reads more than columns and constants. */
function columnsOf(condition: BoundExpression): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const waiting = [condition];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    switch (one.kind) {
      case 'column':
        names.add(one.name);
        break;
      case 'literal':
      case 'dynamic':
      case 'let':
      case 'parameter':
        break;
      case 'unary':
        waiting.push(one.operand);
        break;
      case 'binary':
        waiting.push(one.left, one.right);
        break;
      case 'in':
        waiting.push(one.left);
        append(waiting, one.items);
        break;
      case 'between':
        waiting.push(one.left, one.low, one.high);
        break;
      case 'member':
        waiting.push(one.target, one.key);
        break;
      case 'call':
        if (one.name === 'rand') return undefined;
        append(waiting, one.arguments);
        break;
      default:
        return undefined;
    }
  }
  return names;
}

// ── Limits ────────────────────────────────────────────────────────────────────────────────────────

/**
 * `take 10 | where …` filters ten rows of the service's choice, unless an order came first. A sum
 * over such rows is taken on purpose: the documentation does it to keep examples short.
 */
function lintEarlyLimit(linter: Linter, stages: readonly BoundStage[], at: number): void {
  const before = (stages[at - 1] as BoundStage).operator;
  if (before.kind !== 'limit') return;
  for (let i = at - 2; i >= 0; i--) {
    const { kind } = (stages[i] as BoundStage).operator;
    // What is ordered or already summed up is cut on purpose.
    if (kind === 'sort' || kind === 'top' || kind === 'summarize' || kind === 'distinct') return;
    if (kind === 'make-series' || kind === 'count' || kind === 'unknown') return;
    // Of two limits the first has been looked at.
    if (kind === 'limit') return;
  }
  const { operator } = stages[at] as BoundStage;
  const values = {
    limit: shown(linter, before.keyword),
    count: shown(linter, before.count),
    done: operator.kind === 'where' ? 'filtered' : 'sorted',
  };
  report(linter, 'early-limit', operator.keyword, values);
}

/** The page on summarize: with the time first among the groups a limit chooses groups, not rows. */
function lintLimit(linter: Linter, limit: BoundOperator, before: BoundOperator): void {
  if (before.kind !== 'summarize' || before.timeGroup !== 0 || before.groups.length < 2) return;
  report(linter, 'limit-after-time-bin', limit, { limit: shown(linter, limit.keyword) });
}

// ── Sorts ─────────────────────────────────────────────────────────────────────────────────────────

/** Aggregates whose result depends on the order of rows. */
const ordered: ReadonlySet<string> = new Set([
  'make_list',
  'make_list_if',
  'make_set',
  'make_set_if',
]);

/** Stages that keep rows in their order and need none. */
const passing: ReadonlySet<BoundOperator['kind']> = new Set([
  'where',
  'extend',
  'parse',
  'parse-kv',
  'project',
  'redact',
  'select',
]);

function lintSort(linter: Linter, stages: readonly BoundStage[], at: number): void {
  const { operator } = stages[at] as BoundStage;
  if (operator.kind === 'summarize' && operator.aggregates.some(minds)) return;
  let i = at - 1;
  while (i > 0 && passing.has((stages[i] as BoundStage).operator.kind)) i--;
  const sort = stages[i] as BoundStage;
  if (sort.operator.kind !== 'sort') return;
  const start = linter.text.slice(0, sort.start).trimEnd().length;
  report(
    linter,
    'needless-sort',
    sort,
    { operator: shown(linter, operator.keyword) },
    {
      title: 'Remove sort',
      edits: [{ start, end: sort.end, text: '' }],
    },
  );
}

/** Whether an aggregate depends on the order of rows, at any depth. */
function minds({ expression }: { readonly expression: BoundExpression }): boolean {
  const waiting = [expression];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one.kind === 'call') {
      if (ordered.has(one.name)) return true;
      append(waiting, one.arguments);
    } else if (one.kind === 'binary') waiting.push(one.left, one.right);
    else if (one.kind === 'member') waiting.push(one.target);
    else if (one.kind === 'slice') waiting.push(one.target);
  }
  return false;
}
