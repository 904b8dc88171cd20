/** Lints for queries that read too much data: no limit, a search of every field, or a filter by an unindexed time. */
import type { BoundExpression, BoundPipeline, BoundQuery } from '../binding/bound.ts';
import { insert } from '../edits.ts';
import type { Span } from '../text.ts';
import { isTime, type Linter, report } from './linter.ts';

/** Reports a dataset with no stages except sorts. Stricter rules would report many examples in the documentation. */
export function lintUnbounded(linter: Linter, { pipelines }: BoundQuery): void {
  for (const { source, stages } of pipelines) {
    if (source.kind !== 'dataset') continue;
    if (!stages.every(({ operator }) => operator.kind === 'sort')) continue;
    const end = linter.text.slice(0, stages.at(-1)?.end ?? source.end).trimEnd().length;
    const stage = linter.text.includes('\n') ? '\n| take 100' : ' | take 100';
    const fix = { title: "Add 'take 100'", edits: [insert(end, stage)] };
    report(linter, 'unbounded-query', source, {}, fix);
  }
}

/** Reports `search "x"`, which searches all fields. `lintStar` reports `where * has "x"`. */
export function lintSearch(linter: Linter, { source, stages }: BoundPipeline): void {
  for (const part of [source, ...stages.map(({ operator }) => operator)])
    if (part.kind === 'search') checkTerms(linter, part.predicate);
}

function checkTerms(linter: Linter, predicate: BoundExpression): void {
  const waiting = [predicate];
  let found: BoundExpression | undefined;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    // Report only searches that consist entirely of terms, because any other condition may reduce the data read.
    if (one.kind === 'term') {
      if (one.field !== undefined) return;
      if (one.match !== 'any') found = one;
    } else if (one.kind === 'binary' && (one.operator === 'and' || one.operator === 'or'))
      waiting.push(one.left, one.right);
    else if (one.kind === 'unary') waiting.push(one.operand);
    else if (one.kind !== 'literal') return;
  }
  if (found !== undefined) reportTerm(linter, found, 'where message has "error"');
}

export function lintStar(linter: Linter, node: BoundExpression): void {
  if (node.kind !== 'binary' || node.left.kind !== 'star') return;
  reportTerm(linter, node.left, `where message ${node.operator} "error"`);
}

function reportTerm(linter: Linter, span: Span, example: string): void {
  report(linter, 'unscoped-search', span, { example });
}

const timeNames =
  /^@?(timestamp|time|ts|date|datetime|eventtime|event_time|created_?at|occurred_?at|logged_?at)$/i;

/**
 * Reports a query that filters by the range of another time field but not of `_time`. According to the performance
 * documentation, only `_time` is indexed.
 */
export function lintTimeField(linter: Linter, pipeline: BoundPipeline): void {
  if (pipeline.source.kind !== 'dataset') return;
  let found: BoundExpression | undefined;
  for (const { operator } of pipeline.stages) {
    if (operator.kind !== 'where') break;
    const waiting: BoundExpression[] = [operator.predicate];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (one.kind === 'binary') {
        if (one.operator === 'and') waiting.push(one.left, one.right);
        else if (/^[<>]/.test(one.operator)) {
          if (isEventTime(one.left) || isEventTime(one.right)) return;
          if (isOwnTime(one.left) && isMoment(one.right)) found = one.left;
        }
      } else if (one.kind === 'between') {
        if (isEventTime(one.left)) return;
        if (isOwnTime(one.left) && isMoment(one.low)) found = one.left;
      }
    }
  }
  if (found !== undefined) report(linter, 'foreign-time-field', found, {});
}

function isEventTime(expression: BoundExpression): boolean {
  return expression.kind === 'column' && expression.name === '_time';
}

/** Returns whether an expression is a stored datetime field except `_sysTime`, by its name if the type is unknown. */
function isOwnTime(expression: BoundExpression): boolean {
  if (expression.kind !== 'column' || expression.name === '_sysTime') return false;
  if (isTime(expression)) return expression.column?.dataset !== undefined;
  return expression.type === 'unknown' && timeNames.test(expression.name);
}

function isMoment(expression: BoundExpression): boolean {
  if (expression.kind === 'call') return expression.name === 'ago' || expression.name === 'now';
  return expression.kind === 'literal' && expression.type === 'datetime';
}
