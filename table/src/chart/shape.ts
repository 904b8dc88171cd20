/** Finds the chart kinds that suit an answer's columns, groups and aggregates, and completes a chart choice. */
import type { AnswerField, AnswerTable } from '../answer.ts';
import { isNumeric } from '../numberText.ts';
import type { ChartChoice, ChartKind, ChartRequest, ChartShape, SeriesStyle } from './chart.ts';
import { combiningOf, isMessage, isNamedAsTime, isSeverity, valueForm } from './fields.ts';

/** The maximum number of value columns that are drawn by default. */
const defaultValuesMax = 8;
/** The column count above which rows count as entire events, which are shown as a log or as points by default. */
const pointColumnsMax = 6;

type Uses = ReturnType<typeof usesOf>;

const hasTime = ({ time }: Uses) => time !== undefined;
const hasValues = ({ values }: Uses) => values.length > 0;
const hasTopk = ({ topk }: Uses) => topk.length > 0;
const hasGroups = ({ groups }: Uses) => groups.length > 0;
const hasHistogram = ({ histogram }: Uses) => histogram !== undefined;
const hasCategories = (uses: Uses) => hasGroups(uses) || hasTopk(uses);
const isSingleRow = ({ table, groups }: Uses) => groups.length === 0 && table.rowCount <= 1;
const sums = ({ table, values, topk }: Uses) =>
  [...values, ...topk].some((index) => combiningOf(table.fields[index] as AnswerField) === 'sum');
/** Whether rows aren't summaries, so that a single row doesn't represent its group. */
const isRaw = ({ aggregated, table }: Uses) => !aggregated && table.rowCount > 1;
const hasPoints = ({ table, values }: Uses) =>
  values.filter((index) => valueForm(table.fields[index] as AnswerField) === 'number').length > 1;

/** The first rule that applies determines the default kind. Each kind is offered once. */
const rules: readonly (readonly [kind: ChartKind, applies: (uses: Uses) => boolean])[] = [
  ['logStream', (uses) => uses.events && uses.hasMessage && isLog(uses)],
  ['scatter', (uses) => uses.events && uses.wholeEvents && hasValues(uses)],
  ['timeSeries', (uses) => hasTime(uses) && hasValues(uses)],
  ['heatmap', (uses) => hasHistogram(uses) && hasTime(uses)],
  ['timeSeries', (uses) => hasTime(uses) && hasTopk(uses)],
  ['logStream', (uses) => uses.events],
  ['statistic', (uses) => !hasTime(uses) && isSingleRow(uses) && hasValues(uses)],
  ['scatter', (uses) => isRaw(uses) && !hasTime(uses) && hasPoints(uses)],
  ['topList', (uses) => !uses.events && hasGroups(uses) && (hasValues(uses) || hasTopk(uses))],
  ['topList', hasTopk],
  ['topList', (uses) => hasHistogram(uses) && !hasTime(uses)],
  ['topList', (uses) => isSingleRow(uses) && uses.values.length > 1],
  ['scatter', (uses) => !hasTime(uses) && hasPoints(uses) && !isSingleRow(uses)],
  ['pie', (uses) => hasCategories(uses) && !uses.events && sums(uses)],
  ['heatmap', (uses) => hasTime(uses) && !uses.events && hasCategories(uses)],
  [
    'statistic',
    (uses) => hasValues(uses) && (uses.aggregated || hasTime(uses) || uses.table.rowCount <= 1),
  ],
  ['scatter', (uses) => hasTime(uses) && hasValues(uses) && !hasLists(uses)],
  ['scatter', (uses) => hasPoints(uses) && !isSingleRow(uses)],
];

function isLog({ table, values, wholeEvents }: Uses): boolean {
  return wholeEvents || values.length === 0 || table.fields.some(isSeverity);
}

function hasLists({ table, values }: Uses): boolean {
  const lists = new Set<unknown>(['array', 'percentiles']);
  return values.some((index) => lists.has(valueForm(table.fields[index] as AnswerField)));
}

export function chartShape(table: AnswerTable, aggregated: boolean): ChartShape {
  const uses = usesOf(table, aggregated);
  const kinds = [...new Set(rules.filter(([, applies]) => applies(uses)).map(([kind]) => kind))];
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

/** Returns the chosen kind if the shape allows it, otherwise the shape's first kind. */
export function chosenKind({ kinds }: ChartShape, { kind }: ChartChoice): ChartKind {
  return kinds.find((one) => one === kind) ?? kinds[0] ?? 'timeSeries';
}

/** Completes a chart choice with defaults. The worker rejects requests for shapes without kinds. */
export function chartRequest(
  shape: ChartShape,
  choice: ChartChoice,
  bounds: Pick<ChartRequest, 'maxSeries' | 'maxPoints' | 'timeZone'>,
): ChartRequest {
  const kind = chosenKind(shape, choice);
  const chosen = choice.values?.filter((index) => shape.values.includes(index)) ?? [];
  const values = chosen.length > 0 ? chosen : shape.defaultValues;
  const style = choice.style ?? shape.style;
  // Draw bars by default only for counts and sums, because these are zero without events.
  const missing = choice.missing ?? (shape.style === 'bars' ? 'zero' : 'gap');
  // In a scatter plot, draw several chosen columns against each other instead of over time.
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

function usesOf(table: AnswerTable, aggregated: boolean) {
  const { fields } = table;
  const columns = (test: (field: AnswerField) => boolean) =>
    fields.flatMap((field, index) => (test(field) ? [index] : []));
  const grouped = columns(({ name, agg }) => agg === undefined && table.groups.includes(name));
  const time = timeColumn(table, aggregated, grouped);
  const isArrays = time !== undefined && fields[time]?.type === 'array';
  const wholeEvents = !aggregated && time !== undefined && !isArrays && isWholeEvents(table);
  const drawn = new Set(['number', 'timespan', 'percentiles', ...(isArrays ? ['array'] : [])]);
  const numbers = columns((field) => drawn.has(valueForm(field) ?? '')).filter(
    (index) => index !== time && !grouped.includes(index),
  );
  const names = aggregated
    ? grouped.filter((index) => index !== time)
    : wholeEvents
      ? []
      : columns(
          (field) => (field.type === 'string' || field.type === 'boolean') && !isMessage(field),
        );
  const [histogram] = columns((field) => valueForm(field) === 'histogram');
  return {
    table,
    aggregated,
    time,
    // Unlike other groups, the groups of `make-series` may be numeric.
    groups: isArrays ? columns(({ type }) => type !== 'array') : names,
    /** The columns with numbers, timespans, percentiles, or arrays over time. */
    values: isArrays ? numbers.filter((index) => fields[index]?.type === 'array') : numbers,
    topk: columns((field) => valueForm(field) === 'topk'),
    histogram,
    hasMessage: fields.some(isMessage),
    /** Whether rows are events with times. */
    events: !aggregated && time !== undefined && !isArrays,
    wholeEvents,
  };
}

/** Finds the time column: the bucket field, a group of times, or the time of events. */
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
  const time =
    find((field) => isTime(field) && field.name === buckets?.field) ??
    find((field, index) => isTime(field) && grouped.includes(index)) ??
    find((field) => isTime(field) && field.name === '_time');
  if (time !== undefined || aggregated) return time;
  const event = find((field) => isTime(field) && field.name !== '_sysTime');
  const arrays = fields.filter(({ type, agg }) => type === 'array' && agg === undefined);
  if (event !== undefined || arrays.length < 2) return event;
  return (
    find((field) => arrays.includes(field) && field.name === '_time') ??
    find((field) => arrays.includes(field) && isNamedAsTime(field))
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
    (index) => valueForm(field(index)) !== 'number' || isNumeric(field(index).type),
  );
  const usable = pure.length > 0 ? pure : values;
  if (!wholeEvents) return usable.slice(0, defaultValuesMax);
  const best =
    usable.find((index) => field(index).unit !== undefined) ??
    usable.find((index) => measureName.test(field(index).name)) ??
    usable[0];
  return best === undefined || time === undefined ? usable.slice(0, 2) : [best];
}
