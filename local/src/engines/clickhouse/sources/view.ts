/**
 * The view of a dataset whose rows are those of a table that exists already. It has the columns that a table of a
 * dataset has, so queries on it are translated in the same way. ClickHouse computes only the columns that a query uses,
 * and compares times in the table's own column, so partitions and indexes apply.
 */
import type { Dataset as DatasetDocument, DatasetSource } from '../../../../../api/src/index.ts';
import { RESERVED_FIELD_PREFIX, RESERVED_FIELDS } from '../../../../../api/src/plain.ts';
import type { FieldDetails } from '../../../store/datasetRecords.ts';
import { clickhouseTypes, columnOf, ROW_COLUMN, TIME_TYPE } from '../columns.ts';
import { quoteName, quoteText } from '../quotes.ts';
import { restartVariables } from '../sql/lists.ts';
import {
  eventTimeSql,
  fieldSqlOf,
  isJson,
  isMap,
  isNullable,
  isTime,
  pathSqlOf,
} from './columnTypes.ts';
import { type FoundColumns, type FoundPaths, foundText } from './found.ts';
import { type Column, type FieldColumn, OTEL_TIME, otelTable } from './otel.ts';

export { isTime } from './columnTypes.ts';

/** A column of a table in ClickHouse. `isKey`: it is part of the sorting or partition key. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

export interface SearchedColumn extends Column {
  readonly isMap: boolean;
  readonly isUseful: (path: string) => boolean;
}

/** A table that is the source of a dataset, as the declaration and the table's columns describe it. */
export interface SourceTable {
  readonly time: TableColumn;
  readonly kind?: string;
  /** The columns of which `fieldsOf` needs the keys or paths for which `isUseful` is true, or all. */
  readonly searched: readonly SearchedColumn[];
  readonly fieldsOf: (found: FoundColumns) => readonly FieldColumn[];
  /** The columns that tell rows of the same time apart. */
  readonly hashed: readonly Column[];
  /** The columns that fields can't have, because of their types. */
  readonly leftOut: readonly TableColumn[];
}

/** The fields with the time of an event, which is also the time of its arrival. */
const TIME_FIELDS: readonly string[] = ['_sysTime', '_time'];

/** The alias of the table in the view. */
const TABLE = 't';

/** Returns the table, or the reason why it can't be the source of a dataset, as a sentence. */
export function readSource(
  source: DatasetSource,
  columns: readonly TableColumn[],
): SourceTable | string {
  const { hidden = [], key = [] } = source;
  const unknown = [...hidden, ...key].find((name) => !columns.some((one) => one.name === name));
  if (unknown !== undefined)
    return `The table has no column ${JSON.stringify(unknown)}. Correct hidden and key.`;
  const shown = columns
    .filter(({ name }) => !hidden.includes(name))
    .map((column) => ({ ...column, sql: `${TABLE}.${quoteName(column.name)}` }));
  const otel = otelTable(shown);
  const time = timeOf(source, columns, otel !== undefined);
  if (typeof time === 'string') return time;
  const rest = shown.filter(({ name }) => name !== time.name);
  const searched = rest.flatMap((column) => {
    const isUseful = otel?.searches(column.name) ?? (isJson(column.type) ? () => true : undefined);
    return isUseful === undefined ? [] : [{ ...column, isMap: isMap(column.type), isUseful }];
  });
  return {
    time,
    ...(otel && { kind: otel.kind }),
    searched,
    hashed: shown.filter(({ type, sql }) => isJson(type) || fieldSqlOf(type, sql) !== undefined),
    leftOut: rest.filter(({ type, sql }) => !isJson(type) && fieldSqlOf(type, sql) === undefined),
    fieldsOf: (found) => {
      restartVariables();
      const pathsOf = (column: string) => found.get(column) ?? new Map();
      const mapped = otel?.map(pathsOf) ?? { fields: [], rest };
      const others = mapped.rest.filter(({ name }) => name !== time.name);
      // Fields of columns take precedence over paths of JSON columns with the same names.
      const inOrder = [
        ...others.filter(({ type }) => !isJson(type)),
        ...others.filter(({ type }) => isJson(type)),
      ];
      const general = inOrder.map((column) => fieldsOfColumn(column, pathsOf(column.name)));
      return withoutDuplicates([mapped.fields, ...general]);
    },
  };
}

/** Returns the column with the time of events, or why there is none. */
function timeOf(
  source: DatasetSource,
  columns: readonly TableColumn[],
  isOtel: boolean,
): TableColumn | string {
  const times = columns.filter(({ type }) => isTime(type));
  const name = source.time ?? (isOtel ? OTEL_TIME : undefined);
  const names = times.map((column) => column.name).join(', ');
  if (times.length === 0) return 'The table has no column of a date or time type.';
  if (name === undefined)
    return times.length === 1
      ? times[0]!
      : `The table has several columns with times: ${names}. Choose one as time.`;
  return (
    times.find((column) => column.name === name) ??
    `The table has no column ${JSON.stringify(name)} of a date or time type. Choose one of these as time: ${names}.`
  );
}

function fieldsOfColumn({ name, type, sql }: Column, found: FoundPaths): readonly FieldColumn[] {
  const field = fieldName(name);
  if (!isJson(type)) return (fieldSqlOf(type, sql) ?? []).map((one) => ({ ...one, field }));
  return [...found].flatMap(([path, types]) =>
    pathSqlOf(type, sql, path, types).map((one) => ({ ...one, field: `${field}.${path}` })),
  );
}

/** Names of the service's own fields get the same prefix as in ingest. */
function fieldName(column: string): string {
  const isReserved = [...TIME_FIELDS, ...RESERVED_FIELDS].includes(column);
  return isReserved ? `${RESERVED_FIELD_PREFIX}${column}` : column;
}

/** Keeps the first column's fields of those with the same name. */
function withoutDuplicates(columns: readonly (readonly FieldColumn[])[]): readonly FieldColumn[] {
  const taken = new Set<string>();
  return columns.flatMap((fields) => {
    const free = fields.filter(({ field }) => !taken.has(field));
    for (const { field } of free) taken.add(field);
    return free;
  });
}

/** Returns the statement after CREATE VIEW and its name. `details` are those of fields, by column of the view. */
export function viewSql(
  document: DatasetDocument & { readonly source: DatasetSource },
  { time, hashed, fieldsOf }: SourceTable,
  found: FoundColumns,
  options: {
    readonly comment: string;
    readonly fieldsMax: number;
    readonly detailsOf: (column: string) => FieldDetails | undefined;
  },
): string {
  const { database, table, key, units = {} } = document.source;
  const eventTime = eventTimeSql(time.type, `${TABLE}.${quoteName(time.name)}`);
  // A conversion to a type without null could hide that the time is ordered.
  const timeType = isNullable(time.type) ? clickhouseTypes.datetime : TIME_TYPE;
  const all = fieldsOf(found);
  const names = new Set([...new Set(all.map(({ field }) => field))].slice(0, options.fieldsMax));
  const fields = all.filter(({ field }) => names.has(field));
  const identifying =
    key?.map((name) => `${TABLE}.${quoteName(name)}`) ?? hashed.map(({ sql }) => sql);
  const columns = [
    ...TIME_FIELDS.map((name) => ({
      ...{ name, type: timeType, sql: eventTime, unit: undefined, comment: undefined },
    })),
    ...fields.map(({ field, type, sql, isBare = false }) => ({
      name: columnOf(field, type),
      type: isBare ? 'String' : clickhouseTypes[type],
      sql: isBare ? sql : `CAST(${sql}, ${quoteText(clickhouseTypes[type])})`,
      unit: Object.hasOwn(units, field) ? units[field] : undefined,
      comment: undefined,
    })),
    {
      ...{ name: ROW_COLUMN, type: 'Int64', sql: rowSql([eventTime, ...identifying]) },
      ...{ unit: undefined, comment: foundText(found) },
    },
  ];
  const defined = columns.map(({ name, type, unit, comment }) => {
    const details = { ...options.detailsOf(name), ...(unit !== undefined && { unit }) };
    const text = comment ?? (Object.keys(details).length > 0 ? JSON.stringify(details) : undefined);
    return `${quoteName(name)} ${type}${text === undefined ? '' : ` COMMENT ${quoteText(text)}`}`;
  });
  const items = columns.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`);
  const where = isNullable(time.type) ? ` WHERE isNotNull(${TABLE}.${quoteName(time.name)})` : '';
  // JSON that ClickHouse writes must have integers without quotes.
  return `(${defined.join(', ')}) AS SELECT ${items.join(', ')} FROM ${quoteName(database)}.${quoteName(table)} AS ${TABLE}${where} SETTINGS output_format_json_quote_64bit_integers = 0 COMMENT ${quoteText(options.comment)}`;
}

/** Returns SQL for the row number, which tells events of the same time apart in cursors: a hash of columns. */
function rowSql(columns: readonly string[]): string {
  return `toInt64(bitShiftRight(cityHash64(tuple(${columns.join(', ')})), 1))`;
}
