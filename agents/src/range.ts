// The time range of a run: from the call, from the query's conditions on _time, or the last hour.
import { isQueryTime } from '../../api/src/plain.ts';
import { parseRfc3339 } from '../../formats/src/rfc3339.ts';
import {
  analyzeQuery,
  type BoundExpression,
  type BoundPipeline,
  type BoundQuery,
  type BoundStage,
  factsOf,
  parseDatetime,
  parseTimespan,
  type Schema,
} from '../../language/src/index.ts';
import { queryBlock } from './answer.ts';
import { hasErrors } from './fixQuery.ts';
import { DEFAULT_FROM, UNLIMITED_RANGE_MS } from './limits.ts';

export interface TimeRange {
  readonly from: string;
  readonly to: string;
  readonly source: 'call' | 'query' | 'default';
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Returns the range of a run, or the reason why a given time is invalid. */
export function rangeOf(
  bound: BoundQuery,
  from: string | undefined,
  to: string | undefined,
): TimeRange | string {
  const start = from === undefined ? undefined : normalizedTime(from);
  const end = to === undefined ? undefined : normalizedTime(to);
  for (const [name, given, time] of [
    ['from', from, start],
    ['to', to, end],
  ] as const) {
    if (given !== undefined && time === undefined) {
      return invalidTime(name);
    }
  }
  if (start !== undefined) {
    const range: TimeRange = { from: start, to: end ?? 'now', source: 'call' };
    return lengthOf(range) < 0 ? "'from' is after 'to'. Swap them." : range;
  }
  const own = conditionsOnTime(bound);
  if (own !== undefined) return { from: own, to: end ?? 'now', source: 'query' };
  if (end !== undefined && end !== 'now') {
    return "'from' is missing. Set it together with 'to'.";
  }
  return { from: DEFAULT_FROM, to: 'now', source: 'default' };
}

/** Says which times an input accepts. */
export function invalidTime(name: string): string {
  return `'${name}' must be now, now-<n> with s, m, h, d or w, such as now-6h, or a time such as 2026-01-31T08:00:00Z.`;
}

/**
 * Returns a time in the form that the service accepts; undefined for other text. Also reads `6h`, `-6h`, `ago(6h)` and
 * `now()`.
 */
export function normalizedTime(text: string): string | undefined {
  const trimmed = text.trim();
  if (isQueryTime(trimmed)) return trimmed;
  if (trimmed === 'now()') return 'now';
  const duration = /^(?:-|ago\(|now\(\)-|now -)?(\d+[smhdw])\)?$/.exec(trimmed.replace(/\s+/g, ''));
  return duration === null ? undefined : `now-${duration[1]}`;
}

/** Returns milliseconds of a query time. `now` is in milliseconds since 1970. */
export function millisecondsOf(time: string, now: number): number {
  const relative = /^now(?:-(\d+)([smhdw]))?$/.exec(time);
  if (relative === null) {
    const instant = parseRfc3339(time);
    return instant === undefined ? now : instant.seconds * 1_000 + instant.nanos / 1_000_000;
  }
  const [, count, unit = 's'] = relative;
  return count === undefined ? now : now - Number(count) * (UNIT_MS[unit] as number);
}

/**
 * Returns a refusal with queries to write instead if a query returns all events of a long range.
 */
export function refuseUnlimited(
  bound: BoundQuery,
  range: TimeRange,
  schema: Schema,
): string | undefined {
  const [pipeline] = bound.pipelines;
  if (lengthOf(range) <= UNLIMITED_RANGE_MS || pipeline === undefined) return undefined;
  if (isBounded(pipeline, bound)) return undefined;
  const query = bound.tree.text.replace(/[;\s]+$/, '');
  const instead = [['take 100'], ['summarize count() by bin_auto(_time)', 'summarize count()']]
    .map((stages) => stages.map((stage) => `${query}\n| ${stage}`))
    // Earlier stages may have removed _time.
    .flatMap((queries) => queries.find((text) => !hasErrors(analyzeQuery(text, schema))) ?? [])
    .map(queryBlock);
  return `Refused: the query returns all events of more than a day (${range.from} to ${range.to}). Add a limit or an aggregate, or shorten the range to a day. For example:\n${instead.join('\nor\n')}`;
}

function lengthOf({ from, to }: TimeRange): number {
  const now = Date.now();
  return millisecondsOf(to, now) - millisecondsOf(from, now);
}

/** Returns whether a pipeline returns few rows by itself, or reads no dataset. */
function isBounded({ source, stages }: BoundPipeline, bound: BoundQuery): boolean {
  const last = stages.findLastIndex(boundsRows);
  const areBounded = (inputs: readonly BoundPipeline[]) =>
    inputs.every((input) => isBounded(input, bound));
  // A later union adds the rows of other tables.
  const adds = stages
    .slice(last + 1)
    .some(({ operator }) => operator.kind === 'union' && !areBounded(operator.inputs));
  if (adds) return false;
  if (last >= 0) return true;
  if (source.kind === 'subquery') return isBounded(source.pipeline, bound);
  if (source.kind === 'union') return areBounded(source.inputs);
  if (source.kind === 'let') {
    const value = bound.lets.findLast(({ name }) => name === source.name)?.value;
    return value?.kind === 'pipeline' && isBounded(value, bound);
  }
  return source.kind === 'print' || source.kind === 'datatable';
}

/** Returns whether a stage groups rows or limits their number. */
export function boundsRows({ operator }: BoundStage): boolean {
  const { rows } = factsOf(operator);
  return rows === 'limited' || rows === 'grouped';
}

/** Returns the earliest time that the first stages with conditions allow; undefined if they don't limit it. */
function conditionsOnTime({ tree, pipelines, lets }: BoundQuery): string | undefined {
  const [pipeline] = pipelines;
  if (pipeline === undefined) return undefined;
  const named = new Map(lets.map(({ name, value }) => [name, value]));
  for (const { operator } of pipeline.stages) {
    if (operator.kind !== 'where') {
      if (factsOf(operator).rows !== 'all') return undefined;
      continue;
    }
    const found = conjuncts(operator.predicate)
      .map(lowerBound)
      .find((time) => time !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;

  function lowerBound(expression: BoundExpression): string | undefined {
    if (expression.kind === 'between' && !expression.negated && isTime(expression.left)) {
      return timeOf(expression.low);
    }
    if (expression.kind !== 'binary') return undefined;
    const { operator, left, right } = expression;
    if ((operator === '>' || operator === '>=') && isTime(left)) return timeOf(right);
    if ((operator === '<' || operator === '<=') && isTime(right)) return timeOf(left);
    return undefined;
  }

  function timeOf(expression: BoundExpression): string | undefined {
    if (expression.kind === 'let') {
      const value = named.get(expression.name);
      return value === undefined || value.kind === 'pipeline' ? undefined : timeOf(value);
    }
    const written = textOf(expression);
    const ago = /^(?:ago\s*\((.*)\)|now\s*\(\s*\)\s*-(.*)|now\s*\(\s*-(.*)\))$/s.exec(written);
    const span = ago?.[1] ?? ago?.[2] ?? ago?.[3];
    if (span !== undefined) return relativeTime(spanText(span.trim()));
    const literal = /^(?:datetime|todatetime)\s*\(\s*(["']?)(.*?)\1\s*\)$/s.exec(written)?.[2];
    const nanos = literal === undefined ? undefined : parseDatetime(literal);
    if (nanos === undefined) return undefined;
    return new Date(Number(nanos / 1_000_000n)).toISOString();
  }

  function spanText(written: string): string {
    const value = named.get(written);
    return value === undefined || value.kind === 'pipeline' ? written : textOf(value);
  }

  function textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return tree.text.slice(start, end).trim();
  }
}

function conjuncts(expression: BoundExpression): BoundExpression[] {
  return expression.kind === 'binary' && expression.operator === 'and'
    ? [...conjuncts(expression.left), ...conjuncts(expression.right)]
    : [expression];
}

function isTime(expression: BoundExpression): boolean {
  return expression.kind === 'column' && expression.name === '_time';
}

/** Returns `now-` and a timespan in the largest unit that divides it, rounded up to seconds. */
function relativeTime(span: string): string | undefined {
  const nanos = parseTimespan(span.replace(/^timespan\s*\((.*)\)$/s, '$1'));
  if (nanos === undefined || nanos <= 0n) return undefined;
  const ms = Math.ceil(Number(nanos) / 1_000_000_000) * 1_000;
  const unit = ['w', 'd', 'h', 'm'].find((one) => ms % (UNIT_MS[one] as number) === 0) ?? 's';
  return `now-${ms / (UNIT_MS[unit] as number)}${unit}`;
}
