/**
 * Conditions on values of a result as a `where` in the query that gave it: written with the right quotes for
 * their types, and put where they hold for the rows before these are grouped, sorted and limited.
 */
import { analyzeQuery, type QueryAnalysis } from './analysis.ts';
import { applyEdits, type Edit } from './edits.ts';
import { filterPlaces } from './filterPlaces.ts';
import { quoteName, quoteText } from './names.ts';
import type { Schema } from './schema.ts';
import { endOfLine, startOfLine } from './syntax/lines.ts';
import { parseDatetime, parseTimespan } from './syntax/times.ts';
import type { Pipeline, Stage } from './syntax/tree.ts';

export interface ValueCondition {
  /** The name of a column of the result. */
  readonly column: string;
  /** Members and elements below the column's value, from the outermost. */
  readonly path: readonly (string | number)[];
  readonly kind: 'text' | 'number' | 'boolean' | 'datetime' | 'timespan' | 'null';
  /** The exact text of the value; not used for null. */
  readonly text: string;
  /** Keep the rows that have another value instead. */
  readonly exclude: boolean;
}

/** A column, or a member below its value, as a query names it: `['geo.city']`, `attributes['http.method'][0]`. */
export function quotePath(column: string, path: ValueCondition['path']): string {
  return quoteName(column) + steps(path);
}

function steps(path: ValueCondition['path']): string {
  return path.map((step) => `[${typeof step === 'number' ? step : quoteText(step)}]`).join('');
}

/** Conditions that are part of a query now. */
export interface AddedFilter {
  readonly edit: Edit;
  /** The text with it. */
  readonly text: string;
  /** The conditions as they are written, such as `host == 'web-1'`. */
  readonly condition: string;
}

/**
 * Adds conditions to the last query of the text, all of which hold; offsets are those of its text. A string
 * says why there is none. The changed text has no error that the text does not have.
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

/** The text with one condition more; undefined where it is there already. */
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
      const options = { lets: bound.outer };
      const analysis = analyzeQuery(applyEdits(text, [edit]), schema, options);
      const errors = errorsOf(analysis.problems);
      if (errors.length <= errorsOf(problems).length) {
        // A filter that the editor has nothing against, such as one where it is evaluated early.
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

// ── The text ──────────────────────────────────────────────────────────────────────────────────────

/** The conditions of the filters that come just before a place. */
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

/** Inserts a filter ahead of the stage at an index, or adds to the one that `before` has put there. */
function insertion(
  text: string,
  { source, stages }: Pipeline,
  at: number,
  condition: string,
  before: readonly string[],
): Edit {
  const last = stages[at - 1];
  const previous = last ?? source;
  const inserted = (start: number, what: string): Edit => ({ start, end: start, text: what });
  if (last && before.length > 0) {
    const { start, end } = last.operator;
    if (text.slice(start, end) === `where ${before.join(' and ')}`)
      return inserted(end, ` and ${condition}`);
  }
  const stage = `| where ${condition}`;
  const sample = stages.find((one) => startsLine(text, one));
  if (sample === undefined && stages.length > 0) return inserted(previous.end, ` ${stage}`);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const indent =
    sample === undefined ? '' : text.slice(startOfLine(text, sample.start), sample.start);
  // A comment after the stage above stays with it, and one above the stage below with that.
  const end = endOfLine(text, previous.end);
  const isCommented = /^\s*\/\//.test(text.slice(previous.end, end));
  return inserted(isCommented ? end : previous.end, newline + indent + stage);
}

function startsLine(text: string, { start }: Stage): boolean {
  return text.slice(startOfLine(text, start), start).trim() === '';
}

/** The edit that makes one text of another: what is between the start and the end that they share. */
function difference(from: string, to: string): Edit {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let shared = 0;
  while (shared < shorter - start && from.at(-1 - shared) === to.at(-1 - shared)) shared++;
  return { start, end: from.length - shared, text: to.slice(start, to.length - shared) };
}

// ── What is written ───────────────────────────────────────────────────────────────────────────────

/** The condition on a value that `name` names, in the forms that it may take, the plainest first. */
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
