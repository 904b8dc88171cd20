/** Classifies the fields of an answer for charts: numbers, times, groups, or arrays with several numbers. */
import type { AnswerField } from '../answer.ts';

export type Combining = 'sum' | 'min' | 'max' | 'last';

/** How values of aggregates are combined. `sum` applies if two groups' values add up to the value of both. */
const combinings: Readonly<Record<string, Combining>> = {
  count: 'sum',
  sum: 'sum',
  rate: 'sum',
  topk: 'sum',
  min: 'min',
  max: 'max',
};

/** APL's default names for counts and sums, needed because the arrays of `make-series` don't state their aggregate. */
const additiveName = /^(?:count_?|countif_|sum_.+|sumif_.+)$/;

export function combiningOf({ name, agg }: AnswerField): Combining {
  if (agg?.name === undefined) return additiveName.test(name) ? 'sum' : 'last';
  return combinings[aggregateOf(agg.name)] ?? 'last';
}

/** Returns an aggregate's name without its conditional suffix, such as `count` for `countif`. */
function aggregateOf(name: string): string {
  return name.toLowerCase().replace(/if$/, '');
}

/** How a column's values encode numbers: as plain numbers, as durations, as arrays of numbers, and so on. */
export type ValueForm =
  | 'number'
  /** Text such as `1m30.5s`, drawn in nanoseconds. */
  | 'timespan'
  /** An array with one number per requested percentile. */
  | 'percentiles'
  /** An array of `{ key, count }`. */
  | 'topk'
  /** An array of `{ from, to, count }`. */
  | 'histogram'
  /** An array with one number per time in the time column. */
  | 'array';

const listForms: Readonly<Record<string, ValueForm>> = {
  percentile: 'percentiles',
  percentiles: 'percentiles',
  percentiles_array: 'percentiles',
  topk: 'topk',
  histogram: 'histogram',
};

/** Returns how a column's values represent numbers; undefined if the column has no numbers to draw. */
export function valueForm({ type, agg }: AnswerField): ValueForm | undefined {
  const parts = type.split('|');
  if (parts.some((part) => part === 'integer' || part === 'float')) return 'number';
  if (type === 'timespan') return 'timespan';
  if (!parts.every((part) => lists.has(part))) return undefined;
  if (agg?.name !== undefined) return listForms[aggregateOf(agg.name)];
  return parts.includes('array') ? 'array' : undefined;
}

const lists = new Set(['array', 'unknown', 'map', 'dictionary']);

/** Returns the names of a column's parts, such as `p50` and `p95` for percentiles; otherwise one undefined name. */
export function partNames(field: AnswerField): readonly (string | undefined)[] {
  if (valueForm(field) !== 'percentiles') return [undefined];
  const args = (field.agg?.args ?? []).filter((arg) => typeof arg === 'number');
  return args.length === 0 ? [undefined] : args.map((arg) => `p${arg}`);
}

const messageName =
  /(?:^|[._])(?:message|msg|body|log|log_?line|event\.original|exception|text|error\.message)$/i;
const severityName =
  /(?:^|[._])(?:level|severity|severity_?text|log_?level|level_?name|lvl|log_?severity)$/i;
const timeName = /(?:^|[._])(?:ts|date)$|time|stamp/i;

export const isMessage = ({ name, type }: AnswerField): boolean =>
  type.split('|').includes('string') && messageName.test(name);
export const isSeverity = ({ name, type }: AnswerField): boolean =>
  type === 'string' && severityName.test(name);
export const isNamedAsTime = ({ name }: AnswerField): boolean => timeName.test(name);
