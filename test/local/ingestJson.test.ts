// JSON events: the result of every kind of value and key, and the effect of an invalid body.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

const time = { _time: '2026-01-01T00:00:00Z' };

/** Ingests the same events twice: at first they are new, then their shape is known. */
async function twice(name: string, body: string | Uint8Array | readonly object[]) {
  await local.dataset(name);
  const answers = [await local.ingest(name, body), await local.ingest(name, body)];
  for (const { status, text } of answers) assert.equal(status, 200, text);
  return answers.map((answer) => answer.body);
}

/** Returns a column's distinct values as raw text from the response. */
async function rawValues(name: string, field: string): Promise<string> {
  const answer = await local.query(`['${name}'] | distinct ['${field}'] | order by ['${field}']`, {
    startTime: '2000-01-01T00:00:00Z',
  });
  assert.equal(answer.status, 200, answer.text);
  return /"columns":\[\[(.*)\]\]\}\]\}$/s.exec(answer.text)![1]!;
}

describe('a value', () => {
  it('determines the type of its field, for each JSON type', async () => {
    await local.dataset('types');
    await local.stored('types', [
      { s: 'x', i: 1, f: 1.5, b: true, a: [1, 'x', { y: 1 }], o: { in: { deep: 1 } }, n: null },
    ]);
    assert.deepEqual(await local.fields('types'), {
      a: 'array',
      b: 'boolean',
      f: 'float',
      i: 'integer',
      'o.in.deep': 'integer',
      s: 'string',
    });
    const [row] = await local.rows("['types']");
    assert.deepEqual(
      { ...row, _time: 0, _sysTime: 0 },
      {
        _time: 0,
        _sysTime: 0,
        a: [1, 'x', { y: 1 }],
        b: true,
        f: 1.5,
        i: 1,
        'o.in.deep': 1,
        s: 'x',
      },
    );
  });

  it('is stored exactly if it is a 64-bit integer, and as a float if it is a larger integer', async () => {
    const text =
      '{"max":9223372036854775807,"min":-9223372036854775808,"odd":9007199254740993,"more":18446744073709551615,"most":123456789012345678901234567890}';
    await twice('integers', text);
    assert.equal(await rawValues('integers', 'max'), '9223372036854775807');
    assert.equal(await rawValues('integers', 'min'), '-9223372036854775808');
    assert.equal(await rawValues('integers', 'odd'), '9007199254740993');
    assert.equal(Number(await rawValues('integers', 'more')), 2 ** 64);
    assert.equal(await rawValues('integers', 'most'), '1.2345678901234568e+29');
  });

  it('is stored as a float in a float field if it is an integer that a float represents exactly', async () => {
    await local.dataset('numbers');
    await local.stored('numbers', [{ n: 1.5 }, { n: 2 }]);
    assert.deepEqual(await local.fields('numbers'), { n: 'float' });
    await local.stored('numbers', '{"n":9007199254740993}');
    assert.deepEqual(await local.fields('numbers'), { n: 'float|integer' });
    await local.stored('numbers', [{ n: 3 }]);
    const [row] = await local.rows("['numbers'] | summarize total = count()");
    assert.equal(row!['total'], 4);
  });

  it('adds the float type to an integer field if it is a fraction', async () => {
    await local.dataset('widened');
    await local.stored('widened', [{ n: 1 }]);
    await local.stored('widened', [{ n: 1.5 }]);
    await local.stored('widened', [{ n: 2 }, { n: 2.5 }]);
    assert.deepEqual(await local.fields('widened'), { n: 'integer|float' });
    assert.deepEqual(await local.rows("['widened'] | summarize sum(n)"), [{ sum_n: 7 }]);
  });

  it('is stored unchanged in a field with several types', async () => {
    const values = [1, 'x', 1.5, true, [1, 'y'], '5', null, 'true', '[1]', '{"a":1}', '', ' '];
    await twice(
      'several',
      values.map((v, index) => ({ v, index })),
    );
    const rows = await local.rows("['several'] | distinct v, index | order by index asc");
    assert.deepEqual(
      rows.map((row) => row['v']),
      values,
    );
  });

  it('stays a string if it is a string, even if it looks like another type', async () => {
    const texts = [
      '1',
      '-1.5e10',
      'true',
      'false',
      'null',
      'NaN',
      'Infinity',
      '[1]',
      '{}',
      '',
      '-',
    ];
    await local.dataset('lookalikes');
    await local.stored('lookalikes', [{ s: 'plain' }]);
    await local.stored('lookalikes', [{ s: 'plain' }]);
    const body = texts.map((s) => ({ s }));
    await local.stored('lookalikes', body);
    await local.stored('lookalikes', body);
    assert.deepEqual(await local.fields('lookalikes'), { s: 'string' });
    const rows = await local.rows(
      "['lookalikes'] | where s != 'plain' | summarize n = count() by s",
    );
    assert.deepEqual(new Set(rows.map((row) => row['s'])), new Set(texts));
    assert.ok(rows.every((row) => row['n'] === 2));
  });

  it("is never cast silently if its type differs from the known field's", async () => {
    await local.dataset('casts');
    for (let i = 0; i < 2; i += 1) await local.stored('casts', [{ i: 1, f: 1.5, b: true, s: 'x' }]);
    await local.stored('casts', [{ i: '7', f: true, b: 1, s: 5 }]);
    await local.stored('casts', [{ i: 1.5, f: '2.5', b: 'true', s: ['x'] }]);
    const rows = await local.rows("['casts'] | where tostring(i) != '1' | project i, f, b, s");
    assert.deepEqual(
      new Set(rows.map((row) => JSON.stringify(row))),
      new Set(['{"i":"7","f":true,"b":1,"s":5}', '{"i":1.5,"f":"2.5","b":"true","s":["x"]}']),
    );
  });

  it('becomes null if it is NaN or Infinity', async () => {
    const text = '{"a":NaN,"b":Infinity}\n{"a":1.5,"b":-Infinity}';
    await twice('nan', text);
    const rows = await local.rows("['nan'] | distinct a, b");
    assert.deepEqual(
      new Set(rows.map((row) => JSON.stringify(row))),
      new Set(['{"a":null,"b":null}', '{"a":1.5,"b":null}']),
    );
  });

  it('is stored unchanged if it has NUL, quotes, control characters or emoji', async () => {
    const s = 'a\u0000b"\\\u0001\n\té😀\u{10ffff}';
    await twice('text', [{ s }]);
    assert.deepEqual(await local.rows("['text'] | distinct s"), [{ s }]);
  });

  it('is stored as <invalid data> if it is not valid Unicode', async () => {
    const lone = '{"s":"\\ud800x","n":1}\n{"s":"ok","n":2}';
    const bytes = Buffer.from(lone.replace('\\ud800', 'QQ'));
    bytes[bytes.indexOf('QQ')] = 0xff;
    for (const [name, body] of [
      ['surrogate', lone],
      ['utf8', bytes],
    ] as const) {
      await twice(name, body);
      const rows = await local.rows(`['${name}'] | distinct s, n | order by n asc`);
      assert.deepEqual(rows, [
        { s: '<invalid data>', n: 1 },
        { s: 'ok', n: 2 },
      ]);
    }
  });

  it('is stored as <invalid string: too long> if it has 50 MB in one line', async () => {
    const body = `{"a":"${'x'.repeat(50 * 1_048_576)}","b":1}\n{"a":"y","b":2}`;
    await local.dataset('long');
    await local.stored('long', body);
    assert.deepEqual(await local.rows("['long'] | project a, b | order by b asc"), [
      { a: '<invalid string: too long>', b: 1 },
      { a: 'y', b: 2 },
    ]);
  });

  it('is truncated to null if it is nested more than 100 levels deep', async () => {
    const nested = (depth: number) => `{"n":1,"a":${'['.repeat(depth)}7${']'.repeat(depth)}}`;
    await local.dataset('deep');
    for (let i = 0; i < 2; i += 1) await local.stored('deep', `${nested(99)}\n${nested(150)}`);
    const rows = await local.rows("['deep'] | project a");
    const depths = rows.map((row) => JSON.stringify(row['a']).lastIndexOf('[') + 1);
    assert.deepEqual(depths, [99, 99, 99, 99]);
    const sevens = rows.filter((row) => JSON.stringify(row['a']).includes('7'));
    assert.equal(sevens.length, 2);
  });

  it('is stored only if all of its 300,000 nested brackets are closed', async () => {
    await local.dataset('brackets');
    for (const [open, close] of [
      ['[', ']'],
      ['{"x":', '}'],
    ] as const) {
      const closed = `{"a":${open.repeat(300_000)}1${close.repeat(300_000)},"b":1}`;
      await local.stored('brackets', closed);
      await local.stored('brackets', `[${closed}]`, { type: 'application/json' });
      const broken = await local.ingest('brackets', `{"a":${open.repeat(300_000)}\n{"b":1}`);
      assert.equal(broken.status, 400);
    }
    assert.deepEqual(await local.rows("['brackets'] | count"), [{ count: 4 }]);
  });
});

describe('a key', () => {
  it('becomes a field, even if it contains unusual characters', async () => {
    const keys = ['c"d', "e'f", '😀', '__proto__', 'constructor', 'x\u0000y', 't\tb', '0', 'a b'];
    const event = JSON.parse(`{${keys.map((key, i) => `${JSON.stringify(key)}:${i}`).join()}}`);
    await twice('keys', [event, JSON.parse('{"__proto__":9,"`; DROP TABLE x; --":1}')]);
    const { body } = await local.call('GET', '/v2/datasets/keys/fields');
    const names = (body as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(
      new Set(names),
      new Set(['_time', '_sysTime', ...keys, '`; DROP TABLE x; --']),
    );
    const { body: answer } = await local.query("['keys'] | summarize count()", {});
    assert.equal(answer.tables[0].columns[0][0], 4);
  });

  it('is a separate field if it differs only in case', async () => {
    await twice('cases', [{ a: 1, A: 'x', o: { k: 1, K: 2 } }]);
    assert.deepEqual(await local.fields('cases'), {
      A: 'string',
      a: 'integer',
      'o.K': 'integer',
      'o.k': 'integer',
    });
    assert.deepEqual(await local.rows("['cases'] | distinct a, A"), [{ a: 1, A: 'x' }]);
  });

  it('is the same field as the nested key if it has a dot', async () => {
    await twice('dotted', '{"a.b":1}\n{"a":{"b":2}}');
    assert.deepEqual(await local.fields('dotted'), { 'a.b': 'integer' });
    assert.deepEqual(await local.rows("['dotted'] | distinct ['a.b'] | order by ['a.b'] asc"), [
      { 'a.b': 1 },
      { 'a.b': 2 },
    ]);
  });

  it('keeps its first value if it appears twice', async () => {
    await twice('doubled', '{"a":1,"a":2}');
    assert.deepEqual(await local.rows("['doubled'] | distinct a"), [{ a: 1 }]);
  });

  it('does not select array elements if it is a number', async () => {
    await twice('numbered', '{"a":{"0":1}}\n{"a":[5]}');
    const rows = await local.rows("['numbered'] | distinct a, ['a.0']");
    assert.deepEqual(
      new Set(rows.map((row) => JSON.stringify(row))),
      new Set(['{"a":null,"a.0":1}', '{"a":[5],"a.0":null}']),
    );
    const names = ['a.b', 'c d', 'Ü/x', '$[0]'];
    for (const [at, name] of names.entries()) {
      const dataset = `numbered-${at}`;
      await twice(dataset, `{"${name}":{"0":false},"id":1}\n{"${name}":[5],"id":2}`);
      const found = await local.rows(`['${dataset}'] | where id == 2 | distinct ['${name}.0']`);
      assert.deepEqual(found, [{ [`${name}.0`]: null }], name);
    }
  });

  it('is renamed with a prefix if the service reserves it', async () => {
    await twice('reserved', [{ ...time, _sysTime: 'x', _source: { a: 1 }, _rowID: 5 }]);
    assert.deepEqual(await local.fields('reserved'), {
      _user__rowID: 'integer',
      '_user__source.a': 'integer',
      _user__sysTime: 'string',
    });
  });

  it('causes only its event to be rejected if it is empty or too long', async () => {
    const body = `{"${'k'.repeat(201)}":1}\n{"":1}\n{"${'k'.repeat(200)}":1}`;
    for (const answer of await twice('names', body)) {
      assert.equal(answer.ingested, 1);
      assert.equal(answer.failed, 2);
      assert.match(answer.failures[0].error, /event 1: .*name/);
    }
  });

  it("causes its event to be rejected if it would exceed a dataset's field limit", async () => {
    const wide = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));
    await local.dataset('wide');
    await local.stored('wide', [wide('a', 1_000)]);
    const answer = await local.ingest('wide', [wide('b', 24), wide('c', 1), wide('a', 5)]);
    assert.equal(answer.body.ingested, 2);
    assert.match(answer.body.failures[0].error, /event 2: .*1024/);
    assert.equal(Object.keys(await local.fields('wide')).length, 1_024);
  });

  it('becomes one column if it names a map field, and existing flattened fields remain', async () => {
    await local.dataset('maps');
    await local.stored('maps', [{ geo: { city: 'x', n: 1 } }]);
    const made = await local.call('POST', '/v2/datasets/maps/mapfields', { name: 'geo' });
    assert.deepEqual([made.status, made.body], [200, { name: 'geo' }]);
    for (let i = 0; i < 2; i += 1) await local.stored('maps', [{ geo: { city: 'y', other: 2 } }]);
    assert.deepEqual(await local.fields('maps'), {
      geo: 'map',
      'geo.city': 'string',
      'geo.n': 'integer',
    });
    const again = await local.call('POST', '/v2/datasets/maps/mapfields', { name: 'geo' });
    assert.equal(again.status, 409);
  });
});

describe('a body without events', () => {
  for (const [body, type] of [
    ['', 'application/x-ndjson'],
    ['', 'application/json'],
    ['', 'text/csv'],
    ['', 'application/octet-stream'],
    [' \n\r\n', 'application/x-ndjson'],
    [' \n', 'application/json'],
    ['[]', 'application/json'],
    [' [ \n ] ', 'application/json'],
    ['a,b\n', 'text/csv'],
  ] as const) {
    it(`(${JSON.stringify(body)} as ${type}) stores 0 events`, async () => {
      const name = await local.dataset(`none-${Math.random()}`);
      const answer = await local.ingest(name, body, { type });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual([answer.body.ingested, answer.body.failed], [0, 0]);
      assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: 0 }]);
    });
  }
});

describe('an invalid body', () => {
  const broken: readonly (readonly [what: string, body: string, type: string, message: RegExp])[] =
    [
      ['an unclosed array', '[', 'application/json', /line 1/],
      ['a truncated array', '[{"a":1},{"b":2}', 'application/json', /line 1, column 17/],
      ['an invalid array', '[\n{"a":1},\n{"b":}\n]', 'application/json', /line 3, column 6/],
      ['text after an array', '[{"a":1}] x', 'application/json', /line 1, column 11/],
      [
        'an invalid line in the middle',
        '{"a":1}\n{"a":\n{"a":3}',
        'application/x-ndjson',
        /line 2/,
      ],
      ['two events on a line', '{"a":1} {"a":2}', 'application/x-ndjson', /line 1, column 9/],
      ['a comma after a line', '{"a":1},\n{"a":2}', 'application/x-ndjson', /line 1, column 8/],
      ['a raw newline in a string', '{"a":"x\ny"}', 'application/x-ndjson', /line 1/],
    ];
  for (const [what, body, type, message] of broken) {
    it(`stores no event of the request: ${what}`, async () => {
      const name = await local.dataset(`broken-${broken.findIndex(([each]) => each === what)}`);
      for (const known of [false, true]) {
        if (known) await local.stored(name, [{ a: 1 }]);
        const answer = await local.ingest(name, body, { type });
        assert.equal(answer.status, 400, answer.text);
        assert.match(answer.body.message, message);
        assert.equal(answer.body.code, 400);
        assert.deepEqual(await local.rows(`['${name}'] | count`), [{ count: known ? 1 : 0 }]);
      }
    });
  }

  it('is rejected with the line number of one invalid line among 10,000', async () => {
    await local.dataset('needle');
    const lines = Array.from({ length: 10_000 }, (_, i) => `{"i":${i}}`);
    await local.stored('needle', lines.join('\n'));
    lines[4_999] = '{"i":4999';
    const answer = await local.ingest('needle', lines.join('\n'));
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /^line 5000,/);
    assert.deepEqual(await local.rows("['needle'] | count"), [{ count: 10_000 }]);
  });

  it('fails only for the items that are not objects if it is valid JSON', async () => {
    const [first, second] = await twice('values', '{"a":1}\n42\n"x"\nnull\n[1]\n{}');
    for (const answer of [first, second]) {
      assert.deepEqual([answer.ingested, answer.failed], [2, 4]);
      assert.deepEqual(
        answer.failures.map(({ error }: { error: string }) => error),
        [2, 3, 4, 5].map((n) => `event ${n}: it is not a JSON object`),
      );
    }
  });

  it('is rejected in every format if it has more than 10,000 events', async () => {
    await local.dataset('many');
    const lines = Array.from({ length: 10_001 }, () => '{"a":1}');
    for (const [body, type] of [
      [lines.join('\n'), 'application/x-ndjson'],
      [`[${lines.join()}]`, 'application/json'],
      [`a\n${lines.map(() => '1').join('\n')}`, 'text/csv'],
    ] as const) {
      const answer = await local.ingest('many', body, { type });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, /exceeds 10000 events/);
    }
    assert.deepEqual(await local.rows("['many'] | count"), [{ count: 0 }]);
  });
});

describe('a body of JSON', () => {
  it('may contain one event that spans several lines', async () => {
    await local.dataset('pretty');
    await local.stored('pretty', JSON.stringify({ a: 1, b: { c: [1] } }, null, 2), {
      type: 'application/json',
    });
    assert.deepEqual(await local.rows("['pretty'] | project a, ['b.c']"), [{ a: 1, 'b.c': [1] }]);
  });

  it('may contain one event per line, sent as application/json', async () => {
    await local.dataset('lines');
    await local.stored('lines', '{"a":1}\n{"a":2}', { type: 'application/json; charset=utf-8' });
    assert.deepEqual(await local.rows("['lines'] | count"), [{ count: 2 }]);
  });

  it('may contain a byte order mark, CRLF and blank lines', async () => {
    const [answer] = await twice('marked', '\ufeff{"a":1}\r\n\r\n{"a":2}\r\n');
    assert.equal(answer.ingested, 2);
  });

  it('may contain nested objects, which are flattened', async () => {
    await twice('grouped', [{ time: '2026-01-01T00:00:00Z', data: { k: 1 }, labels: { l: 'x' } }]);
    assert.deepEqual(await local.fields('grouped'), {
      'data.k': 'integer',
      'labels.l': 'string',
      time: 'string',
    });
  });
});
