// Compares random events with a simple flattening in JavaScript: whatever the format and however a
// dataset's fields grow over requests, the stored values equal the ingested ones.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';
import { type Random, random } from './random.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const KEYS = ['a', 'b', 'A', 'a.b', 'c d', "q'", 'Ünï', '0'];
const TEXTS = [
  '',
  'x',
  '12',
  '-1.5',
  'true',
  'null',
  '[1]',
  '{"k":1}',
  '"',
  '\\',
  'é\u0000😀',
  '/p',
];

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

function value(next: Random, depth: number): Json {
  switch (next(depth > 0 ? 9 : 7)) {
    case 0:
    case 1:
      return TEXTS[next(TEXTS.length)]!;
    case 2:
      return next(1000) - 500;
    case 3:
      return (next(4000) - 2000) / 8;
    case 4:
      return next(2) === 0;
    case 5:
      return null;
    case 6:
      return [next(3), TEXTS[next(TEXTS.length)]!, null];
    default:
      return object(next, depth - 1);
  }
}

function object(next: Random, depth: number): { [key: string]: Json } {
  const result: { [key: string]: Json } = {};
  for (let count = next(4); count > 0; count -= 1) {
    result[KEYS[next(KEYS.length)]!] = value(next, depth);
  }
  return result;
}

/**
 * Returns leaf values by dotted name. If two leaves have the same name, as in
 * `{"a.b":1,"a":{"b":2}}`, either may be stored.
 */
function leaves(event: { [key: string]: Json }, prefix = '', into = new Map<string, Json[]>()) {
  for (const [key, each] of Object.entries(event)) {
    const name = prefix + key;
    if (each === null) continue;
    if (typeof each === 'object' && !Array.isArray(each)) leaves(each, `${name}.`, into);
    else into.set(name, [...(into.get(name) ?? []), each]);
  }
  return into;
}

describe('random events', () => {
  const datasets = process.env['APLOMB_LONG'] ? 400 : 25;
  for (let seed = 0; seed < datasets; seed += 25) {
    it(`are stored unchanged, datasets ${seed} to ${Math.min(seed + 24, datasets - 1)}`, async () => {
      for (let each = seed; each < Math.min(seed + 25, datasets); each += 1) await check(each);
    });
  }
});

async function check(seed: number): Promise<void> {
  const next = random(seed + 1);
  const name = await local.dataset(`random-${seed}`);
  const events: { [key: string]: Json }[] = [];
  // Events with a known shape take the fast path, others the general one.
  const templates = Array.from({ length: 2 }, () => object(next, 2));
  for (let request = 0; request < 4; request += 1) {
    const batch = Array.from({ length: 1 + next(5) }, () => ({
      ...(next(2) ? templates[next(2)]! : object(next, 2)),
      id: 0,
    }));
    for (const event of batch) event.id = events.push(event);
    const type = next(2) ? 'application/json' : 'application/x-ndjson';
    const body =
      type === 'application/json'
        ? JSON.stringify(batch, null, next(2))
        : batch.map((event) => JSON.stringify(event)).join('\n');
    await local.stored(name, body, { type });
  }
  const rows = await local.rows(`['${name}'] | order by id asc`);
  assert.equal(rows.length, events.length);
  for (const [index, event] of events.entries()) {
    const expected = leaves(event);
    const row = rows[index]!;
    for (const [field, found] of Object.entries(row)) {
      if (field === '_time' || field === '_sysTime') continue;
      const choices = expected.get(field) ?? [null];
      assert.ok(
        choices.some((choice) => JSON.stringify(choice) === JSON.stringify(found)),
        `seed ${seed}: ${field} of ${JSON.stringify(event)} is ${JSON.stringify(found)}`,
      );
      expected.delete(field);
    }
    assert.deepEqual([...expected.keys()], [], `seed ${seed}: ${JSON.stringify(event)}`);
  }
}
