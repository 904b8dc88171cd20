/** How much a query reads: without a bound, in every field, by a time that is not the index. */
import type { BoundExpression, BoundPipeline, BoundQuery } from '../binding/bound.ts';
import type { Span } from '../text.ts';
import { isTime, type Linter, report } from './linter.ts';

/**
 * A dataset's events, all of them with all their fields, in an order at most. Behind any other stage
 * something was chosen or made, and then the note on the result that a limit cut it off is enough.
 */
export function lintUnbounded(linter: Linter, { pipelines }: BoundQuery): void {
  for (const { source, stages } of pipelines) {
    if (source.kind !== 'dataset') continue;
    if (!stages.every(({ operator }) => operator.kind === 'sort')) continue;
    const end = linter.text.slice(0, stages.at(-1)?.end ?? source.end).trimEnd().length;
    report(
      linter,
      'unbounded-query',
      source,
      {},
      {
        title: "Add 'take 100'",
        edits: [
          { start: end, end, text: linter.text.includes('\n') ? '\n| take 100' : ' | take 100' },
        ],
      },
    );
  }
}

/** `search "x"` and `where * has "x"`. */
export function lintSearch(linter: Linter, pipeline: BoundPipeline): void {
  const { source } = pipeline;
  if (source.kind === 'search') checkTerms(linter, source.predicate);
  for (const { operator } of pipeline.stages) {
    if (operator.kind === 'search') checkTerms(linter, operator.predicate);
  }
}

function checkTerms(linter: Linter, predicate: BoundExpression): void {
  const waiting = [predicate];
  let found: BoundExpression | undefined;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    // A condition on one field beside the term narrows what is looked through.
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

/** Names that a time of the event has in other systems. */
const timeNames =
  /^@?(timestamp|time|ts|date|datetime|eventtime|event_time|created_?at|occurred_?at|logged_?at)$/i;

/**
 * A query that is bounded by a field of its own and never by `_time`. The page on performance: only
 * `_time` is an index.
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

/** A stored field that holds a time: by its type, or by its name where the type is not known. */
function isOwnTime(expression: BoundExpression): boolean {
  if (expression.kind !== 'column' || expression.name === '_sysTime') return false;
  if (isTime(expression)) return expression.column?.dataset !== undefined;
  return expression.type === 'unknown' && timeNames.test(expression.name);
}

/** A point in time: a literal, or counted from now. */
function isMoment(expression: BoundExpression): boolean {
  if (expression.kind === 'call') return expression.name === 'ago' || expression.name === 'now';
  return expression.kind === 'literal' && expression.type === 'datetime';
}
