/** Adds a `where` stage that filters by values from the query's result, as early in the query as is correct. */
import { analyzeQuery, type QueryAnalysis } from './analysis.ts';
import { applyEdits, type Edit, insert } from './edits.ts';
import { filterPlaces } from './filterPlaces.ts';
import { quoteName, quoteText } from './names.ts';
import type { Schema } from './schema.ts';
import { endOfLine, startOfLine } from './syntax/lines.ts';
import { parseDatetime, parseTimespan } from './syntax/times.ts';
import type { Pipeline, Stage } from './syntax/tree.ts';
import { type Change, changeBetween } from './text.ts';

export interface ValueCondition {
  readonly column: string;
  /** The keys and indexes that lead to a part of the column's value, outermost first. Empty for the entire value. */
  readonly path: readonly (string | number)[];
  readonly kind: 'text' | 'number' | 'boolean' | 'datetime' | 'timespan' | 'null';
  /** The value's exact text. Ignored for null. */
  readonly text: string;
  readonly exclude: boolean;
}

/** Returns the query syntax for a column or a part of its value: `['geo.city']`, `attributes['http.method'][0]`. */
export function quotePath(column: string, path: ValueCondition['path']): string {
  return quoteName(column) + steps(path);
}

function steps(path: ValueCondition['path']): string {
  return path.map((step) => `[${typeof step === 'number' ? step : quoteText(step)}]`).join('');
}

export interface AddedFilter {
  readonly edit: Edit;
  readonly text: string;
  /** The conditions in query syntax, such as `host == 'web-1'`. */
  readonly condition: string;
}

/**
 * Returns the edit that adds the conditions, joined with `and`, to the last query statement. Returns a message for the
 * user if no filter is possible, or if the query already has all conditions.
 */
export function addFilters(
  analysis: QueryAnalysis,
  conditions: readonly ValueCondition[],
  schema?: Schema,
): AddedFilter | string {
  let now = analysis;
  const written: string[] = [];
  for (const condition of conditions) {
    const added = addFilter(now, condition, written, schema);
    if (typeof added === 'string') return added;
    if (added === undefined) continue;
    now = added.analysis;
    written.push(added.condition);
  }
  if (written.length === 0) return 'The query already has this filter.';
  const { text } = now.tree;
  return { edit: difference(analysis.tree.text, text), text, condition: written.join(' and ') };
}

/** Returns the analysis with the condition added, undefined if the query has the condition, or an error message. */
function addFilter(
  { tree, bound, problems }: QueryAnalysis,
  condition: ValueCondition,
  before: readonly string[],
  schema: Schema | undefined,
): { analysis: QueryAnalysis; condition: string } | string | undefined {
  const statement = tree.statements.findLast(({ kind }) => kind === 'QueryStatement');
  if (statement?.kind !== 'QueryStatement' || statement.pipeline.source.kind === 'Missing')
    return 'There is no query to add the filter to.';
  const { pipeline } = statement;
  const { text } = tree;
  let reason: string | undefined;
  let second: { analysis: QueryAnalysis; condition: string } | undefined;
  for (const { at, name } of filterPlaces(pipeline, bound, condition.column)) {
    for (const found of conditionTexts(condition, name + steps(condition.path))) {
      if (conditionsAt(text, pipeline, at).includes(found)) return undefined;
      const edit = insertion(text, pipeline, at, found, before);
      const analysis = analyzeQuery(applyEdits(text, [edit]), schema, { lets: bound.outer });
      const errors = errorsOf(analysis.problems);
      if (errors.length <= errorsOf(problems).length) {
        // Prefer a filter that causes no warnings or hints. A filter late in the query often causes a hint.
        if (analysis.problems.length <= problems.length) return { analysis, condition: found };
        second ??= { analysis, condition: found };
      }
      reason ??= errors.find(({ message }) =>
        problems.every((old) => old.message !== message),
      )?.message;
    }
  }
  if (second !== undefined) return second;
  return reason === undefined
    ? `${quoteName(condition.column)} cannot be compared with this value.`
    : `The filter does not fit the query: ${reason}`;
}

const errorsOf = (problems: QueryAnalysis['problems']) =>
  problems.filter(({ severity }) => severity === 'error');

// ── Text edits ────────────────────────────────────────────────────────────────────────────────────

function conditionsAt(text: string, { stages }: Pipeline, at: number): string[] {
  const found: string[] = [];
  for (let index = at - 1; index >= 0; index--) {
    const operator = stages[index]?.operator;
    if (operator?.kind !== 'WhereOperator') break;
    const waiting = [operator.predicate];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      if (one.kind === 'Binary' && one.operator === 'and') waiting.push(one.left, one.right);
      else found.push(text.slice(one.start, one.end));
    }
  }
  return found;
}

/**
 * Returns the edit that inserts a filter before the stage at index `at`. If an earlier condition's filter is there,
 * extends it with `and`.
 */
function insertion(
  text: string,
  { source, stages }: Pipeline,
  at: number,
  condition: string,
  before: readonly string[],
): Edit {
  const last = stages[at - 1];
  const previous = last ?? source;
  if (last && before.length > 0) {
    const { start, end } = last.operator;
    if (text.slice(start, end) === `where ${before.join(' and ')}`)
      return insert(end, ` and ${condition}`);
  }
  const stage = `| where ${condition}`;
  const sample = stages.find((one) => startsLine(text, one));
  if (sample === undefined && stages.length > 0) return insert(previous.end, ` ${stage}`);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const indent =
    sample === undefined ? '' : text.slice(startOfLine(text, sample.start), sample.start);
  // Keep a trailing comment on the line of the stage above. A comment on its own line belongs to the stage below.
  const end = endOfLine(text, previous.end);
  const isCommented = /^\s*\/\//.test(text.slice(previous.end, end));
  return insert(isCommented ? end : previous.end, newline + indent + stage);
}

function startsLine(text: string, { start }: Stage): boolean {
  return text.slice(startOfLine(text, start), start).trim() === '';
}

function difference(from: string, to: string): Edit {
  const { start, end, length } = changeBetween(from, to) as Change;
  return { start, end, text: to.slice(start, start + length) };
}

// ── Query syntax ──────────────────────────────────────────────────────────────────────────────────

/** Returns candidate conditions that compare the expression `name` with the value, the simplest first. */
function conditionTexts({ kind, text, exclude }: ValueCondition, name: string): string[] {
  const operator = exclude ? '!=' : '==';
  const compared = (left: string, right: string) => `${left} ${operator} ${right}`;
  const asText = compared(`tostring(${name})`, quoteText(text));
  switch (kind) {
    case 'null':
      return [`${exclude ? 'isnotnull' : 'isnull'}(${name})`];
    case 'text':
      return [compared(name, quoteText(text)), asText];
    case 'boolean':
      return [compared(name, text), compared(`tobool(${name})`, text), asText];
    case 'number':
      if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
        return /^nan$/i.test(text) ? [`${exclude ? 'not(isnan' : '(isnan'}(${name}))`] : [asText];
      }
      return [compared(name, text), compared(`toreal(${name})`, text), asText];
    case 'datetime':
      return parseDatetime(text) === undefined
        ? [asText]
        : [
            compared(name, `datetime(${text})`),
            compared(`todatetime(${name})`, `datetime(${text})`),
          ];
    case 'timespan':
      return parseTimespan(text) === undefined
        ? [asText]
        : [
            compared(name, `time(${text})`),
            compared(`totimespan(${name})`, `time(${text})`),
            asText,
          ];
  }
}
