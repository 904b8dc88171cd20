/** The tabular operators by name, with the production for the text after the name. */
import { operatorCores } from '../../operators/index.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import type { Operator } from '../tree.ts';
import {
  distinctOperator,
  extendOperator,
  projectByPattern,
  projectOperator,
  projectRenameOperator,
} from './columns.ts';
import { joinOperator, lookupOperator } from './join.ts';
import { parseKvOperator, parseOperator } from './parse.ts';
import { redactOperator } from './redact.ts';
import {
  countOperator,
  getSchemaOperator,
  limitOperator,
  sampleOperator,
  sortOperator,
  topOperator,
  whereOperator,
} from './rows.ts';
import { searchOperator } from './search.ts';
import { makeSeriesOperator, summarizeOperator } from './summarize.ts';
import { unionOperator } from './union.ts';

/** Parses an operator whose name, `keyword`, has been passed. */
export type OperatorProduction = (c: Cursor, keyword: Span) => Operator;

export const operators: ReadonlyMap<string, OperatorProduction> = new Map<
  string,
  OperatorProduction
>([
  ['count', countOperator],
  ['distinct', distinctOperator],
  ['extend', (c, keyword) => extendOperator(c, keyword, false)],
  ['extend-valid', (c, keyword) => extendOperator(c, keyword, true)],
  ['getschema', getSchemaOperator],
  ['join', joinOperator],
  ['limit', (c, keyword) => limitOperator(c, keyword, 'limit')],
  ['lookup', lookupOperator],
  ['make-series', makeSeriesOperator],
  ['mv-expand', (c, keyword) => operatorCores['mv-expand'].parse(c, keyword)],
  ['order', sortOperator],
  ['parse', (c, keyword) => parseOperator(c, keyword, false)],
  ['parse-kv', parseKvOperator],
  ['parse-where', (c, keyword) => parseOperator(c, keyword, true)],
  ['project', projectOperator],
  ['project-away', (c, keyword) => projectByPattern(c, keyword, 'away')],
  ['project-keep', (c, keyword) => projectByPattern(c, keyword, 'keep')],
  ['project-rename', projectRenameOperator],
  ['project-reorder', (c, keyword) => projectByPattern(c, keyword, 'reorder')],
  ['redact', redactOperator],
  ['sample', sampleOperator],
  ['search', searchOperator],
  ['sort', sortOperator],
  ['summarize', summarizeOperator],
  ['take', (c, keyword) => limitOperator(c, keyword, 'take')],
  ['top', topOperator],
  ['union', unionOperator],
  ['where', whereOperator],
]);

export const operatorNames: ReadonlySet<string> = new Set(operators.keys());

/** The keywords of sources other than dataset names. */
export const sourceNames: ReadonlySet<string> = new Set(
  'datatable externaldata print search table union'.split(' '),
);
