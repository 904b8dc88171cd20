/** Proposes a file that declares the tables of a ClickHouse server as datasets. */
import { DATASET_NAME_LENGTH_MAX } from '../../../../../api/src/index.ts';
import type { Log } from '../../../store/storedJson.ts';
import type { ClickHouseOptions } from '../../clickhouseOptions.ts';
import { ClickHouse } from '../client.ts';
import { Tables } from '../tables.ts';
import { loadTranslator, type Translator } from '../translator.ts';
import { keyOf, readColumns } from './tableColumns.ts';
import type { TableColumn } from './view.ts';

/** Engines whose rows can't be read, or are removed by reading them. */
const UNREADABLE =
  /^(?:Kafka|RabbitMQ|NATS|S3Queue|AzureQueue|FileLog|Null|Set|Join|Dictionary|MaterializedView|LiveView|WindowView)$/;

type Row = readonly [database: string, table: string, engine: string];

/** Returns the proposed file, with comments about tables and columns that are left out. */
export async function discover(options: ClickHouseOptions, log: Log): Promise<string> {
  const translator = await loadTranslator();
  const clickhouse = await ClickHouse.open(options, log);
  try {
    const where = `lower(database) NOT IN ('system', 'information_schema')`;
    const tables = await clickhouse.rows<Row>(
      `SELECT database, name, engine FROM system.tables
       WHERE ${where} AND NOT is_temporary AND NOT (${new Tables(options).isPartSql()}) AND NOT startsWith(name, '.inner')
       ORDER BY database, name`,
    );
    const columnsOf = await readColumns(clickhouse, where);
    const names = new Set<string>();
    const entries = tables.map((row) => {
      const [database, table] = row;
      return entryOf(row, columnsOf.get(keyOf({ database, table })) ?? [], names, translator);
    });
    const list = entries.some((entry) => entry.isProposed) ? 'datasets:' : 'datasets: []';
    return [
      '# Tables of ClickHouse as read-only datasets, proposed by aplomb serve --discover.',
      '# Check the names and times, then save this as datasets.yaml in the data folder.',
      list,
      ...entries.flatMap(({ lines }) => lines),
      '',
    ].join('\n');
  } finally {
    await clickhouse.close();
  }
}

interface Entry {
  readonly isProposed: boolean;
  readonly lines: readonly string[];
}

function entryOf(
  [database, table, engine]: Row,
  columns: readonly TableColumn[],
  taken: Set<string>,
  { isTime, readSource }: Translator,
): Entry {
  const full = `${text(database)}.${text(table)}`;
  const leftOut = (why: string) => ({
    isProposed: false,
    lines: [`  # ${full} is left out: ${why}`],
  });
  if (UNREADABLE.test(engine)) return leftOut(`its engine is ${engine}.`);
  const times = columns.filter(({ type }) => isTime(type));
  // The sorting or partition key most likely has the time of the event.
  const time = times.find(({ isKey }) => isKey) ?? times[0];
  if (time === undefined) return leftOut('it has no column of a date or time type.');
  const source = readSource({ database, table }, columns);
  const read =
    typeof source === 'string' ? readSource({ database, table, time: time.name }, columns) : source;
  if (typeof read === 'string') return leftOut(read);
  const others = times.filter(({ name }) => name !== read.time.name).map(({ name }) => text(name));
  const name = freeName(database, table, taken);
  const comments = [
    ...(read.kind === undefined
      ? []
      : [`    # Recognized as ${read.kind}, so its fields have the names of OTLP ingest.`]),
    ...(others.length === 0 ? [] : [`    # Other columns with times: ${others.join(', ')}`]),
    ...read.leftOut.map(
      (column) => `    # No field for the column ${text(column.name)} of type ${text(column.type)}`,
    ),
  ];
  return {
    isProposed: true,
    lines: [
      `  - name: ${text(name)}`,
      `    database: ${text(database)}`,
      `    table: ${text(table)}`,
      `    time: ${text(read.time.name)}`,
      ...comments,
    ],
  };
}

/** Returns a string that YAML reads in the same way in a value and that ends no comment. */
function text(name: string): string {
  return JSON.stringify(name).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a name that a dataset can have, with the database only if another table has the same name. */
function freeName(database: string, table: string, taken: Set<string>): string {
  const valid = (name: string) =>
    name
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, DATASET_NAME_LENGTH_MAX - 4)
      .replace(/[^A-Za-z0-9]+$/, '');
  const wanted = [valid(table), valid(`${database}.${table}`)].filter((name) => name !== '');
  let name = wanted.find((one) => !taken.has(one));
  for (let n = 2; name === undefined; n += 1) {
    const next = `${wanted[0] ?? 'table'}-${n}`;
    if (!taken.has(next)) name = next;
  }
  taken.add(name);
  return name;
}
