/**
 * How the time of each function and aggregate grows with the size of its arguments: every one is called with
 * arguments of n and of 4n items or characters of several contents, and what takes more than so many times as
 * long is printed. Run by hand, `node test/bench/functionGrowth.ts [names]`, since a machine that does other
 * work too makes times of milliseconds grow as well.
 */
import { fork } from 'node:child_process';
import {
  aggregates,
  bindQuery,
  functions,
  type Parameter,
  parseQuery,
} from '../../language/src/index.ts';
import { PlanError } from '../../local/src/planner/errors.ts';
import { planQuery } from '../../local/src/planner/index.ts';
import type { DatasetLayout } from '../../local/src/store/layout.ts';
import { context, openEngine } from '../local/planner/engine.ts';

const small = 10_000;
const factor = 4;
/** Time in milliseconds below which growth is not looked at, and times as much as the small size that is too much. */
const ground = 150;
const bar = 8;
const patience = 40_000;

/** SQL that makes a text or JSON array of a size, by what it is full of. */
const texts: Readonly<Record<string, (n: number) => string>> = {
  same: (n) => `repeat('a', ${n})`,
  words: (n) =>
    `left(array_to_string(list_transform(range(${n}), lambda i: 'w' || hash(i) % 10000), ' '), ${n})`,
  commas: (n) => `repeat('a,', ${n} // 2)`,
  pairs: (n) =>
    `left(array_to_string(list_transform(range(${n} // 8), lambda i: 'k' || (i % 100000) || '=' || i % 10), '&'), ${n})`,
  blanks: (n) => `repeat(' ', ${n})`,
  paths: (n) => `repeat('/é', ${n} // 2)`,
  json: (n) => `CAST(to_json(range(${n} // 6)) AS VARCHAR)`,
  digits: (n) => `repeat('1', ${n})`,
};
const arrays: Readonly<Record<string, (n: number) => string>> = {
  numbers: (n) => `to_json(range(${n}))`,
  reals: (n) => `to_json(list_transform(range(${n}), lambda i: sin(i) * 100))`,
  texts: (n) => `to_json(list_transform(range(${n}), lambda i: 'v' || i))`,
  nulls: (n) =>
    `to_json(list_transform(range(${n}), lambda i: CASE WHEN i = ${n} // 2 THEN i END))`,
  bags: (n) =>
    `to_json(list_transform(range(${n}), lambda i: {k: i, role: 'user', content: 'hi'}))`,
  arrays: (n) => `to_json(list_transform(range(${n}), lambda i: [i, i + 1]))`,
  bag: () => '',
};

/** The rows of the table of big values: `s_<content>` and `a_<content>`. */
function table(n: number): string {
  const columns = [
    ...Object.entries(texts).map(([name, make]) => `${make(n)} AS "s_${name}"`),
    ...Object.entries(arrays).map(([name, make]) =>
      name === 'bag'
        ? `(SELECT json_group_object('k' || i, i) FROM range(${n}) r(i)) AS "a_bag"`
        : `CAST(${make(n)} AS JSON) AS "a_${name}"`,
    ),
  ];
  return `CREATE OR REPLACE TABLE big AS SELECT TIMESTAMP_NS '2024-05-01 10:00:00' AS _time, ${columns.join(', ')}`;
}
const layout: DatasetLayout = {
  name: 'big',
  table: 'big',
  numbering: 1,
  fields: [
    { name: '_time', variants: [{ type: 'datetime', column: '_time' }] },
    ...Object.keys(texts).map((name) => ({
      name: `s_${name}`,
      variants: [{ type: 'string' as const, column: `s_${name}` }],
    })),
    ...Object.keys(arrays).map((name) => ({
      name: `a_${name}`,
      variants: [{ type: 'map' as const, column: `a_${name}` }],
    })),
  ],
};
const schema = {
  complete: true,
  datasets: [
    {
      name: 'big',
      fields: layout.fields.map((f) => ({ name: f.name, type: f.variants[0]!.type })),
    },
  ],
};

const smallOf: Readonly<Record<string, string>> = {
  long: '3',
  real: '1.5',
  bool: 'true',
  datetime: 'datetime(2024-01-01)',
  timespan: '1h',
  string: '"a"',
  dynamic: 'dynamic([1, 2, 3])',
  numeric: '3',
  scalar: '"a"',
  type: 'typeof(long)',
  field: '"a"',
  row: '"a"',
  wildcard: '*',
};

function kinds(parameter: Parameter): readonly string[] {
  return (Array.isArray(parameter.type) ? parameter.type : [parameter.type]) as readonly string[];
}

/** Calls of a function with each argument big in turn, and with all of them. */
function callsOf(name: string, parameters: readonly Parameter[]): string[] {
  const plain = parameters.map((parameter) => {
    if (parameter.values !== undefined) return `"${parameter.values[0]}"`;
    if (parameter.name === 'path') return '"$.a"';
    return smallOf[kinds(parameter)[0]!] ?? '1';
  });
  const bigs = parameters.map((parameter) => {
    if (parameter.values !== undefined) return [];
    const found: string[] = [];
    for (const kind of kinds(parameter)) {
      if (kind === 'string' || kind === 'scalar')
        found.push(...Object.keys(texts).map((t) => `s_${t}`));
      if (kind === 'dynamic' || kind === 'scalar')
        found.push(...Object.keys(arrays).map((t) => `a_${t}`));
      if (kind === 'long' || kind === 'numeric') found.push('N');
    }
    return found;
  });
  const out = new Set<string>();
  bigs.forEach((of, i) => {
    for (const big of of) {
      out.add(`${name}(${plain.map((p, j) => (i === j ? big : p)).join(', ')})`);
      out.add(`${name}(${plain.map((p, j) => (bigs[j]!.includes(big) ? big : p)).join(', ')})`);
    }
  });
  return [...out];
}

const args = process.argv.slice(2);
if (args[0] === '--child') await child(args[1]!, Number(args[2] ?? 0));
else await parent(args);

async function child(name: string, from: number): Promise<void> {
  const engine = await openEngine();
  const row = [...functions, ...aggregates].find((one) => one.name === name)!;
  const aggregate = (aggregates as readonly unknown[]).includes(row);
  const calls = row.signatures.flatMap(({ parameters }) =>
    callsOf(
      name,
      parameters.map((p) => p),
    ),
  );
  await engine.rows(`SET memory_limit = '2GB'; SET temp_directory = ''`);
  for (const [i, call] of calls.entries()) {
    if (i < from) continue;
    process.send!({ i, call });
    const times: number[] = [];
    for (const n of [small, small * factor]) {
      if (aggregate) await engine.rows(`${table(n).replace(/SELECT/, 'SELECT')} FROM range(1)`);
      else await engine.rows(table(n));
      const text = call.replaceAll('N', String(n));
      try {
        const query = aggregate
          ? `big | summarize r = ${text} | project l = strlen(tostring(r))`
          : `big | extend r = ${text} | project l = strlen(tostring(r))`;
        const { sql } = planQuery(bindQuery(parseQuery(query), schema), {
          ...context,
          layoutOf: () => layout,
        }).main;
        const start = process.cpuUsage();
        await engine.rows(sql);
        const used = process.cpuUsage(start);
        times.push((used.user + used.system) / 1000);
      } catch (error) {
        if (error instanceof PlanError) {
          times.push(-1);
          break;
        }
        process.send!({ error: `${(error as Error).message.replace(/\s+/g, ' ').slice(0, 100)}` });
        times.push(-2);
      }
    }
    process.send!({ times });
  }
  process.exit(0);
}

async function parent(names: readonly string[]): Promise<void> {
  const all = [...functions, ...aggregates]
    .map(({ name }) => name)
    .filter((name) => names.length === 0 || names.includes(name));
  const queue = [...all];
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      let from = 0;
      const slow: string[] = [];
      let fine = 0;
      for (;;) {
        const next = await run(name, from, (call, times, error) => {
          const [a = 0, b = 0] = times;
          if (error !== undefined && !/at most|maximum is/.test(error))
            slow.push(`  ${call}: ERROR ${error}`);
          else if (b === Number.POSITIVE_INFINITY || (b > ground && b > a * bar))
            slow.push(`  ${call}: ${a.toFixed(0)} -> ${b.toFixed(0)} ms`);
          else if (b > 1500) slow.push(`  ${call}: slow ${a.toFixed(0)} -> ${b.toFixed(0)} ms`);
          else fine++;
        });
        if (next === undefined || slow.length > 6) break;
        from = next;
      }
      if (slow.length > 0) console.log(`${name} (${fine} fine)\n${slow.join('\n')}`);
    }
  };
  await Promise.all([work(), work()]);
}

/** Runs the calls of a function in a process; gives where to go on after one that takes too long. */
function run(
  name: string,
  from: number,
  told: (call: string, times: number[], error?: string) => void,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const process_ = fork(import.meta.filename, ['--child', name, String(from)], { execArgv: [] });
    let at = from;
    let call = '';
    let error: string | undefined;
    let timer = setTimeout(() => process_.kill('SIGKILL'), patience + 10_000);
    let killed = false;
    process_.on(
      'message',
      (message: { i?: number; call?: string; times?: number[]; error?: string }) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          killed = true;
          told(call, [0, Number.POSITIVE_INFINITY]);
          process_.kill('SIGKILL');
        }, patience);
        if (message.call !== undefined) {
          at = message.i!;
          call = message.call;
          error = undefined;
        }
        if (message.error !== undefined) error = message.error;
        if (message.times !== undefined) told(call, message.times, error);
      },
    );
    process_.on('exit', (code) => {
      clearTimeout(timer);
      if (code !== 0 && !killed) told(call, [0, 0], `process ended with ${code}`);
      resolve(code === 0 ? undefined : at + 1);
    });
  });
}
