/** Small random tables for the property tests, written as datatables or stored as datasets of the engine. */
import { quoteName, quoteText } from '../../../language/src/index.ts';
import { bareLong, identifier, real, text } from '../../../local/src/planner/sql.ts';
import { type DatasetLayout, type StoredType, wireType } from '../../../local/src/store/layout.ts';
import type { Random } from '../random.ts';
import { type Column, type Expression, type Row, read, sort, type Table } from './evaluator.ts';
import type { Cell, Json, Type } from './evaluatorValues.ts';

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

const minute = 60_000_000_000n;
/** 2024-05-01. */
const day = 1_714_521_600_000_000_000n;

/** Values with their texts in a query. They come again and again, so that rows tie and keys meet. */
const pools: Readonly<Record<Exclude<Type, 'mixed'>, readonly (readonly [string, Cell])[]>> = {
  bool: [
    ['true', true],
    ['false', false],
  ],
  long: [
    ...[-7, -1, 0, 1, 2, 3, 10, 60].map((n) => [String(n), BigInt(n)] as const),
    ['9223372036854775807', 9223372036854775807n],
  ],
  real: [-2.5, -1, 0, 0.25, 0.5, 2, 3.75, 100].map((x) => [x.toFixed(2), x] as const),
  string: [
    '',
    'a',
    'A',
    'ab',
    'abc def',
    'Def',
    'x_y',
    'foo-bar',
    '12',
    '-3',
    'é É',
    "it's",
    'a%b',
    '10.0.0.1',
    '\\"',
  ].map((s) => [quoteText(s), s] as const),
  datetime: [
    ['datetime(2024-05-01)', day],
    ['datetime(2024-05-01T00:01:00Z)', day + minute],
    ['datetime(2024-05-01 00:01:00.5)', day + minute + 500_000_000n],
    ['datetime(2024-04-30T23:59:59.123456789Z)', day - 876_543_211n],
    ['datetime(1969-12-31T23:59:00Z)', -minute],
  ],
  timespan: [
    ['0s', 0n],
    ['1m', minute],
    ['-90s', -90_000_000_000n],
    ['1500ms', 1_500_000_000n],
    ['2d', 2n * 1440n * minute],
  ],
  dynamic: [
    ['dynamic([1, 2, 3])', [1n, 2n, 3n]],
    ['dynamic([])', []],
    ['dynamic(["a", null, 2])', ['a', null, 2n]],
    ['dynamic({"k": 1})', { k: 1n }],
    ['dynamic({"k": "a", "m": [1, 2]})', { k: 'a', m: [1n, 2n] }],
    ['dynamic({})', {}],
    ['dynamic([[1], "b"])', [[1n], 'b']],
  ],
};

const nulls: Readonly<Record<Exclude<Type, 'mixed'>, string>> = {
  bool: 'bool(null)',
  long: 'long(null)',
  real: 'real(null)',
  string: 'string(null)',
  datetime: 'datetime(null)',
  timespan: 'time(null)',
  dynamic: 'dynamic(null)',
};

export const types = Object.keys(pools) as readonly (keyof typeof pools)[];

/** A constant, which is null one time in six. */
export function literal(type: keyof typeof pools, random: Random): Expression {
  const [text, cell] = random(6) === 0 ? ([nulls[type], null] as const) : pick(random, pools[type]);
  return { type, text, uses: [], of: () => cell };
}

/** A table that a pipeline starts from; `rows` may be cut down to find a smaller failure. */
export interface Source {
  readonly name: string;
  readonly columns: readonly Column[];
  /** How it comes to be: a dataset of the engine, or a `let` of a datatable. */
  readonly stored: boolean;
  rows: readonly Row[];
}

/** Names that differ in case only, that need quotes, and that the planner might use for itself. */
const names = [
  'a',
  'A',
  'b',
  'n',
  'x y',
  'one',
  'aggregate',
  'element',
  'sort key',
  "o'k",
] as const;

export function randomSource(name: string, random: Random): Source {
  const stored = random(3) === 0;
  const columns: Column[] = [];
  const kinds: readonly Type[] = stored ? [...types, 'mixed'] : types;
  for (const column of names) {
    if (random(2) === 0) columns.push({ name: column, type: pick(random, kinds) });
  }
  // Keys that tables share.
  columns.push({ name: 'k', type: 'long' }, { name: 's', type: 'string' });
  if (stored) {
    const times = ['_sysTime', '_time'] as const;
    columns.unshift(...times.map((of) => ({ name: of, type: 'datetime' as const })));
  }
  const rows = Array.from({ length: random(7) }, (): Row => {
    return new Map(columns.map(({ name: of, type }) => [of, cellOf(of, type, random)]));
  });
  return { name, columns, stored, rows };
}

function cellOf(name: string, type: Type, random: Random): Cell {
  if (type === 'mixed') return cellOf('', pick(random, ['long', 'string']), random);
  if (!name.startsWith('_') && random(5) === 0) return null;
  return pick(random, pools[type])[1];
}

/** The rows of a dataset come newest first. */
export function tableOf({ name, columns, rows, stored }: Source): Table {
  const plain: Table = { columns, classes: rows.length === 0 ? [] : [rows] };
  if (!stored) return plain;
  const time = read({ name: '_time', type: 'datetime' });
  const { classes } = sort(plain, [{ expression: time, desc: true, nullsFirst: false }]);
  return { columns, classes, dataset: name };
}

/** The statement before the query, for a table that is not stored. */
export function letText({ name, columns, rows }: Source): string {
  const head = columns.map((column) => `${quoteName(column.name)}:${column.type}`).join(', ');
  const cells = rows.flatMap((row) =>
    columns.map(({ name: of, type }) => literalText(row.get(of) ?? null, type)),
  );
  return `let ${name} = datatable(${head}) [${cells.join(', ')}];`;
}

function literalText(of: Cell, type: Type): string {
  const plain = type as keyof typeof pools;
  if (of === null) return nulls[plain];
  return pools[plain].find(([, cell]) => cell === of)?.[0] ?? nulls[plain];
}

const storedTypes: Readonly<Record<Exclude<Type, 'mixed'>, StoredType>> = {
  bool: 'boolean',
  long: 'integer',
  real: 'float',
  string: 'string',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: 'array',
};

/** The dataset's layout; a field of several types is two columns. A dynamic one here may hold anything. */
export function layoutOf({ name, columns }: Source): DatasetLayout {
  const fields = columns.map(({ name: of, type }) => ({
    name: of,
    variants: (type === 'mixed' ? (['long', 'string'] as const) : ([type] as const)).map(
      (kind) => ({
        type: storedTypes[kind],
        column: type === 'mixed' ? `${columnName(of)} (${kind})` : columnName(of),
      }),
    ),
  }));
  return { name, table: identifier(name).text, numbering: 1, fields };
}

/** Two names that differ in case only need columns of different names. */
function columnName(of: string): string {
  return of === 'A' ? 'A (2)' : of;
}

export function schemaOf(source: Source) {
  const fields = layoutOf(source).fields.map((field) => ({
    name: field.name,
    type: wireType(field),
  }));
  return { name: source.name, fields };
}

const duckdbTypes: Readonly<Record<Exclude<Type, 'mixed'>, string>> = {
  bool: 'BOOLEAN',
  long: 'BIGINT',
  real: 'DOUBLE',
  string: 'VARCHAR',
  datetime: 'TIMESTAMP_NS',
  timespan: 'BIGINT',
  dynamic: 'JSON',
};

/** The SQL that makes the dataset's table anew. */
export function storeSql(source: Source): readonly string[] {
  const table = identifier(source.name).text;
  const columns = source.columns.flatMap(({ name, type }) =>
    (type === 'mixed' ? (['long', 'string'] as const) : ([type] as const)).map((kind) => ({
      name,
      kind,
      column: type === 'mixed' ? `${columnName(name)} (${kind})` : columnName(name),
    })),
  );
  const defined = columns.map(
    ({ column, kind }) => `${identifier(column).text} ${duckdbTypes[kind]}`,
  );
  const made = `CREATE OR REPLACE TABLE ${table} (${defined.join(', ')})`;
  if (source.rows.length === 0) return [made];
  const rows = source.rows.map((row) => {
    const cells = columns.map(({ name, kind }) => cellSql(row.get(name) ?? null, kind));
    return `(${cells.join(', ')})`;
  });
  return [made, `INSERT INTO ${table} VALUES ${rows.join(', ')}`];
}

function cellSql(of: Cell, kind: Exclude<Type, 'mixed'>): string {
  if (kind === 'dynamic') return of === null ? 'NULL' : text(jsonText(of)).text;
  if (kind === 'datetime' && typeof of === 'bigint')
    return `make_timestamp_ns(${bareLong(of).text})`;
  if (typeof of === 'boolean') return String(of);
  if (typeof of === 'bigint') return kind === 'string' ? 'NULL' : bareLong(of).text;
  if (typeof of === 'number') return real(of).text;
  return typeof of === 'string' && kind === 'string' ? text(of).text : 'NULL';
}

function jsonText(of: Json): string {
  return JSON.stringify(of, (_, item) => (typeof item === 'bigint' ? Number(item) : item));
}
