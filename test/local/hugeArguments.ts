// Calls of every catalog function and aggregate with arguments of 7 MB, generated from the
// parameter types, and the dataset whose columns are the arguments.
import {
  aggregates,
  type FunctionRow,
  functions,
  type Parameter,
  type Signature,
} from '../../language/src/index.ts';
import { ALL_TIMES, type Deployment } from './deployment.ts';

/** Columns of 7 MB in one event, with the SQL of their values. */
const columns = {
  string: {
    listed: "'[' || array_to_string(range(1, 1000001), ',') || ']'",
    words: 'repeat(\'Grüße an k=v&x 10.1.2.3/24, "é" \', 200000)',
  },
  dynamic: {
    numbers: "('[' || array_to_string(range(1, 1000001), ',') || ']')::JSON",
    addresses:
      "to_json(list_transform(range(0, 400000), lambda i: '10.' || i % 256 || '.2.' || i // 256 % 256))",
    messages:
      "to_json(list_transform(range(0, 120000), lambda i: {role: 'user', content: 'text ' || i, key: i}))",
    members:
      "('{' || array_to_string(list_transform(range(0, 400000), lambda i: '\"k' || i || '\":' || i), ',') || '}')::JSON",
  },
} as const;

type Huge = keyof typeof columns;

/** The number of columns of a kind for a parameter that accepts any value. */
const ANY_COUNT: Readonly<Record<Huge, number>> = { string: 1, dynamic: 2 };

/** Further rows for aggregates: ten with the same huge values, and a million different ones. */
const tenRows = 'huge | mv-expand copy = range(1, 10, 1)';
const millionRows =
  'huge | mv-expand item = numbers to typeof(long) | extend phrase = strcat("long phrase ", tostring(item))';

/** Small arguments by type. */
const small: Readonly<Record<string, string>> = {
  string: '","',
  long: '2',
  numeric: '2',
  real: '0.5',
  bool: 'isnotnull(_time)',
  datetime: '_time',
  timespan: '1h',
  dynamic: 'dynamic([2, 1])',
  scalar: '2',
  field: '_time',
  type: 'typeof(string)',
  wildcard: '*',
  row: '_time',
};

/** Creates the dataset `huge` with one event. */
export async function fillHuge(local: Deployment): Promise<void> {
  await local.call('POST', '/v2/datasets', { name: 'huge' });
  const fields = Object.keys(columns.dynamic);
  for (const name of fields) await local.call('POST', '/v2/datasets/huge/mapfields', { name });
  const strings = Object.keys(columns.string).map((name) => [name, '']);
  await local.stored('huge', [
    Object.fromEntries([...strings, ...fields.map((name) => [name, {}])]),
  ]);
  const layout = local.store.datasets.get('huge')!.layout;
  const values: Record<string, string> = { ...columns.string, ...columns.dynamic };
  const changes = layout.fields.flatMap(({ name, variants }) =>
    values[name] === undefined ? [] : [`"${variants[0]!.column}" = ${values[name]}`],
  );
  await local.store.engine.use((session) =>
    session.run(`UPDATE ${layout.table} SET ${changes.join(', ')}`),
  );
}

export interface HugeCalls {
  readonly name: string;
  /** Queries that each call the function with huge arguments. */
  readonly queries: readonly string[];
}

/** Every function that accepts a string, an array or a map, and every aggregate of values. */
export const hugeCalls: readonly HugeCalls[] = [...functions, ...aggregates]
  .map((row) => ({ name: row.name, queries: queriesOf(row) }))
  .filter(({ queries }) => queries.length > 0);

function queriesOf(row: FunctionRow): string[] {
  const calls = [...new Set(row.signatures.flatMap(argumentsOf))];
  if (row.kind === 'scalar') return calls.map((list) => `huge | project x = ${row.name}(${list})`);
  const summarize = (rows: string) => (list: string) =>
    `${rows} | summarize x = ${row.name}(${list})`;
  const ofMany = new Set(row.signatures.flatMap(argumentsOfMany));
  return [
    ...calls.map(summarize('huge')),
    ...calls.map(summarize(tenRows)),
    ...[...ofMany].map(summarize(millionRows)),
  ];
}

/** Returns argument lists for `millionRows`, in each of which one argument varies by row. */
function argumentsOfMany({ parameters }: Signature): string[] {
  const place = parameters.findIndex(({ type }) => type !== 'bool');
  const found = parameters[place];
  if (found === undefined || found.type === 'wildcard') return [];
  const types = [found.type].flat();
  const takes = (type: string) => types.some((one) => /^(scalar|field)$/.test(one) || one === type);
  const changing = [...(takes('numeric') ? ['item'] : []), ...(takes('string') ? ['phrase'] : [])];
  return changing.flatMap((argument) => {
    const list = (withOptional: boolean) =>
      parameters
        .flatMap((parameter, i) => {
          if (i === place) return [argument];
          if (parameter.optional) return withOptional ? ['1000000'] : [];
          return [smallOf(parameter)];
        })
        .join(', ');
    return [...new Set([list(false), list(true)])];
  });
}

/**
 * Returns argument lists with one huge argument each, and one with the first two possible ones
 * huge.
 */
function argumentsOf({ parameters }: Signature): string[] {
  const kinds = parameters.map(hugeKinds);
  const single = kinds.flatMap((of, i) =>
    of.flatMap((kind) => columnsOf(kind, of.length > 1).map((column) => new Map([[i, column]]))),
  );
  const places = kinds
    .flatMap((of, i) => (of.length === 0 ? [] : [[i, of[0]!] as const]))
    .slice(0, 2);
  const all = Object.keys(columns.string).map(
    (_, variant) =>
      new Map(places.map(([i, kind]) => [i, Object.keys(columns[kind])[variant]!] as const)),
  );
  return [...single, ...(places.length > 1 ? all : [])].map((huge) => {
    const last = Math.max(...huge.keys());
    return parameters
      .flatMap((parameter, i) =>
        parameter.optional && i > last ? [] : [huge.get(i) ?? smallOf(parameter)],
      )
      .join(', ');
  });
}

/** Returns the columns for a parameter: one string and two arrays if it accepts any value. */
function columnsOf(kind: Huge, isAny: boolean): string[] {
  return Object.keys(columns[kind]).slice(0, isAny ? ANY_COUNT[kind] : undefined);
}

/** Returns the kinds of huge values that a parameter accepts. */
function hugeKinds({ type, values, names }: Parameter): Huge[] {
  if (values !== undefined || names !== undefined) return [];
  const types = [type].flat();
  const takesAny = types.some((one) => one === 'scalar' || one === 'field');
  return (['string', 'dynamic'] as const).filter((kind) => takesAny || types.includes(kind));
}

function smallOf({ name, type, values }: Parameter): string {
  if (values !== undefined) return JSON.stringify(values[0]);
  if (name.startsWith('address')) return '"10.1.2.3"';
  return small[[type].flat()[0]!]!;
}

/**
 * Cancels a query after it has used `afterSeconds` of processor time. Returns the processor time
 * used from then until the query has ended.
 */
export async function cancelled(
  local: Deployment,
  apl: string,
  afterSeconds: number,
): Promise<number> {
  const stop = new AbortController();
  const since = process.cpuUsage();
  const timer = setInterval(() => {
    if (secondsSince(since) >= afterSeconds) stop.abort();
  }, POLL_MS);
  await local.query(apl, ALL_TIMES, { signal: stop.signal }).catch(() => undefined);
  clearInterval(timer);
  if (!stop.signal.aborted) return 0;
  const before = process.cpuUsage();
  while (local.store.queries.count > 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  return secondsSince(before);
}

const POLL_MS = 5;

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
