/**
 * Every function and aggregate with arguments of its own types, constant and from rows, ordinary and at
 * the edge: it is answered, or refused with a code before it runs, and never fails in the engine.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { aggregates, functions, type Parameter } from '../../../language/src/index.ts';
import { PlanError } from '../../../local/src/planner/index.ts';
import { type Engine, openEngine, plan } from './engine.ts';

const pool = {
  string: [
    '""',
    '"a"',
    '"ab,cd"',
    '"("',
    '"\\\\"',
    '"10 MB"',
    '"192.168.1.1/24"',
    '"2024-01-01"',
    '"99999999999h"',
    '"$[*].a"',
    '"é😀"',
    'string(null)',
    '"month"',
    '"http://a:b@c/d?e=%ff#g"',
    '"[1, 2"',
  ],
  long: ['0', '1', '-1', '9223372036854775807', '-9223372036854775807', 'long(null)'],
  real: ['0.0', '-2.5', '1e300', 'real(null)', '1.0 / 0.0', '0.0 / 0.0'],
  bool: ['true', 'false', 'bool(null)'],
  datetime: [
    'datetime(2024-01-01)',
    'datetime(null)',
    'datetime(1700-01-01)',
    'datetime(2262-01-01)',
  ],
  timespan: ['1h', '0s', '-5m', 'time(null)', '100d'],
  dynamic: [
    'dynamic([1, 2, 3])',
    'dynamic([])',
    'dynamic({"a": 1})',
    'dynamic(null)',
    'dynamic("x")',
    'dynamic([[1], {"b": 2}, null, "q", -1])',
    'dynamic(["1.2.3.4", "/", "9999999999.00:00:00"])',
    'dynamic([99999999999])',
  ],
} as const;
type Type = keyof typeof pool;
const types = Object.keys(pool) as Type[];

let state = 20_240_501;
function random(): number {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return state / 4_294_967_296;
}
function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** A table with every value of the pool. */
const height = Math.max(...types.map((type) => pool[type].length));
const cells = Array.from({ length: height }, (_, row) =>
  types.map((type) => pool[type][row % pool[type].length]),
).flat();
const source = `datatable(${types.map((type) => `c_${type}:${type}`).join(', ')}) [${cells.join(', ')}]`;

function argument(parameter: Parameter, fromRow: boolean): string {
  if (parameter.values !== undefined && random() < 0.8) return `"${pick(parameter.values)}"`;
  if (parameter.type === 'type') return 'typeof(long)';
  const listed = Array.isArray(parameter.type) ? (pick(parameter.type) as string) : parameter.type;
  const wanted = listed === 'numeric' ? pick(['long', 'real'] as const) : (listed as Type);
  const type = types.includes(wanted) ? wanted : pick(types);
  return fromRow ? `c_${type}` : pick(pool[type]);
}

const rounds = process.env['APLOMB_LONG'] === '1' ? 30 : 4;

let engine: Engine;
before(async () => {
  engine = await openEngine();
});
after(() => engine.close());

async function answer(query: string): Promise<void> {
  let sql: string;
  try {
    sql = plan(query).main.sql;
  } catch (error) {
    assert.ok(error instanceof PlanError, `${query}\n${(error as Error).stack}`);
    return;
  }
  await engine.rows(sql).catch((error: Error) => assert.fail(`${query}\n${error.message}`));
}

it('no scalar function fails the query, whatever its arguments', async () => {
  for (const row of functions) {
    for (let round = 0; round < rounds; round++) {
      const { parameters } = row.signatures[
        round % row.signatures.length
      ] as (typeof row.signatures)[0];
      const args = parameters
        .filter((parameter) => !parameter.optional || random() < 0.6)
        .flatMap((parameter) =>
          Array.from({ length: parameter.variadic ? 2 : 1 }, () =>
            argument(parameter, round % 3 === 1 || (round % 3 === 2 && random() < 0.5)),
          ),
        );
      // A million items for each row would take most of the test's time.
      const rows = row.name === 'range' ? ' | take 1' : '';
      await answer(`${source}${rows} | project x = ${row.name}(${args.join(', ')})`);
    }
  }
});

it('no aggregate fails the query, whatever its arguments', async () => {
  for (const row of aggregates) {
    for (let round = 0; round < rounds; round++) {
      const { parameters } = row.signatures[
        round % row.signatures.length
      ] as (typeof row.signatures)[0];
      const args = parameters
        .filter((parameter) => !parameter.optional || random() < 0.6)
        .map((parameter, i) =>
          parameter.type === 'bool' ? 'c_bool' : argument(parameter, i === 0),
        );
      await answer(`${source} | summarize x = ${row.name}(${args.join(', ')}) by c_bool`);
    }
  }
});

it('no operator fails the query, whatever the types of its operands', async () => {
  for (const left of types) {
    for (const right of types) {
      const sides = (operator: string) => `c_${left} ${operator} c_${right}`;
      for (const operators of [
        ['+', '-', '*'],
        ['/', '%', '<'],
        ['==', '!=', '>='],
      ]) {
        for (const operator of operators)
          await answer(`${source} | project x = ${sides(operator)}`);
      }
      await answer(
        `${source} | where c_${left} in (c_${right}) | project y = iff(c_bool, c_${left}, c_${right})`,
      );
    }
    for (const operator of ['contains', 'has', '!hasprefix', '=~', 'matches regex']) {
      await answer(`${source} | project x = c_${left} ${operator} c_string`);
    }
  }
});
