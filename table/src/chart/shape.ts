/** Finds the charts that an answer offers by its columns, groups and aggregates, and completes a choice. */
import type { AnswerField, AnswerTable } from '../answer.ts';
import type { ChartChoice, ChartKind, ChartRequest, ChartShape, SeriesStyle } from './chart.ts';
import {
  combiningOf,
  isMessage,
  isNamedAsTime,
  isPurelyNumeric,
  isSeverity,
  valueForm,
} from './fields.ts';

/** More values than this are not drawn unless they are chosen. */
const defaultValuesMax = 8;
/** Events with more columns are read as events, not as points. */
const pointColumnsMax = 6;

/** The columns of an answer by what a chart can do with them. */
interface Uses {
  readonly table: AnswerTable;
  readonly aggregated: boolean;
  readonly time: number | undefined;
  readonly groups: readonly number[];
  /** Numbers, timespans, percentiles and arrays over time. */
  readonly values: readonly number[];
  readonly topk: readonly number[];
  readonly histogram: number | undefined;
  readonly message: number | undefined;
  readonly severity: number | undefined;
  /** Whether rows are events with times. */
  readonly events: boolean;
  /** Whether they are events with all of their fields. */
  readonly wholeEvents: boolean;
}

interface Rule {
  readonly kind: ChartKind;
  readonly when: (uses: Uses) => boolean;
}

const hasTime = ({ time }: Uses) => time !== undefined;
const hasValues = ({ values }: Uses) => values.length > 0;
const hasGroups = ({ groups }: Uses) => groups.length > 0;
const isSingleRow = ({ table, groups }: Uses) => groups.length === 0 && table.rowCount <= 1;
const sums = ({ table, values, topk }: Uses) =>
  [...values, ...topk].some((index) => combiningOf(table.fields[index] as AnswerField) === 'sum');
/** Whether rows are not summaries, so that one row of a group does not speak for the others. */
const isRaw = ({ aggregated, table }: Uses) => !aggregated && table.rowCount > 1;
const isEvents = ({ events }: Uses) => events;
const hasPoints = ({ table, values }: Uses) =>
  values.filter((index) => valueForm(table.fields[index] as AnswerField) === 'number').length > 1;

/** In order: the first rule that applies gives the default, and each kind is offered once. */
const rules: readonly Rule[] = [
  {
    kind: 'logStream',
    when: (uses) => isEvents(uses) && uses.message !== undefined && isLog(uses),
  },
  { kind: 'scatter', when: (uses) => isEvents(uses) && uses.wholeEvents && hasValues(uses) },
  { kind: 'timeSeries', when: (uses) => hasTime(uses) && hasValues(uses) },
  { kind: 'heatmap', when: (uses) => uses.histogram !== undefined && hasTime(uses) },
  { kind: 'timeSeries', when: (uses) => hasTime(uses) && uses.topk.length > 0 },
  { kind: 'logStream', when: (uses) => isEvents(uses) },
  { kind: 'statistic', when: (uses) => !hasTime(uses) && isSingleRow(uses) && hasValues(uses) },
  { kind: 'scatter', when: (uses) => isRaw(uses) && !hasTime(uses) && hasPoints(uses) },
  {
    kind: 'topList',
    when: (uses) => !isEvents(uses) && hasGroups(uses) && (hasValues(uses) || uses.topk.length > 0),
  },
  { kind: 'topList', when: (uses) => uses.topk.length > 0 },
  { kind: 'topList', when: (uses) => uses.histogram !== undefined && !hasTime(uses) },
  { kind: 'topList', when: (uses) => isSingleRow(uses) && uses.values.length > 1 },
  { kind: 'scatter', when: (uses) => !hasTime(uses) && hasPoints(uses) && !isSingleRow(uses) },
  {
    kind: 'pie',
    when: (uses) => (hasGroups(uses) || uses.topk.length > 0) && !isEvents(uses) && sums(uses),
  },
  {
    kind: 'heatmap',
    when: (uses) => hasTime(uses) && !isEvents(uses) && (hasGroups(uses) || uses.topk.length > 0),
  },
  {
    kind: 'statistic',
    when: (uses) =>
      hasValues(uses) && (uses.aggregated || hasTime(uses) || uses.table.rowCount <= 1),
  },
  { kind: 'scatter', when: (uses) => hasTime(uses) && hasValues(uses) && !hasLists(uses) },
  { kind: 'scatter', when: (uses) => hasPoints(uses) && !isSingleRow(uses) },
];

/** Whether events with a message are read as a log instead of drawn as points. */
function isLog({ table, values, wholeEvents }: Uses): boolean {
  return wholeEvents || values.length === 0 || table.fields.some(isSeverity);
}

function hasLists({ table, values }: Uses): boolean {
  const lists = new Set<unknown>(['array', 'percentiles']);
  return values.some((index) => lists.has(valueForm(table.fields[index] as AnswerField)));
}

/** Returns the charts that a table allows, and the default. */
export function chartShape(table: AnswerTable, aggregated: boolean): ChartShape {
  const uses = usesOf(table, aggregated);
  const kinds = [...new Set(rules.filter(({ when }) => when(uses)).map(({ kind }) => kind))];
  const values = [...uses.values, ...uses.topk];
  const defaultValues = defaultValuesOf(uses);
  const added = defaultValues.every(
    (index) => combiningOf(table.fields[index] as AnswerField) === 'sum',
  );
  const separate = uses.groups.length > 0 || uses.topk.includes(defaultValues[0] ?? -1);
  const style: SeriesStyle = added && (separate || defaultValues.length === 1) ? 'bars' : 'line';
  return {
    kinds,
    ...(uses.time !== undefined && { time: uses.time }),
    values,
    defaultValues,
    groups: uses.groups,
    ...(uses.histogram !== undefined && { histogram: uses.histogram }),
    style,
    stacked: added && separate && defaultValues.length === 1,
  };
}

/** The request for a choice, with defaults. The worker rejects requests for shapes without kinds. */
export function chartRequest(
  shape: ChartShape,
  choice: ChartChoice,
  bounds: Pick<ChartRequest, 'maxSeries' | 'maxPoints' | 'timeZone'>,
): ChartRequest {
  const kind =
    choice.kind !== undefined && shape.kinds.includes(choice.kind)
      ? choice.kind
      : (shape.kinds[0] ?? 'timeSeries');
  const chosen = choice.values?.filter((index) => shape.values.includes(index)) ?? [];
  const values = chosen.length > 0 ? chosen : shape.defaultValues;
  const style = choice.style ?? shape.style;
  // Bars are the default of counts and sums only, which are zero without events.
  const missing = choice.missing ?? (shape.style === 'bars' ? 'zero' : 'gap');
  // Two chosen columns of numbers are drawn against each other.
  const time = kind === 'scatter' && chosen.length > 1 ? undefined : shape.time;
  return {
    kind,
    ...(time !== undefined && { time }),
    values,
    groups: shape.groups,
    ...(shape.histogram !== undefined &&
      (kind === 'heatmap' || values.length === 0) && { histogram: shape.histogram }),
    missing,
    stacked: kind === 'timeSeries' && style !== 'line' && (choice.stacked ?? shape.stacked),
    ...bounds,
  };
}

function usesOf(table: AnswerTable, aggregated: boolean): Uses {
  const { fields } = table;
  const columns = (test: (field: AnswerField) => boolean) =>
    fields.flatMap((field, index) => (test(field) ? [index] : []));
  const grouped = columns(({ name, agg }) => agg === undefined && table.groups.includes(name));
  const time = timeColumn(table, aggregated, grouped);
  const isArrays = time !== undefined && fields[time]?.type === 'array';
  const wholeEvents = !aggregated && time !== undefined && !isArrays && isWholeEvents(table);
  const numbers = columns((field) => {
    const form = valueForm(field);
    return form === 'array'
      ? isArrays
      : form !== undefined && form !== 'topk' && form !== 'histogram';
  }).filter((index) => index !== time && !grouped.includes(index));
  const names = aggregated
    ? grouped.filter((index) => index !== time)
    : wholeEvents
      ? []
      : columns(
          (field) => (field.type === 'string' || field.type === 'boolean') && !isMessage(field),
        );
  const [histogram] = columns((field) => valueForm(field) === 'histogram');
  const [message] = columns(isMessage);
  const [severity] = columns(isSeverity);
  return {
    table,
    aggregated,
    time,
    // Values of make-series have numbers in columns of groups as well.
    groups: isArrays ? columns(({ type }) => type !== 'array') : names,
    values: isArrays ? numbers.filter((index) => fields[index]?.type === 'array') : numbers,
    topk: columns((field) => valueForm(field) === 'topk'),
    histogram,
    message,
    severity,
    events: !aggregated && time !== undefined && !isArrays,
    wholeEvents,
  };
}

/** The column of times: what the service divides by, a group of times, or the time of events. */
function timeColumn(
  { fields, buckets }: AnswerTable,
  aggregated: boolean,
  grouped: readonly number[],
): number | undefined {
  const find = (test: (field: AnswerField, index: number) => boolean) => {
    const index = fields.findIndex(test);
    return index < 0 ? undefined : index;
  };
  const isTime = ({ type, agg }: AnswerField) => type === 'datetime' && agg === undefined;
  const arrays = fields.filter(({ type, agg }) => type === 'array' && agg === undefined);
  return (
    find((field) => isTime(field) && field.name === buckets?.field) ??
    find((field, index) => isTime(field) && grouped.includes(index)) ??
    find((field) => isTime(field) && field.name === '_time') ??
    (aggregated
      ? undefined
      : (find((field) => isTime(field) && field.name !== '_sysTime') ??
        (arrays.length > 1
          ? (find((field) => arrays.includes(field) && field.name === '_time') ??
            find((field) => arrays.includes(field) && isNamedAsTime(field)))
          : undefined)))
  );
}

function isWholeEvents({ fields }: AnswerTable): boolean {
  return fields.some(({ name }) => name === '_sysTime') || fields.length > pointColumnsMax;
}

const measureName = /duration|latency|elapsed|bytes|size|count|value|total|usage|load|rate/i;

function defaultValuesOf({ table, values, topk, wholeEvents, time }: Uses): readonly number[] {
  if (values.length === 0) return topk.slice(0, 1);
  const field = (index: number) => table.fields[index] as AnswerField;
  const pure = values.filter(
    (index) => valueForm(field(index)) !== 'number' || isPurelyNumeric(field(index)),
  );
  const usable = pure.length > 0 ? pure : values;
  if (!wholeEvents) return usable.slice(0, defaultValuesMax);
  const best =
    usable.find((index) => field(index).unit !== undefined) ??
    usable.find((index) => measureName.test(field(index).name)) ??
    usable[0];
  return best === undefined || time === undefined ? usable.slice(0, 2) : [best];
}
