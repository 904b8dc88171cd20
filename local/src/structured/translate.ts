/**
 * Translates a structured query to APL, in this order: filter, virtual fields, aggregates, sort order, limit, and
 * projection. If the filter uses virtual fields, the virtual fields come first.
 */
import { goDurationNanos, type StructuredQuery } from '../../../api/src/index.ts';
import { quoteName } from '../../../language/src/index.ts';
import { aggregationOf } from './aggregations.ts';
import { badMember } from './errors.ts';
import { expressionOf } from './expressions.ts';
import type { Fields } from './fields.ts';
import { conditionOf } from './filters.ts';

const TIME = '_time';

/** Translates a structured query. `isStream` adds a default sort by time. Throws an ApiError for an invalid member. */
export function translate(
  dataset: string,
  query: StructuredQuery,
  fields: Fields,
  isStream: boolean,
): string {
  const virtual = (query.virtualFields ?? []).map(({ alias, expr }, i) => {
    if (alias === '') throw badMember(`virtualFields[${i}].alias`, 'not be empty');
    fields.computed.add(alias);
    return `extend ${quoteName(alias)} = ${expressionOf(expr, `virtualFields[${i}].expr`)}`;
  });
  const bin = binOf(query.resolution);
  const condition = conditionOf(query.filter ?? {}, fields);
  const where = condition === undefined ? [] : [`where ${condition.text}`];
  const isGrouped = (query.aggregations ?? []).length > 0;
  const stages = [
    // A filter in front of virtual fields saves computing the fields for rows that don't match.
    ...(condition?.isComputed === true ? [...virtual, ...where] : [...where, ...virtual]),
    ...(isGrouped ? groupStages(query, fields, bin) : eventStages(query, fields, isStream)),
  ];
  return [`[${JSON.stringify(dataset)}]`, ...stages].join('\n| ');
}

function eventStages(
  { order = [], project = [], groupBy = [], limit = 0 }: StructuredQuery,
  fields: Fields,
  isStream: boolean,
): string[] {
  if (groupBy.length > 0) throw badMember('groupBy', 'be empty where there are no aggregations');
  const keys = order.map(
    ({ field, desc }, i) =>
      `${fields.of(field, `order[${i}].field`).text} ${desc ? 'desc' : 'asc'}`,
  );
  const implied = isStream ? [`${TIME} asc`] : [];
  const sorted = keys.length > 0 ? keys : implied;
  const kept = project.map(({ field, alias }, i) => {
    const { text } = fields.of(field, `project[${i}].field`);
    return `${quoteName(alias || field)} = ${text}`;
  });
  // Legacy events always include the time fields.
  const shown = [...kept, ...['_sysTime', TIME].filter((name) => !isProjected(project, name))];
  return [
    ...(sorted.length === 0 ? [] : [`sort by ${sorted.join(', ')}`]),
    ...(limit === 0 ? [] : [`limit ${limit}`]),
    ...(kept.length === 0 ? [] : [`project ${shown.join(', ')}`]),
  ];
}

function isProjected(project: NonNullable<StructuredQuery['project']>, name: string): boolean {
  return project.some(({ field, alias }) => (alias || field) === name);
}

function groupStages(query: StructuredQuery, fields: Fields, bin: string): string[] {
  const { aggregations = [], groupBy = [], order = [], limit = 0, project = [] } = query;
  const groups = groupBy.map((name, i) => {
    const { text } = fields.of(name, `groupBy[${i}]`);
    return text === quoteName(name) ? text : `${quoteName(name)} = ${text}`;
  });
  for (const [i, { field }] of project.entries()) fields.of(field, `project[${i}].field`);
  const names = new Set([...groupBy, TIME]);
  const items = aggregations.map((aggregation, i) => {
    const item = aggregationOf(aggregation, i, fields, names);
    names.add(item.name);
    return item;
  });
  const hidden = items.flatMap(({ hidden: name }) => (name === undefined ? [] : quoteName(name)));
  const keys = order.map(({ field, desc }, i) => {
    if (names.has(field)) return `${quoteName(field)} ${desc ? 'desc' : 'asc'}`;
    const known = [...names].map((name) => JSON.stringify(name)).join(', ');
    throw badMember(`order[${i}].field`, `be one of ${known}, got ${JSON.stringify(field)}`);
  });
  // With the bins first, a limit counts groups and each group keeps all of its bins.
  const by = [bin, ...groups];
  return [
    `summarize ${items.map(({ item }) => item).join(', ')} by ${by.join(', ')}`,
    ...(hidden.length === 0 ? [] : [`project-away ${hidden.join(', ')}`]),
    ...(keys.length === 0 ? [] : [`sort by ${keys.join(', ')}`]),
    ...(limit === 0 ? [] : [`limit ${limit}`]),
  ];
}

/** Returns the bin for a resolution. A number without a unit is in seconds. */
function binOf(resolution = ''): string {
  if (resolution === '' || resolution === 'auto' || resolution === '0' || resolution === '0s') {
    return `bin_auto(${TIME})`;
  }
  const text = /^\d+$/.test(resolution) ? `${resolution}s` : resolution;
  const nanos = goDurationNanos(text);
  if (nanos === undefined || nanos === 0n || nanos > RESOLUTION_MAX) {
    const given = JSON.stringify(resolution);
    throw badMember('resolution', `be auto or a duration such as 30s, got ${given}`);
  }
  return `bin(${TIME}, ${nanos}ns)`;
}

const RESOLUTION_MAX = 36_525n * 86_400_000_000_000n;
