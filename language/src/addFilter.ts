/**
 * A condition on a value of a result as a `where` in the query that gave it: written with the right quotes
 * for its type, and put where it holds for the rows before they are sorted and limited.
 */
import { analyzeQuery, type QueryAnalysis } from './analysis.ts';
import { applyEdits, type Edit } from './edits.ts';
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
  const steps = path.map((step) => `[${typeof step === 'number' ? step : quoteText(step)}]`);
  return quoteName(column) + steps.join('');
}

/** Stages after which a filter would find less than before them: it belongs ahead of those at the end. */
const keepsColumns: ReadonlySet<string> = new Set(['SortOperator', 'LimitOperator', 'TopOperator']);

/**
 * The edit that adds the condition to the last query of the text; offsets are those of its text. A string
 * says why there is none. The changed text has no error that the text does not have.
 */
export function filterEdits(
  { tree, bound, problems }: QueryAnalysis,
  condition: ValueCondition,
  schema?: Schema,
): readonly Edit[] | string {
  const statement = tree.statements.findLast(({ kind }) => kind === 'QueryStatement');
  if (statement?.kind !== 'QueryStatement' || statement.pipeline.source.kind === 'Missing')
    return 'There is no query to add the filter to.';
  const errors = (found: QueryAnalysis['problems']) =>
    found.filter(({ severity }) => severity === 'error');
  const before = errors(problems).length;
  let reason: string | undefined;
  for (const written of conditionTexts(condition)) {
    const edits = [insertion(tree.text, statement.pipeline, `where ${written}`)];
    const after = errors(
      analyzeQuery(applyEdits(tree.text, edits), schema, { lets: bound.outer }).problems,
    );
    if (after.length <= before) return edits;
    reason ??= after.find(({ message }) =>
      problems.every((old) => old.message !== message),
    )?.message;
  }
  return reason === undefined
    ? `${quoteName(condition.column)} cannot be compared with this value.`
    : `The filter does not fit the query: ${reason}`;
}

/** The condition in the forms that it may take, the plainest first. */
function conditionTexts({ column, path, kind, text, exclude }: ValueCondition): string[] {
  const name = quotePath(column, path);
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

/** Puts a stage behind the last one that may change the columns or the values. */
function insertion(text: string, { source, stages }: Pipeline, stage: string): Edit {
  const at = stages.findLastIndex(({ operator }) => !keepsColumns.has(operator.kind));
  const previous = stages[at] ?? source;
  const next = stages[at + 1];
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const onLines = stages.filter((one) => startsLine(text, one));
  const sample = onLines[0];
  if (sample === undefined && stages.length > 0)
    return { start: previous.end, end: previous.end, text: ` | ${stage}` };
  const indent =
    sample === undefined ? '' : text.slice(startOfLine(text, sample.start), sample.start);
  if (next !== undefined && startsLine(text, next))
    return { start: next.start, end: next.start, text: `| ${stage}${newline}${indent}` };
  // A comment behind the last stage stays with it.
  const end = endOfLine(text, previous.end);
  const behind = text.slice(previous.end, end);
  const start = next === undefined && /^\s*\/\//.test(behind) ? end : previous.end;
  return { start, end: start, text: `${newline}${indent}| ${stage}` };
}

function startsLine(text: string, { start }: Stage): boolean {
  return text.slice(startOfLine(text, start), start).trim() === '';
}
