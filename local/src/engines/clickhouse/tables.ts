/**
 * The SQL of datasets' tables. A dataset is a table of its name in the deployment's database. The table's comment has
 * the dataset's settings, and the name and comment of a column have the field, its type and its details, so all
 * processes that use the database find the same datasets. On a cluster, a dataset is a `Distributed` table over a
 * replicated table on each server.
 */
import { createHash } from 'node:crypto';
import { Dataset as DatasetDocument, stringifyJson } from '../../../../api/src/index.ts';
import {
  type Dataset,
  type FieldDetails,
  type FieldRow,
  makeDataset,
  SYSTEM_FIELDS,
} from '../../store/datasetRecords.ts';
import type { DatasetLayout } from '../../store/layout.ts';
import { readStored } from '../../store/storedJson.ts';
import type { ClickHouseOptions } from '../clickhouseOptions.ts';
import { clickhouseTypes, fieldOfColumn, ROW_COLUMN, TIME_TYPE, timeSql } from './columns.ts';
import { quoteName, quoteText } from './quotes.ts';

/** Starts the comment of a dataset's table. Tables without it are left alone. */
const COMMENT_PREFIX = 'aplomb dataset ';

/** Ends the names of replicated tables. Names of datasets have no colon. */
const STORED = ':stored';

/** The number of blocks whose repetition ClickHouse recognizes. It forgets older ones. */
const DEDUPLICATED_BLOCKS = 10_000;

export class Tables {
  readonly database: string;
  readonly cluster: string | undefined;
  /** The clause that runs a statement on all servers of the cluster. */
  readonly onCluster: string;

  constructor({ database, cluster }: ClickHouseOptions) {
    this.database = database;
    this.cluster = cluster;
    this.onCluster = cluster === undefined ? '' : ` ON CLUSTER ${quoteName(cluster)}`;
  }

  /** Returns the SQL name of the table that queries read and rows are inserted into. */
  nameOf(dataset: string): string {
    return `${quoteName(this.database)}.${quoteName(dataset)}`;
  }

  /** Returns the SQL name of the table with the rows. On a cluster, each server has a part of them. */
  storedNameOf(dataset: string): string {
    return this.nameOf(this.#storedName(dataset));
  }

  #storedName(dataset: string): string {
    return this.cluster === undefined ? dataset : `${dataset}${STORED}`;
  }

  /** Returns the condition that a row of the table `system.tables` is a table of a dataset. */
  isPartSql(): string {
    const isStored = `database = ${quoteText(this.database)} AND endsWith(name, ${quoteText(STORED)})`;
    return `startsWith(comment, ${quoteText(COMMENT_PREFIX)}) OR (${isStored})`;
  }

  /** Returns the comment of a dataset's table, which has its settings. */
  commentOf(document: DatasetDocument): string {
    return COMMENT_PREFIX + stringifyJson(document);
  }

  createDatabaseSql(): string {
    return `CREATE DATABASE IF NOT EXISTS ${quoteName(this.database)}${this.onCluster}`;
  }

  /**
   * Returns the statements that create a dataset, which must not exist. On a cluster, an interrupted creation or deletion
   * may have left a table with rows behind, which the first statement drops.
   */
  createSql(document: DatasetDocument): string[] {
    const { name } = document;
    const columns = [
      ...SYSTEM_FIELDS.map(
        (field) => `${quoteName(field.name)} ${TIME_TYPE} CODEC(Delta, ZSTD(1))`,
      ),
      `${quoteName(ROW_COLUMN)} Int64 CODEC(Delta, ZSTD(1))`,
    ];
    const table = (
      sqlName: string,
      { engine, order = '', settings = '' }: { engine: string; order?: string; settings?: string },
      comment: string,
    ) =>
      `CREATE TABLE ${sqlName}${this.onCluster} (${columns.join(', ')}) ENGINE = ${engine}${order}${settings}${comment}`;
    const comment = ` COMMENT ${quoteText(this.commentOf(document))}`;
    const ttl = ttlSql(document);
    const order = ` PARTITION BY toYYYYMMDD(_time) ORDER BY (_time, ${ROW_COLUMN})${ttl === undefined ? '' : ` ${ttl}`}`;
    const settings = ' SETTINGS ttl_only_drop_parts = 1';
    if (this.cluster === undefined) {
      const own = `${settings}, non_replicated_deduplication_window = ${DEDUPLICATED_BLOCKS}`;
      return [table(this.nameOf(name), { engine: 'MergeTree', order, settings: own }, comment)];
    }
    const replicated = `${settings}, replicated_deduplication_window = ${DEDUPLICATED_BLOCKS}`;
    const target = [this.cluster, this.database, this.#storedName(name)].map(quoteText).join(', ');
    // A repeated block must be divided among the servers in the same way, so the division depends on the rows alone.
    const distributed = `Distributed(${target}, intHash64(${ROW_COLUMN}))`;
    return [
      this.#dropTableSql(this.storedNameOf(name)),
      table(
        this.storedNameOf(name),
        { engine: 'ReplicatedMergeTree', order, settings: replicated },
        '',
      ),
      table(this.nameOf(name), { engine: distributed }, comment),
    ];
  }

  dropSql(dataset: string): string[] {
    return this.#tablesOf(dataset)
      .reverse()
      .map((table) => this.#dropTableSql(table));
  }

  #dropTableSql(table: string): string {
    return `DROP TABLE IF EXISTS ${table}${this.onCluster} SYNC`;
  }

  addColumnsSql(dataset: string, columns: readonly string[]): string[] {
    const added = columns.map((column) => {
      const { type } = fieldOfColumn(column)!;
      return `ADD COLUMN IF NOT EXISTS ${quoteName(column)} ${clickhouseTypes[type]}`;
    });
    return this.#alter(this.#tablesOf(dataset), added);
  }

  dropColumnsSql(dataset: string, columns: readonly string[]): string[] {
    const dropped = columns.map((column) => `DROP COLUMN IF EXISTS ${quoteName(column)}`);
    // Queries must not find a column that the servers lack.
    return this.#alter(this.#tablesOf(dataset).reverse(), dropped);
  }

  /** Returns the statements that store a dataset's settings. `before` are the current settings. */
  saveSql(document: DatasetDocument, before: DatasetDocument): string[] {
    const { name } = document;
    const saved = [`MODIFY COMMENT ${quoteText(this.commentOf(document))}`];
    const ttl = ttlSql(document);
    const ttlBefore = ttlSql(before);
    const change = ttl === ttlBefore ? [] : [ttl === undefined ? 'REMOVE TTL' : `MODIFY ${ttl}`];
    return [
      ...this.#alter(change.length > 0 ? [this.storedNameOf(name)] : [], change),
      ...this.#alter([this.nameOf(name)], saved),
    ];
  }

  /** Returns the statement that stores details of a field in the comment of its first column. */
  saveDetailsSql(dataset: string, columns: readonly string[], details: FieldDetails): string[] {
    const comment = quoteText(JSON.stringify(details));
    const changes = columns.map((column) => `COMMENT COLUMN ${quoteName(column)} ${comment}`);
    return this.#alter([this.nameOf(dataset)], changes);
  }

  /** Returns the statements that delete the events before a time, in nanoseconds since 1970. */
  trimSql(dataset: string, partitions: readonly string[], before: bigint): string[] {
    const table = this.storedNameOf(dataset);
    const dropped = partitions.map((id) => `DROP PARTITION ID ${quoteText(id)}`);
    return [
      ...this.#alter(dropped.length > 0 ? [table] : [], dropped),
      `DELETE FROM ${table}${this.onCluster} WHERE ${isOlderSql(before)}`,
    ];
  }

  /** Returns SQL that reads the table `system.parts` of all servers, each replicated part once. */
  partsOf(dataset: string): string {
    const parts =
      this.cluster === undefined
        ? 'system.parts'
        : `cluster(${quoteText(this.cluster)}, system.parts)`;
    const [database, table] = [this.database, this.#storedName(dataset)].map(quoteText);
    return `${parts} WHERE database = ${database} AND table = ${table} AND active`;
  }

  /** Returns SQL that lists the datasets: name, numbering and comment. */
  listSql(name?: string): string {
    const one = name === undefined ? '' : ` AND name = ${quoteText(name)}`;
    return `SELECT name, toString(uuid), comment FROM system.tables
      WHERE database = ${quoteText(this.database)} AND startsWith(comment, ${quoteText(COMMENT_PREFIX)})${one}
      ORDER BY name`;
  }

  listColumnsSql(name?: string): string {
    const one = name === undefined ? '' : ` AND table = ${quoteText(name)}`;
    return `SELECT table, name, comment FROM system.columns
      WHERE database = ${quoteText(this.database)}${one} ORDER BY table, position`;
  }

  #tablesOf(dataset: string): string[] {
    return this.cluster === undefined
      ? [this.nameOf(dataset)]
      : [this.storedNameOf(dataset), this.nameOf(dataset)];
  }

  #alter(tables: readonly string[], changes: readonly string[]): string[] {
    return tables.map((table) => `ALTER TABLE ${table}${this.onCluster} ${changes.join(', ')}`);
  }
}

export function isOlderSql(before: bigint): string {
  return `_time < ${timeSql(before)}`;
}

function ttlSql({ retentionDays = 0, useRetentionPeriod }: DatasetDocument): string | undefined {
  if (useRetentionPeriod !== true || retentionDays === 0) return undefined;
  return `TTL toDate32(_time) + INTERVAL ${retentionDays + 1} DAY`;
}

export type TableRow = readonly [name: string, uuid: string, comment: string];
export type ColumnRow = readonly [table: string, column: string, comment: string];

/** Returns a dataset from its table, or the reason why its settings can't be read. */
export function readDataset(
  tables: Tables,
  [name, uuid, comment]: TableRow,
  columns: readonly ColumnRow[],
): Dataset | string {
  const document = readStored(DatasetDocument, comment.slice(COMMENT_PREFIX.length));
  if (typeof document === 'string') return document;
  const { source } = document;
  // The numbers of a table's rows stay the same if the view is replaced.
  const id = numberingOf(source === undefined ? uuid : md5(JSON.stringify([name, source])));
  const rows = columns.flatMap(([, column, details]): FieldRow[] => {
    const system = SYSTEM_FIELDS.some((field) => field.name === column);
    const field = fieldOfColumn(column);
    const found: FieldRow[] = [];
    if (field !== undefined) found.push([id, field.name, field.type, column, null]);
    const owner = system ? column : field?.name;
    if (owner !== undefined && details !== '') found.push([id, owner, 'details', '', details]);
    return found;
  });
  const dataset = makeDataset(id, { ...document, name }, rows);
  const layout = { ...dataset.layout, table: tables.nameOf(name) };
  if (source === undefined) return { ...dataset, layout };
  const mapFields = mapFieldsOf(layout);
  return {
    ...dataset,
    document: { ...dataset.document, canWrite: false, mapFields },
    layout: { ...layout, readOnly: true },
  };
}

function mapFieldsOf({ fields }: DatasetLayout): string[] {
  return fields.flatMap(({ name, variants }) =>
    variants.some(({ type }) => type === 'map') ? [name] : [],
  );
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Returns a number for the rows of a table, which differs from those of earlier tables of the same name. */
function numberingOf(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
}
