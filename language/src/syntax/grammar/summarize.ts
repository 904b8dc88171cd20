/** Parses aggregation operators: summarize and make-series. */
import { none } from '../../append.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type {
  Assignment,
  Expression,
  MakeSeriesOperator,
  SeriesAggregate,
  SummarizeOperator,
} from '../tree.ts';
import { assignment, assignments } from './assignments.ts';
import { expression } from './expressions.ts';
import { atAnyClause, needClause } from './keywords.ts';
import { list } from './lists.ts';
import { optWordOption } from './properties.ts';
import { atWord } from './sql.ts';

const atGroupBy = (c: Cursor): boolean => atWord(c, 'group', 0) && atWord(c, 'by', 1);

const atBy = (c: Cursor): boolean => c.at('by') || atAnyClause(c) || atGroupBy(c);

export function summarizeOperator(c: Cursor, keyword: Span): SummarizeOperator {
  const aggregates = atBy(c) ? none : assignments(c, atBy);
  if (atGroupBy(c)) {
    const span = { start: c.token.start, end: c.peek(1).end };
    c.report('foreign-operator', span, { found: c.shown(span), instead: 'by' });
    c.advance();
  }
  const by = atBy(c) || atWord(c, 'by', 0) ? c.token : undefined;
  if (by !== undefined && atWord(c, 'by', 0) && !c.at('by')) c.advance();
  else if (by !== undefined) needClause(c, 'by', keyword);
  const groups = by === undefined ? none : assignments(c);
  return {
    kind: 'SummarizeOperator',
    keyword,
    aggregates,
    ...(by === undefined ? {} : { by: { start: by.start, end: by.end } }),
    groups,
    start: keyword.start,
    end: c.lastEnd,
  };
}

const seriesClauses = new Set(['on', 'from', 'to', 'step', 'by', 'in', 'with', 'as']);

const atSeriesClause = (c: Cursor): boolean =>
  c.kind === 'word' && seriesClauses.has(c.textOf(c.token));

const clauseOrder = ['on', 'from', 'to', 'step', 'by'] as const;
type SeriesClause = (typeof clauseOrder)[number];

type SeriesClauses = Pick<MakeSeriesOperator, 'on' | 'from' | 'to' | 'step' | 'inRange'>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Parses make-series. A misplaced clause is reported, and parsed as far as possible. */
export function makeSeriesOperator(c: Cursor, keyword: Span): MakeSeriesOperator {
  const seriesKind = optWordOption(c, 'kind');
  const aggregates = atSeriesClause(c) ? [] : list(c, seriesAggregate, { stop: atSeriesClause });
  if (aggregates.length === 0) c.expected('expected-expression');
  const clauses: Mutable<SeriesClauses> = {};
  let groups: readonly Assignment[] = none;
  const problems = c.problems.length;
  for (let next = 0; atSeriesClause(c); ) {
    const word = seriesClauseHere(c, next, clauses);
    c.advance();
    if (word === 'by') groups = assignments(c, atSeriesClause);
    else if (word === 'on') Object.assign(clauses, seriesAxis(expression(c)));
    else clauses[word] = expression(c);
    next = clauseOrder.indexOf(word) + 1;
  }
  const missing = clauses.on === undefined ? 'on' : clauses.step === undefined ? 'step' : undefined;
  if (missing !== undefined && c.problems.length === problems) needClause(c, missing, keyword);
  return {
    kind: 'MakeSeriesOperator',
    keyword,
    ...(seriesKind === undefined ? {} : { seriesKind }),
    aggregates,
    ...clauses,
    groups,
    start: keyword.start,
    end: c.lastEnd,
  };
}

/** Returns the axis, and the three clauses equivalent to `in range(start, end, step)` after it. */
function seriesAxis(on: Expression): SeriesClauses {
  const [range] = on.kind === 'InExpression' && on.operator === 'in' ? on.items : [];
  if (on.kind !== 'InExpression' || range?.kind !== 'Call') return { on };
  const [from, to, step] = range.arguments;
  if (from === undefined || to === undefined || step === undefined) return { on };
  return { on: on.left, from, to, step, inRange: true };
}

/** Returns the clause at the current word, or the expected clause if the word is misplaced. */
function seriesClauseHere(
  c: Cursor,
  next: number,
  has: { readonly on?: Expression; readonly step?: Expression },
): SeriesClause {
  const written = clauseOrder.find((word) => c.at(word));
  const at = written === undefined ? -1 : clauseOrder.indexOf(written);
  const needed = has.on === undefined ? 0 : has.step === undefined ? 3 : 4;
  if (written !== undefined && at >= next && at <= needed) return written;
  const word = clauseOrder[Math.min(next, needed)] as SeriesClause;
  c.expected('expected-word', { word });
  // The word is in place of the expected one if it occurs again later, and so is `by` if any other clause follows.
  const others = written === 'by' ? clauseOrder : [written];
  return written === undefined || isAhead(c, others) ? word : written;
}

/** Returns whether one of the words occurs later in the stage. */
function isAhead(c: Cursor, words: readonly (string | undefined)[]): boolean {
  for (let ahead = 1; c.peek(ahead).kind !== 'end'; ahead++) {
    if (words.some((word) => word !== undefined && c.at(word, ahead))) return true;
  }
  return false;
}

function seriesAggregate(c: Cursor): SeriesAggregate {
  const found = assignment(c);
  const span = { start: found.start };
  if (!c.at('default') || !c.at('=', 1)) {
    return { kind: 'SeriesAggregate', assignment: found, ...span, end: c.lastEnd };
  }
  c.advance();
  c.advance();
  const defaultValue = expression(c);
  return { kind: 'SeriesAggregate', assignment: found, defaultValue, ...span, end: c.lastEnd };
}
