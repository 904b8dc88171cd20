/** DuckDB by hand, in the process of the benchmark: what a person with SQL and the same file would have. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { fields, type Range } from './events.ts';

export class Peer {
  readonly file: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(file: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.file = file;
    this.#instance = instance;
    this.#connection = connection;
  }

  /** Opens a new database in a folder that is made anew. */
  static async open(folder: string): Promise<Peer> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'peer.duckdb');
    const instance = await DuckDBInstance.create(file);
    return new Peer(file, instance, await instance.connect());
  }

  /** Reads events into typed columns, one for each leaf, as one transaction that is on disk at its end. */
  async ingest(events: string): Promise<void> {
    const columns = fields.map(([path, type]) => `"${path}" ${type}`);
    await this.run(
      `CREATE TABLE events ("_sysTime" TIMESTAMP_NS, "_time" TIMESTAMP_NS, ${columns.join(', ')})`,
    );
    const leaves = fields.map(([path]) =>
      path
        .split('.')
        .map((name) => `"${name}"`)
        .join('.'),
    );
    await this.run(`
      INSERT INTO events SELECT now()::TIMESTAMP::TIMESTAMP_NS, "_time"::TIMESTAMP_NS, ${leaves.join(', ')}
      FROM read_json(${quoted(events)}, format = 'newline_delimited', columns = ${readTypes()})`);
  }

  /** Puts what is in the log into the file, in its final, packed form. */
  async checkpoint(): Promise<void> {
    await this.run('CHECKPOINT');
  }

  /** Opens a copy of a deployment's database beside its own, and gives the name of the one dataset's table there. */
  async attach(database: string): Promise<string> {
    await this.run(`ATTACH ${quoted(database)} AS deployment (READ_ONLY)`);
    const tables = await this.rows(
      "SELECT table_name FROM duckdb_tables() WHERE database_name = 'deployment' AND schema_name = 'events'",
    );
    const [[table] = []] = tables;
    if (tables.length !== 1) throw new Error(`${tables.length} datasets in ${database}`);
    const name = `deployment.events."${table}"`;
    // What was still to be written would be missing in a copy.
    const [[copied] = [], [own] = []] = await this.rows(
      `SELECT count(*) FROM ${name} UNION ALL SELECT count(*) FROM events`,
    );
    if (copied !== own) throw new Error(`${copied} events in ${database} instead of ${own}`);
    return name;
  }

  /** All rows of a statement. */
  async rows(sql: string): Promise<readonly unknown[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRows();
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** The condition that a request's range stands for. */
export function within({ startTime, endTime }: Range): string {
  return `"_time" >= '${startTime}'::TIMESTAMP_NS AND "_time" < '${endTime}'::TIMESTAMP_NS`;
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The types of the fields as `read_json` takes them: those within another are a STRUCT. */
function readTypes(): string {
  const tops = new Map<string, string[]>();
  for (const [path, type] of fields) {
    const [top, leaf] = path.split('.') as [string, string?];
    const types = tops.get(top) ?? [];
    types.push(leaf === undefined ? type : `${leaf} ${type}`);
    tops.set(top, types);
  }
  const nested = new Set(fields.flatMap(([path]) => path.split('.').slice(0, -1)));
  const types = [...tops].map(([top, [...of]]) =>
    nested.has(top) ? `"${top}": 'STRUCT(${of.join(', ')})'` : `"${top}": '${of[0]}'`,
  );
  return `{"_time": 'VARCHAR', ${types.join(', ')}}`;
}
