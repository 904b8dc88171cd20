/**
 * The tables of ClickHouse, as its users declare them: log events ordered by time, a dictionary for fields of few values,
 * a Bloom filter for ids that are looked up. Each insert is on disk before it is acknowledged.
 */
import { numberFields } from './sparse.ts';

export interface Table {
  readonly name: string;
  readonly create: string;
  /** How a line of the file becomes a row. */
  readonly format: 'JSONEachRow' | 'JSONAsObject';
}

const durable = 'fsync_after_insert = 1, fsync_part_directory = 1';

export const typedLogs = logs([]);

/** A missing number is not zero, so the columns are nullable. */
export const sparseLogs = logs(numberFields.map((name) => `${name} Nullable(UInt32)`));

function logs(more: readonly string[]): Table {
  const columns = [
    "_time DateTime64(9, 'UTC')",
    'level LowCardinality(String)',
    'method LowCardinality(String)',
    'uri String',
    'status UInt16',
    'duration Float64',
    'host LowCardinality(String)',
    'client String',
    'trace_id String',
    'message String',
    'geo Tuple(city LowCardinality(String), country LowCardinality(String))',
    'kubernetes Tuple(pod String, namespace LowCardinality(String), node LowCardinality(String))',
    ...more,
    'INDEX trace_ids trace_id TYPE bloom_filter(0.001) GRANULARITY 1',
  ];
  return {
    name: 'events',
    format: 'JSONEachRow',
    create: `CREATE TABLE events (${columns.join(', ')}) ENGINE = MergeTree ORDER BY _time SETTINGS ${durable}`,
  };
}

/** Log events of which nothing is known but their time. */
export const jsonLogs: Table = {
  name: 'events',
  format: 'JSONAsObject',
  create: `CREATE TABLE events (data JSON(_time DateTime64(9, 'UTC'))) ENGINE = MergeTree ORDER BY data._time SETTINGS ${durable}`,
};

/** The table of JSONBench: the order, the typed paths and the settings that ClickHouse chose for its five questions. */
export const bluesky: Table = {
  name: 'events',
  format: 'JSONAsObject',
  create: `CREATE TABLE events (data JSON(
      max_dynamic_paths = 0,
      kind LowCardinality(String),
      commit.operation LowCardinality(String),
      commit.collection LowCardinality(String),
      did String,
      time_us UInt64
    ) CODEC(ZSTD(1)))
    ENGINE = MergeTree
    ORDER BY (data.kind, data.commit.operation, data.commit.collection, data.did, fromUnixTimestamp64Micro(data.time_us))
    SETTINGS ${durable}, object_serialization_version = 'v3', dynamic_serialization_version = 'v3',
      object_shared_data_serialization_version = 'advanced',
      object_shared_data_serialization_version_for_zero_level_parts = 'map_with_buckets'`,
};

/** Inserts a file of NDJSON, which the engine reads itself. */
export function insertFile({ name, format }: Table, file: string): string {
  return `INSERT INTO ${name} FROM INFILE '${file}' FORMAT ${format}`;
}
