/**
 * Maps the tables of the OpenTelemetry Collector's ClickHouse exporter to the fields that OTLP ingest gives spans and
 * log records (`local/src/otlp/`). The tables are from `exporter/clickhouseexporter` of
 * https://github.com/open-telemetry/opentelemetry-collector-contrib. They are recognized by their columns. Absent values
 * are empty strings or 0 in these tables, and null in most fields.
 */
import { isConventional, PROMOTED } from '../../../otlp/conventions.ts';
import type { StoredType } from '../../../store/layout.ts';
import { quoteText } from '../quotes.ts';
import { jsonText } from '../sql/formats.ts';
import { computedOnce, newVariable } from '../sql/lists.ts';
import { elementType, type FieldSql, isJson, jsonSql, pathSqlOf } from './columnTypes.ts';
import type { FoundPaths } from './found.ts';

/** A column of a table: its type in ClickHouse and the SQL that refers to it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly sql: string;
}

export interface FieldColumn extends FieldSql {
  readonly field: string;
}

type Columns = ReadonlyMap<string, Column>;
type PathsOf = (column: string) => FoundPaths;
type Row = readonly [field: string, type: StoredType, sql: (column: string) => string];

interface Schema {
  readonly kind: string;
  /** Columns that only such tables have together. */
  readonly columns: readonly string[];
  readonly fields: Readonly<Record<string, Row>>;
  readonly attributes: Readonly<Partial<Record<string, Prefix>>>;
  readonly lists: (columns: Columns) => readonly FieldColumn[];
}

const present = (column: string) => `nullIf(${column}, '')`;
const positive = (column: string) => `CAST(nullIf(${column}, 0), 'Nullable(Int64)')`;

/** Keeps an absent value as an empty string, so that ClickHouse can use an index of the column. */
const indexed = (column: string) => column;

const common: Readonly<Record<string, Row>> = {
  TraceId: ['trace_id', 'string', present],
  SpanId: ['span_id', 'string', present],
  ServiceName: ['service.name', 'string', indexed],
  ScopeName: ['scope.name', 'string', present],
  ScopeVersion: ['scope.version', 'string', present],
};

/** Columns with what other columns or the mapping have already. */
const LEFT_OUT =
  /^(?:TimestampTime|TimestampDate|\w+AttributesKeys|ResourceSchemaUrl|ScopeSchemaUrl|ScopeDroppedAttrCount)$/;

const isError = (code: string) => `(upper(replaceOne(${code}, 'STATUS_CODE_', '')) = 'ERROR')`;

const schemas: readonly Schema[] = [
  {
    kind: 'otel:logs:v1',
    columns: [
      ...['Timestamp', 'TraceId', 'SpanId', 'TraceFlags', 'SeverityText', 'SeverityNumber'],
      ...['ServiceName', 'Body', 'ResourceAttributes', 'LogAttributes'],
    ],
    fields: {
      ...common,
      TraceFlags: ['flags', 'integer', positive],
      SeverityText: ['severity_text', 'string', present],
      SeverityNumber: ['severity_number', 'integer', positive],
      Body: ['body', 'string', present],
      EventName: ['event_name', 'string', present],
    },
    attributes: {
      ResourceAttributes: 'resource',
      ScopeAttributes: 'scope',
      LogAttributes: 'attributes',
    },
    lists: () => [],
  },
  {
    kind: 'otel:traces:v1',
    columns: [
      ...['Timestamp', 'TraceId', 'SpanId', 'ParentSpanId', 'SpanName', 'SpanKind'],
      ...['ServiceName', 'ResourceAttributes', 'SpanAttributes', 'Duration', 'StatusCode'],
    ],
    fields: {
      ...common,
      // All spans have these.
      TraceId: ['trace_id', 'string', indexed],
      SpanId: ['span_id', 'string', indexed],
      ParentSpanId: ['parent_span_id', 'string', present],
      TraceState: ['trace_state', 'string', present],
      SpanName: ['name', 'string', indexed],
      SpanKind: [
        'kind',
        'string',
        (kind) => `if(${kind} = '', 'unspecified', lower(replaceOne(${kind}, 'SPAN_KIND_', '')))`,
      ],
      // Durations beyond 292 years are null.
      Duration: ['duration', 'integer', (nanos) => `accurateCastOrNull(${nanos}, 'Int64')`],
      StatusCode: [
        'status.code',
        'string',
        (code) =>
          computedOnce(
            [`upper(replaceOne(${code}, 'STATUS_CODE_', ''))`],
            (name) => `if(${name} IN ('', 'UNSET'), NULL, ${name})`,
          ),
      ],
      StatusMessage: ['status.message', 'string', present],
    },
    attributes: {
      ResourceAttributes: 'resource',
      ScopeAttributes: 'scope',
      SpanAttributes: 'attributes',
    },
    lists: (columns) => [
      { field: 'error', type: 'boolean', sql: isError(columns.get('StatusCode')!.sql) },
      ...listOf(columns, 'events', 'Events', ['Timestamp', 'Name', 'Attributes'], eventMembers),
      ...listOf(
        columns,
        'links',
        'Links',
        ['TraceId', 'SpanId', 'TraceState', 'Attributes'],
        linkMembers,
      ),
    ],
  },
];

export interface OtelTable {
  readonly kind: string;
  /** Returns whether the mapping needs a key or path that rows have in a column, or undefined if it needs none. */
  readonly searches: (column: string) => ((path: string) => boolean) | undefined;
  /** Returns the fields, and the columns that they don't cover. */
  readonly map: (pathsOf: PathsOf) => {
    readonly fields: readonly FieldColumn[];
    readonly rest: readonly Column[];
  };
}

/** The column with the time of events in these tables. */
export const OTEL_TIME = 'Timestamp';

/** Recognizes a table of the exporter. `all` are its columns without hidden ones. */
export function otelTable(all: readonly Column[]): OtelTable | undefined {
  const columns = new Map(all.map((column) => [column.name, column]));
  const schema = schemas.find((one) => one.columns.every((name) => columns.has(name)));
  if (schema === undefined) return undefined;
  const attributes = Object.keys(schema.attributes).flatMap((name) => columns.get(name) ?? []);
  return {
    kind: schema.kind,
    searches: (name) => {
      const prefix = schema.attributes[name];
      return prefix && ((path) => isField(prefix, path));
    },
    map: (pathsOf) => ({
      fields: [
        ...Object.entries(schema.fields).flatMap(([name, [field, type, sql]]) => {
          const column = columns.get(name);
          if (column === undefined) return [];
          const isBare = sql === indexed && column.type === 'String';
          return [{ field, type, sql: sql(column.sql), isBare }];
        }),
        ...schema.lists(columns),
        ...attributes.flatMap((column) =>
          attributeFields(column, schema.attributes[column.name]!, pathsOf(column.name)),
        ),
      ],
      rest: all.filter(
        ({ name }) =>
          !Object.hasOwn(schema.fields, name) &&
          !Object.hasOwn(schema.attributes, name) &&
          !LEFT_OUT.test(name) &&
          !/^(?:Events|Links)[.]/.test(name),
      ),
    }),
  };
}

type Prefix = 'attributes' | 'resource' | 'scope';

function isField(prefix: Prefix, key: string): boolean {
  if (prefix === 'scope') return false;
  return isConventional(key) || (prefix === 'resource' && PROMOTED.has(key));
}

/** Returns fields for conventional attributes, and a map field with all others, so that no attribute is missing. */
function attributeFields(column: Column, prefix: Prefix, found: FoundPaths): FieldColumn[] {
  const keys = [...found.keys()].filter((key) => isField(prefix, key)).sort();
  const read = isJson(column.type) ? readJson : readMap;
  const { values, custom } = read(column, keys, found);
  const fields = values.flatMap(({ key, type, sql }) => {
    const field = prefix === 'resource' && PROMOTED.has(key) ? key : `${prefix}.${key}`;
    // The column ServiceName has it.
    return field === 'service.name' ? [] : [{ field, type, sql }];
  });
  const name = prefix === 'scope' ? 'scope.attributes' : `${prefix}.custom`;
  return [...fields, { field: name, type: 'map', sql: custom }];
}

interface AttributeColumns {
  readonly values: readonly {
    readonly key: string;
    readonly type: StoredType;
    readonly sql: string;
  }[];
  /** SQL for the JSON of all other attributes, or null if there are none. */
  readonly custom: string;
}

function readMap({ sql, type }: Column, keys: readonly string[]): AttributeColumns {
  const [key, value] = [newVariable(), newVariable()];
  const byType = Map.groupBy(keys, (name) => attributeType(name));
  const shown = [...byType].map(([of, names]) => {
    const isOne = `${key} IN (${names.map(quoteText).join(', ')})`;
    return of === 'string' ? isOne : `(${isOne} AND isNotNull(${parsed(of, value)}))`;
  });
  const rest =
    shown.length === 0
      ? sql
      : `mapFilter((${key}, ${value}) -> NOT (${shown.join(' OR ')}), ${sql})`;
  return {
    values: keys.map((name) => {
      const of = attributeType(name);
      const at = `${sql}[${quoteText(name)}]`;
      const has = `mapContains(${sql}, ${quoteText(name)})`;
      return { key: name, type: of, sql: `if(${has}, ${parsed(of, at)}, NULL)` };
    }),
    custom: `nullIf(${jsonSql(type, rest)}, '{}')`,
  };
}

function readJson(
  { sql, type }: Column,
  keys: readonly string[],
  found: FoundPaths,
): AttributeColumns {
  return {
    values: keys.flatMap((key) =>
      pathSqlOf(type, sql, key, found.get(key)!).map((one) => ({ ...one, key })),
    ),
    custom: `nullIf(${flatJson(sql, keys)}, '{}')`,
  };
}

/** Writes JSON with the paths of a value as keys, because attributes have names with dots, and ClickHouse nests these. */
function flatJson(sql: string, except: readonly string[] = []): string {
  const [path, json, part] = [newVariable(), newVariable(), newVariable()];
  const paths =
    except.length === 0
      ? `JSONAllPaths(${sql})`
      : `arrayFilter(${path} -> ${path} NOT IN (${except.map(quoteText).join(', ')}), JSONAllPaths(${sql}))`;
  return computedOnce([`toJSONString(${sql})`], (text) => {
    const value = `arrayFold((${json}, ${part}) -> JSONExtractRaw(${json}, ${part}), splitByChar('.', ${path}), ${text})`;
    const members = `arrayMap(${path} -> concat(toJSONString(${path}), ':', ${value}), ${paths})`;
    return `concat('{', arrayStringConcat(${members}, ','), '}')`;
  });
}

/** Writes a JSON object of members, without those that are empty strings. */
function objectOf(members: readonly string[]): string {
  const member = newVariable();
  const list = `arrayFilter(${member} -> ${member} != '', [${members.join(', ')}])`;
  return `concat('{', arrayStringConcat(${list}, ','), '}')`;
}

/** The names of a list's columns in a table, such as `Events.Name`, and how its items become members of JSON. */
function listOf(
  columns: Columns,
  field: string,
  list: string,
  names: readonly string[],
  members: (items: readonly Column[]) => readonly string[],
): FieldColumn[] {
  const found = names.flatMap((name) => columns.get(`${list}.${name}`) ?? []);
  if (found.length < names.length) return [];
  const items = found.map(({ name, type }) => ({
    name,
    type: elementType(type),
    sql: newVariable(),
  }));
  const parameters = items.map(({ sql }) => sql).join(', ');
  const objects = `arrayMap((${parameters}) -> ${objectOf(members(items))}, ${found.map(({ sql }) => sql).join(', ')})`;
  const json = `concat('[', arrayStringConcat(${objects}, ','), ']')`;
  return [{ field, type: 'array', sql: `if(empty(${found[0]!.sql}), NULL, ${json})` }];
}

function eventMembers([time, name, attributes]: readonly Column[]): readonly string[] {
  return [
    `concat('"name":', ${jsonText(`toString(${name!.sql})`)})`,
    `concat('"timestamp":', toString(toUnixTimestamp64Nano(${time!.sql})))`,
    attributesMember(attributes!),
  ];
}

function linkMembers([trace, span, state, attributes]: readonly Column[]): readonly string[] {
  const text = (name: string, { sql }: Column) =>
    `if(${sql} = '', '', concat('"${name}":', ${jsonText(`toString(${sql})`)}))`;
  return [
    text('trace_id', trace!),
    text('span_id', span!),
    text('trace_state', state!),
    attributesMember(attributes!),
  ];
}

function attributesMember({ sql, type }: Column): string {
  return computedOnce(
    [isJson(type) ? flatJson(sql) : jsonSql(type, sql)],
    (json) => `if(${json} = '{}', '', concat('"attributes":', ${json}))`,
  );
}

/** A map has attributes as text. Returns SQL for the value of the attribute's type, or null for other text. */
function parsed(type: StoredType, text: string): string {
  switch (type) {
    case 'integer':
      return `if(toString(toInt64OrNull(${text})) = ${text}, toInt64OrNull(${text}), NULL)`;
    case 'float':
      return `toFloat64OrNull(${text})`;
    case 'boolean':
      return `multiIf(${text} = 'true', true, ${text} = 'false', false, NULL)`;
    default:
      return text;
  }
}

function attributeType(name: string): StoredType {
  for (const [type, names] of Object.entries(NAMES_BY_TYPE))
    if (names.test(name)) return type as StoredType;
  return 'string';
}

/** Conventional attributes that aren't strings, from OpenTelemetry's semantic conventions, version 1.45.0. */
const NAMES_BY_TYPE: Readonly<Partial<Record<StoredType, RegExp>>> = {
  integer:
    /^(?:(?:client|server|source|destination|url)\.port|network\.(?:local|peer)\.port|net\.(?:host|peer|sock\.host|sock\.peer)\.port|http\.(?:status_code|response\.status_code|resend_count|request\.resend_count|(?:request|response)\.(?:body\.)?size|(?:request|response)_content_length(?:_uncompressed)?)|code\.(?:lineno|column|line\.number|column\.number)|thread\.id|process\.(?:pid|parent_pid|vpid|args_count|exit\.code|(?:group|session)_leader\.pid)|rpc\.(?:grpc\.status_code|jsonrpc\.error_code|message\.(?:id|compressed_size|uncompressed_size))|message\.(?:id|compressed_size|uncompressed_size)|db\.(?:response\.returned_rows|operation\.batch\.size|redis\.database_index)|messaging\.(?:batch\.message_count|message\.(?:body|envelope)\.size|kafka\.(?:message\.)?offset)|gen_ai\.(?:usage\.[\w.]*tokens|request\.(?:max_tokens|seed|choice\.count))|container\.restart_count|k8s\.container\.restart_count)$/,
  float: /^gen_ai\.request\.(?:temperature|top_p|top_k|frequency_penalty|presence_penalty)$/,
  boolean:
    /^(?:exception\.escaped|faas\.coldstart|tls\.(?:established|resumed)|jvm\.thread\.daemon|browser\.mobile|messaging\.destination\.(?:anonymous|temporary))$/,
};
