// Every item of a body is either stored or reported as failed with its number and the reason,
// whatever it is, wherever it is in the body, and however the body is parsed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';
import { type Random, random } from './random.ts';

/** Whether to run all cases instead of a part. */
const LONG = process.env['APLOMB_LONG'] === '1';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const EVENTS = [
  '{}',
  '{"a":1}',
  '{"a":2,"b":"x"}',
  '{"a":null}',
  '{"a":3,"b":"["}',
  '{"b":"null","o":{"p":1.5}}',
  '{"a":4,"_time":"2026-01-01T00:00:00Z"}',
  '{"_time":"2026-01-01T00:00:00Z"}',
  '{"o":{}}',
  '{"l":[{"a":1},null]}',
];
const OTHERS = [
  'null',
  'true',
  '-1.5e3',
  '0',
  '"s"',
  '""',
  '"{\\"a\\":1}"',
  '"\\n"',
  '[]',
  '[1,2]',
  '[null]',
  '[{"a":1},{"a":2}]',
  '[[{"a":1}]]',
  '["s",{"a":1}]',
];

const pick = <T>(next: Random, list: readonly T[]): T => list[next(list.length)]!;

const isEvent = (item: string) => item.startsWith('{');

/** Returns items as lines, with blank lines between some. */
function lines(next: Random, items: readonly string[]): string {
  const ends = ['\n', '\r\n', '\n\n', ' \n', '\n \t\r\n'];
  return items.map((item) => pick(next, ['', ' ', '\t']) + item + pick(next, ends)).join('');
}

function list(next: Random, items: readonly string[]): string {
  const gap = () => pick(next, ['', '', ' ', '\n', '\r\n\t']);
  return `${gap()}[${items.map((item) => gap() + item + gap()).join(',')}]${gap()}`;
}

/**
 * Checks the response to a body and the dataset's content afterwards. Returns the number of events
 * stored.
 */
async function check(
  name: string,
  body: string,
  type: string,
  items: readonly string[],
  before: number,
): Promise<number> {
  const answer = await local.ingest(name, body, { type });
  const what = `${type} ${JSON.stringify(body)}: ${answer.text}`;
  assert.equal(answer.status, 200, what);
  const { ingested, failed, failures } = answer.body;
  assert.deepEqual(
    failures.map(({ error }: { error: string }) => error),
    items.flatMap((item, index) =>
      isEvent(item) ? [] : [`event ${index + 1}: it is not a JSON object`],
    ),
    what,
  );
  const expected = items.filter(isEvent).length;
  assert.deepEqual([ingested, failed], [expected, items.length - expected], what);
  const stored = before + ingested;
  assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: stored }], what);
  return stored;
}

const TYPES = ['application/x-ndjson', 'application/nd-json', 'application/json'];

describe('an item that is not an object', () => {
  it('fails without affecting other events, at any position in the body', async () => {
    const name = await local.dataset('single');
    let stored = 0;
    // In the second round, the shape of the events is known.
    for (let round = 0; round < 2; round += 1) {
      for (const [index, item] of OTHERS.entries()) {
        const positions = [[item], [item, '{"a":1}'], ['{"a":1}', item], ['{}', item, '{}']];
        for (const items of LONG ? positions : [positions[(index + round) % positions.length]!]) {
          // A first line that starts with `[` makes an application/json body an array.
          const types = item.startsWith('[') && items[0] === item ? TYPES.slice(0, 2) : TYPES;
          for (const type of types) {
            stored = await check(name, items.join('\n'), type, items, stored);
          }
          stored = await check(name, `[${items.join()}]`, 'application/json', items, stored);
        }
      }
    }
  });

  it('fails without affecting other events that span several lines', async () => {
    const name = await local.dataset('concatenated');
    let stored = 0;
    for (const item of OTHERS) {
      const body = `{\n"a":1}\n${item}\n{"a":\n2}`;
      const items = ['{"a":1}', item, '{"a":2}'];
      stored = await check(name, body, 'application/json', items, stored);
    }
  });

  it("fails the entire request, with its line and column, if it isn't valid JSON", async () => {
    const name = await local.dataset('several');
    for (const [body, message] of [
      ['{\n"a":1}\nnull,\n{}', /^line 3, column 5: "," is unexpected/],
      ['{\n"a":"x\ny"}', /^line 2, column 7: a control character/],
      ['{\n"a":1}}\n1', /^line 2, column 7: "}" is unexpected/],
      ['{\n"a":1}\n{\n"b":', /^line 4, column 5: unexpected end of JSON/],
      ['{\n"a":1}nul\n1', /^line 2, column 7: "n" is unexpected/],
    ] as const) {
      const { status, body: answer } = await local.ingest(name, body, { type: TYPES[2]! });
      assert.equal(status, 400, body);
      assert.match(answer.message, message);
    }
  });

  it('fails without affecting other events in a request with labels and a custom time field', async () => {
    const name = await local.dataset('labelled');
    const answer = await local.call('POST', `/v1/ingest/${name}?timestamp-field=t`, '[1]\n{}', {
      type: 'application/x-ndjson',
      headers: { 'x-axiom-event-labels': '{"l":1}' },
    });
    assert.deepEqual([answer.body.ingested, answer.body.failed], [1, 1], answer.text);
    assert.deepEqual(await local.rows(`['${name}'] | project l`), [{ l: 1 }]);
  });
});

describe('random bodies', () => {
  const datasets = LONG ? 200 : 12;
  it('produce the same event counts as a reference parser in JavaScript', async () => {
    for (let seed = 0; seed < datasets; seed += 1) {
      const next = random(seed + 1);
      const name = await local.dataset(`random-${seed}`);
      let stored = 0;
      for (let request = 0; request < 8; request += 1) {
        const others = next(3);
        const items = Array.from({ length: 1 + next(6) }, () =>
          next(3) < others ? pick(next, OTHERS) : pick(next, EVENTS),
        );
        const isList = next(2) === 0;
        const type = isList || !items[0]!.startsWith('[') ? pick(next, TYPES) : TYPES[0]!;
        if (isList && type !== 'application/json') {
          // As NDJSON, an array on one line is one item that is not an event.
          stored = await check(name, `[${items.join()}]`, type, ['[]'], stored);
        } else {
          const body = isList ? list(next, items) : lines(next, items);
          stored = await check(name, body, type, items, stored);
        }
      }
    }
  });
});

describe('input that DuckDB would ignore', () => {
  for (const [what, body, type, message] of [
    ['a line with NUL', '{"a":1}\n\u0000\n{"a":2}', 'application/x-ndjson', /line 2/],
    ['NUL alone', '\u0000', 'application/x-ndjson', /line 1/],
    ['NUL after an event', '{"a":1}\u0000', 'application/x-ndjson', /line 1/],
    ['a form feed', '{"a":1}\n\f\n{"a":2}', 'application/x-ndjson', /line 2/],
    ['a trailing comma in an array', '[{"a":1},]', 'application/json', /line 1/],
    ['a repeated comma in an array', '[{"a":1},,{"a":2}]', 'application/json', /line 1/],
    ['commas alone', '[,,]', 'application/json', /line 1/],
    ['a carriage return between events', '{"a":1}\r{"a":2}', 'application/x-ndjson', /line 1/],
    ['a comment', '{"a":1}\n// {"a":2}\n{"a":3}', 'application/x-ndjson', /line 2/],
    ['a second array', '[{"a":1}]\n[{"a":2}]', 'application/json', /line 2/],
  ] as const) {
    it(`causes the request to be rejected: ${what}`, async () => {
      const name = await local.dataset(`passed-${what.replaceAll(' ', '-')}`);
      for (const known of [0, 1, 2]) {
        if (known > 0) await local.stored(name, [{ a: 1 }]);
        const answer = await local.ingest(name, body, { type });
        assert.equal(answer.status, 400, answer.text);
        assert.equal(answer.body.reason, 'events-malformed');
        assert.match(answer.body.message, message);
        assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: known }]);
      }
    });
  }
});

describe('CSV', () => {
  it('counts each record as an event and ignores blank lines', async () => {
    const name = await local.dataset('csv');
    let stored = 0;
    for (const [body, records] of [
      ['a,b\n1,2\n,\n\n"",""\n', 3],
      ['a\n1\n\n\r\n""\n2\r\n3\n', 4],
      ['a,b\r\n1,2\r\n\r\n"x\n\ny",3', 2],
    ] as const) {
      const { body: answer, text } = await local.ingest(name, body, { type: 'text/csv' });
      assert.deepEqual([answer.ingested, answer.failed], [records, 0], text);
      stored += records;
      assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: stored }]);
    }
  });

  it('is rejected if it has more column names than the field limit of a request', async () => {
    const name = await local.dataset('names');
    const { status, body } = await local.ingest(name, ','.repeat(900_000), { type: 'text/csv' });
    assert.deepEqual([status, body.reason], [400, 'events-too-different']);
  });

  it('is counted correctly for random records and every line ending', async () => {
    const VALUES = ['', '1', '""', '"a,b"', '"x\ny"', '"\r\n"', '"q""q"', ' ', 'é'];
    for (let seed = 0; seed < 40; seed += 1) {
      const next = random(seed + 1);
      const name = await local.dataset(`csv-${seed}`);
      const columns = 1 + next(3);
      const ends = pick(next, [['\n'], ['\r\n'], ['\n', '\r\n'], ['\n', '\n\n', '\r\n\r\n']]);
      let records = 0;
      let text = `${['a', 'b', 'c'].slice(0, columns).join()}${pick(next, ends)}`;
      for (let left = 1 + next(8); left > 0; left -= 1) {
        const record = Array.from({ length: columns }, () => pick(next, VALUES)).join();
        if (record !== '') records += 1;
        text += record + pick(next, ends);
      }
      const answer = await local.ingest(name, text, { type: 'text/csv' });
      const what = `seed ${seed} ${JSON.stringify(text)} ${answer.text}`;
      assert.deepEqual([answer.body.ingested, answer.body.failed], [records, 0], what);
      assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: records }]);
    }
  });
});
