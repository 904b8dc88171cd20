/** Aggregation: summarize and make-series. */
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
import { list } from './lists.ts';
import { optWordOption } from './properties.ts';

const atBy = (c: Cursor): boolean => c.at('by');

export function summarizeOperator(c: Cursor, keyword: Span): SummarizeOperator {
  const aggregates = atBy(c) ? [] : assignments(c, atBy);
  const by = atBy(c) ? c.advance() : undefined;
  const groups = by === undefined ? [] : assignments(c);
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

const seriesClauses = new Set(['on', 'from', 'to', 'step', 'by', 'in']);

const atSeriesClause = (c: Cursor): boolean =>
  c.kind === 'word' && seriesClauses.has(c.textOf(c.token));

/** The clauses are taken in any order; a later stage misses the ones it needs. */
export function makeSeriesOperator(c: Cursor, keyword: Span): MakeSeriesOperator {
  const seriesKind = optWordOption(c, 'kind');
  const aggregates = atSeriesClause(c)
    ? []
    : list(c, () => seriesAggregate(c), { stop: atSeriesClause });
  if (aggregates.length === 0) c.expected('expected-expression');
  const clauses: { on?: Expression; from?: Expression; to?: Expression; step?: Expression } = {};
  let groups: Assignment[] = [];
  for (;;) {
    if (c.eat('on')) clauses.on = expression(c);
    else if (c.eat('from')) clauses.from = expression(c);
    else if (c.eat('to')) clauses.to = expression(c);
    else if (c.eat('step')) clauses.step = expression(c);
    else if (c.eat('by')) groups = assignments(c, atSeriesClause);
    else break;
  }
  if (clauses.on === undefined) c.expected('expected-word', { word: 'on' });
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
