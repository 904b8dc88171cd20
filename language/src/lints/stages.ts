/** Lints for the order of stages: late filters, early limits and ineffective sorts. */
import type {
  BoundExpression,
  BoundOperator,
  BoundPipeline,
  BoundStage,
  NamedExpression,
} from '../binding/bound.ts';
import { addSubexpressions, type BoundNode, expressionsIn } from '../binding/visit.ts';
import { type Fix, insert, removeWithGap } from '../edits.ts';
import { factsOf } from '../operators/facts.ts';
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

/**
 * Reports a filter that could run before the preceding stage. The performance documentation recommends early filters.
 */
function lintFilter(linter: Linter, stages: readonly BoundStage[], at: number): void {
  const stage = stages[at] as BoundStage;
  const { operator } = stage;
  if (operator.kind !== 'where') return;
  const before = stages[at - 1] as BoundStage;
  const keys = keysOf(before.operator);
  if (keys === undefined) return;
  const used = columnsOf(operator.predicate);
  if (used === undefined || used.size === 0) return;
  if (keys !== 'all' && ![...used].every((name) => keys.has(name))) return;
  const values = { operator: shown(linter, before.operator.keyword) };
  report(linter, 'late-filter', stage, values, movedBefore(linter, stage, before));
}

/** Returns the columns by which a filter can run before the operator. */
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

function keptNames(items: readonly NamedExpression[]): ReadonlySet<string> {
  return new Set(
    items.flatMap(({ name, expression }) =>
      expression.kind === 'column' && expression.name === name ? [name] : [],
    ),
  );
}

function movedBefore(linter: Linter, stage: Span, first: Span): Fix {
  const { text } = linter;
  const gap = text.slice(text.slice(0, first.start).trimEnd().length, first.start);
  const moved = insert(first.start, written(linter, stage).trimEnd() + (gap || ' '));
  return { title: 'Move filter up', edits: [moved, removeWithGap(text, stage)] };
}

/**
 * Returns the columns that a condition reads. Returns undefined if its result may vary, as in `rand() > 0.5`, or if the
 * columns aren't listed, as in `* == 1`.
 */
function columnsOf(condition: BoundExpression): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const pending: BoundNode[] = [condition];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!isDeterministic(node)) return undefined;
    if (node.kind === 'column') names.add(node.name);
    else addSubexpressions(node, pending);
  }
  return names;
}

const deterministic: ReadonlySet<string> = new Set(
  'literal dynamic let parameter column unary binary in between member call'.split(' '),
);

function isDeterministic(node: BoundNode): node is BoundExpression {
  return deterministic.has(node.kind) && !(node.kind === 'call' && node.name === 'rand');
}

// ── Limits ────────────────────────────────────────────────────────────────────────────────────────

/**
 * Reports a limit before a filter or sort, as in `take 10 | where …`, which filters ten arbitrary rows. Doesn't report
 * aggregates of limited rows, because the documentation uses them in short examples.
 */
function lintEarlyLimit(linter: Linter, stages: readonly BoundStage[], at: number): void {
  const before = (stages[at - 1] as BoundStage).operator;
  if (before.kind !== 'limit') return;
  for (let i = at - 2; i >= 0; i--) {
    const { rows, order } = factsOf((stages[i] as BoundStage).operator);
    // Don't report a limit after a sort or group, which is intentional, or after an unknown operator, which may sort or
    // group. For a limit after another limit, the earlier limit may already be reported.
    if (order === 'set' || rows === 'grouped' || rows === 'limited' || rows === 'unknown') return;
  }
  const { operator } = stages[at] as BoundStage;
  const values = {
    limit: shown(linter, before.keyword),
    count: shown(linter, before.count),
    done: operator.kind === 'where' ? 'filtered' : 'sorted',
  };
  report(linter, 'early-limit', operator.keyword, values);
}

/** Reports a limit after a summarize by a time bin and other columns, because the limit counts groups, not rows. */
function lintLimit(linter: Linter, limit: BoundOperator, before: BoundOperator): void {
  if (before.kind !== 'summarize' || before.timeGroup !== 0 || before.groups.length < 2) return;
  report(linter, 'limit-after-time-bin', limit, { limit: shown(linter, limit.keyword) });
}

// ── Sorts ─────────────────────────────────────────────────────────────────────────────────────────

const ordered: ReadonlySet<string> = new Set(
  'make_list make_list_if make_set make_set_if'.split(' '),
);

function ignoresOrder({ operator }: BoundStage): boolean {
  const { rows, order } = factsOf(operator);
  return order === 'kept' && (rows === 'all' || rows === 'filtered');
}

function lintSort(linter: Linter, stages: readonly BoundStage[], at: number): void {
  const { operator } = stages[at] as BoundStage;
  if (operator.kind === 'summarize' && operator.aggregates.some(dependsOnOrder)) return;
  let i = at - 1;
  while (i > 0 && ignoresOrder(stages[i] as BoundStage)) i--;
  const sort = stages[i] as BoundStage;
  if (sort.operator.kind !== 'sort') return;
  const values = { operator: shown(linter, operator.keyword) };
  const fix = { title: 'Remove sort', edits: [removeWithGap(linter.text, sort)] };
  report(linter, 'needless-sort', sort, values, fix);
}

function dependsOnOrder({ expression }: { readonly expression: BoundExpression }): boolean {
  return [...expressionsIn(expression)].some(
    (node) => node.kind === 'call' && ordered.has(node.name),
  );
}
