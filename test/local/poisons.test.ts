// Invalid stored data must not break anything else, whoever stored it and when. Rows are written
// directly into the store, as an older version or another program could have left them.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored('logs', [
    { a: 1, s: 'x', raw: 5 },
    { a: 2, s: 'y', raw: 6 },
  ]);
});
after(() => local.close());

/** Returns an object nested this many levels deep. */
function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

describe('a virtual field', () => {
  const send = (expression: string, dataset = 'logs') =>
    local.call('POST', '/v2/vfields', { dataset, name: 'v', expression });

  const refused: readonly (readonly [string, RegExp, number, number])[] = [
    ['a + *', /\* cannot stand here|\*/, 1, 5],
    ['a +', /./, 1, 4],
    ['a\n+ )', /./, 2, 3],
    ['', /must not be empty|expression/, 0, 0],
    ['   ', /./, 1, 1],
    ['1, b = 2', /single expression/, 1, 4],
    ['1 | where a == 1', /single expression/, 1, 3],
    ['1; print 1', /single expression/, 1, 4],
    ['count()', /./, 1, 1],
    ['nosuchfunction(a)', /nosuchfunction/, 1, 1],
    ['strlen()', /strlen/, 1, 1],
    ['extract(\n"(", 1, s)', /./, 2, 1],
    ['strcat(s, cursor_current())', /cannot have a cursor/, 1, 11],
    [`${'('.repeat(5_000)}a${')'.repeat(5_000)}`, /./, 1, 0],
  ];
  for (const [expression, message, line, column] of refused) {
    it(`with an invalid expression is rejected with the error's position: ${JSON.stringify(expression.slice(0, 30))}`, async () => {
      for (const dataset of ['logs', 'later']) {
        const { status, body, text } = await send(expression, dataset);
        assert.equal(status, 400, text);
        assert.match(body.message, message);
        if (line > 0) assert.equal(body.detail.line, line, text);
        if (column > 0) assert.equal(body.detail.column, column, text);
      }
      assert.deepEqual((await local.call('GET', '/v2/vfields?dataset=logs')).body, []);
    });
  }

  it('may refer to a dataset or fields that do not exist yet', async () => {
    for (const [expression, dataset] of [
      ['nowhere + 1', 'logs'],
      ['strcat(s, "x")', 'later'],
      ['a // a comment', 'logs'],
      ["iff(['a b'] > 1, a, nowhere.of.it)", 'logs'],
    ] as const) {
      const { status, body, text } = await send(expression, dataset);
      assert.equal(status, 200, text);
      assert.equal((await local.call('DELETE', `/v2/vfields/${body.id}`)).status, 204);
    }
  });

  it('is checked on update', async () => {
    const { body } = await send('a + 1');
    const path = `/v2/vfields/${body.id}`;
    const changed = { dataset: 'logs', name: 'v', expression: 'a + *' };
    assert.equal((await local.call('PUT', path, changed)).status, 400);
    assert.equal((await local.call('GET', path)).body.expression, 'a + 1');
    assert.equal((await local.call('DELETE', path)).status, 204);
  });
});

/** Stores rows without validation and reopens the store. */
async function poison(rows: readonly (readonly [string, string, string | null])[]): Promise<void> {
  await local.store.engine.use(async (session) => {
    for (const row of rows) await session.run('INSERT INTO aplomb.resources VALUES (?, ?, ?)', row);
  });
  local.reported.length = 0;
  await local.reopen();
}

describe('invalid stored data', () => {
  afterEach(async () => {
    await local.store.engine.use((session) => session.run('DELETE FROM aplomb.resources'));
    await local.reopen();
  });

  it('breaks only the queries that use the affected virtual fields', async () => {
    const field = (id: string, name: string, expression: unknown, dataset: unknown = 'logs') =>
      ['virtual field', id, JSON.stringify({ id, dataset, name, expression })] as const;
    await poison([
      field('1', 'star', 'a + *'),
      field('2', 'broken', 'a +'),
      field('3', 'two', '1 | limit 0'),
      field('4', 'number', 5),
      field('5', 'good', 'a + 1'),
      field('6', 'above', 'broken + 1'),
      field('7', 'raw', '*'),
      field('8', 'elsewhere', 'a', 7),
      field('9', 'file', 'a in ((externaldata (x:long) ["/etc/passwd"]))'),
      field('10', 'cursor', 'cursor_current()'),
    ]);
    assert.deepEqual(await local.rows('union logs, logs | count'), [{ count: 4 }]);
    const rows = await local.rows('logs | sort by a asc');
    assert.deepEqual(
      rows.map(({ a, good }) => [a, good]),
      [
        [1, 2],
        [2, 3],
      ],
    );
    assert.deepEqual(await local.rows('logs | where s == "y" | project good'), [{ good: 3 }]);
    for (const name of ['star', 'broken', 'two', 'number', 'above', 'raw', 'file', 'cursor']) {
      for (const query of [
        `logs | project ${name}`,
        `logs | where ${name} == 1 | count`,
        `logs | extend x = strcat('a', ${name})`,
        `logs | summarize count() by ['${name}']`,
      ]) {
        const { status, body } = await local.query(query);
        assert.equal(status, 400, query);
        assert.equal(body.errors[0].code, 'broken-virtual-field', query);
        assert.match(body.message, new RegExp(`virtual field ${name} cannot be used`), query);
      }
    }
    // The other documents can be listed, read, fixed and deleted.
    const listed = await local.call('GET', '/v2/vfields?dataset=logs');
    assert.equal(listed.body.length, 9);
    const fixed = { dataset: 'logs', name: 'star', expression: 'a * 2' };
    assert.equal((await local.call('PUT', '/v2/vfields/1', fixed)).status, 200);
    assert.equal((await local.call('DELETE', '/v2/vfields/4')).status, 204);
    assert.deepEqual(await local.rows('logs | where a == 2 | project star'), [{ star: 4 }]);
  });

  it('breaks only the queries that name the affected views', async () => {
    const view = (name: string, aplQuery: unknown, more: object = {}) =>
      ['view', name, JSON.stringify({ id: name, name, aplQuery, ...more })] as const;
    await poison([
      view('syntax', 'logs | where ('),
      view('number', 5),
      view('none', undefined),
      view('list', ['logs']),
      view('empty', ''),
      view('two', 'logs; logs'),
      view('self', 'self'),
      view('noted', 'logs', { description: 7, datasets: 'logs' }),
      view('star', 'logs | where *'),
      view('nested', `logs | where ${'('.repeat(2_000)}a${')'.repeat(2_000)} == 1`),
      view('logs', 'nowhere'),
    ]);
    assert.deepEqual(await local.rows('logs | count'), [{ count: 2 }]);
    assert.deepEqual(await local.rows('noted | count'), [{ count: 2 }]);
    for (const name of [
      'syntax',
      'number',
      'none',
      'list',
      'empty',
      'two',
      'self',
      'star',
      'nested',
    ]) {
      const { status, body, text } = await local.query(`${name} | count`);
      assert.equal(status, 400, text);
      assert.match(body.message, new RegExp(name), text);
    }
    assert.equal((await local.call('GET', '/v2/views')).body.length, 11);
    // A view that matches a pattern is skipped with a notice.
    for (const apl of ['union * | count', 'union logs, s* | count']) {
      const { status, body, text } = await local.query(apl);
      assert.equal(status, 200, text);
      const notices = body.status.messages.filter(
        ({ code }: { code: string }) => code === 'view_left_out',
      );
      assert.ok(
        notices.some(({ msg }: { msg: string }) =>
          /^The view self is not valid\..* Its rows are missing/.test(msg),
        ),
        text,
      );
    }
    assert.deepEqual(await local.rows('union logs, s* | count'), [{ count: 2 }]);
    assert.deepEqual(await local.rows('union * | count'), [{ count: 4 }]);
    assert.deepEqual(await local.rows('search * | count'), [{ count: 2 }]);
  });

  it('breaks only the queries that use the last fields of a long chain of virtual fields', async () => {
    const fields = Array.from({ length: 250 }, (_, i) => {
      const expression = i === 0 ? 'a' : `v${i - 1} + 1`;
      const id = String(i);
      return [
        'virtual field',
        id,
        JSON.stringify({ id, dataset: 'logs', name: `v${i}`, expression }),
      ] as const;
    });
    await poison(fields);
    assert.deepEqual(await local.rows('logs | count'), [{ count: 2 }]);
    assert.deepEqual(await local.rows('logs | where a == 1 | project v50'), [{ v50: 51 }]);
    assert.match(
      (await local.query('logs | project v200')).body.message,
      /virtual field v200 cannot be used/,
    );
  });

  it('is reported as an organization', async () => {
    await poison([['organisation', 'x', '{']]);
    assert.match(local.reported.join('\n'), /The stored organization "x" is left out/);
  });

  const kinds = [
    [
      'annotation',
      '/v2/annotations',
      '',
      { datasets: ['d'], type: 't', time: '2026-01-01T00:00:00Z' },
    ],
    ['view', '/v2/views', '', { name: '', aplQuery: 'logs' }],
    [
      'saved query',
      '/v2/apl-starred-queries',
      '',
      { name: 'q', kind: 'apl', query: { apl: 'logs' } },
    ],
    [
      'virtual field',
      '/v2/vfields',
      '?dataset=logs',
      { dataset: 'logs', name: 'v', expression: 'a' },
    ],
    ['monitor', '/v2/monitors', '', { name: 'm', type: 'Threshold', aplQuery: 'logs' }],
    ['dashboard', '/v2/dashboards', '', { version: 1, dashboard: { name: 'd' } }],
  ] as const;
  for (const [kind, path, query, document] of kinds) {
    const own = kind === 'dashboard' ? 'uid' : kind === 'view' ? 'name' : 'id';
    const at = (id: string) =>
      `${path}${kind === 'dashboard' ? '/uid' : ''}/${encodeURIComponent(id)}`;
    const good = JSON.stringify({ ...document, [own]: 'good' });

    it(`is skipped, reported once, and can be deleted: an unreadable ${kind}`, async () => {
      const bad: Readonly<Record<string, string | null>> = {
        'not-json': '{',
        nothing: null,
        empty: '',
        'a-list': '[]',
        'a-number': '5',
        'no-members': '{}',
        'too-deep': `{"${own}":"too-deep","name":"n","query":{"apl":"x"},"more":${deep(4_392)}}`,
        'very-deep': deep(200_000),
        another: good,
        'wrong-type': JSON.stringify({ ...document, [own]: 7 }),
      };
      await poison([
        ...Object.entries(bad).map(([id, json]) => [kind, id, json] as const),
        [kind, 'good', good],
        ['a kind to come', 'x', '{'],
      ]);
      assert.equal(local.reported.length, Object.keys(bad).length, local.reported.join('\n'));
      const listed = async () => {
        const { status, body, text } = await local.call('GET', path + query);
        assert.equal(status, 200, text);
        return body.map((one: Record<string, unknown>) => one[own]);
      };
      assert.deepEqual(await listed(), ['good']);
      assert.deepEqual(await local.rows('logs | count'), [{ count: 2 }]);
      for (const id of Object.keys(bad)) {
        assert.ok(
          local.reported.some((line) => line.includes(`The stored ${kind} "${id}" is left out`)),
          local.reported.join('\n'),
        );
        const read = await local.call('GET', at(id));
        assert.equal(read.status, 409, read.text);
        assert.equal(read.body.reason, 'resource-unreadable');
        assert.equal((await local.call('DELETE', at(id))).status, 204, id);
        assert.equal((await local.call('GET', at(id))).status, 404, id);
        assert.equal((await local.call('DELETE', at(id))).status, 404, id);
      }
      local.reported.length = 0;
      await local.reopen();
      assert.deepEqual(local.reported, []);
      assert.deepEqual(await listed(), ['good']);
    });

    it(`is listed without properties of the wrong type: a ${kind}`, async () => {
      const odd: Record<string, unknown> = { id: 'odd', uid: 'odd', name: 'odd' };
      for (const name of Object.keys(document)) if (!(name in odd)) odd[name] = null;
      const wrong = {
        ...document,
        ...{ datasets: [5, 'd', null], time: 7, endTime: {}, description: [], metadata: 'x' },
        ...{ kind: 9, who: {}, type: 1, aplQuery: 3, unit: 4, createdAt: 5, charts: 'x' },
        ...{ dataset: 'logs', expression: 'a', query: { apl: 5 } },
        [own]: 'wrong',
        ...(kind === 'view' ? { id: 'wrong' } : {}),
      };
      await poison([
        [
          kind,
          'odd',
          JSON.stringify({ ...odd, dataset: 'logs', dashboard: { name: 'x' }, query: {} }),
        ],
        [kind, 'wrong', JSON.stringify(wrong)],
        [kind, 'good', good],
      ]);
      const more = query === '' ? '?' : `${query}&`;
      for (const each of [
        '',
        'datasets=d',
        'start=2020-01-01T00:00:00Z',
        'qs=x',
        'who=all',
        'limit=5',
      ]) {
        const { status, text } = await local.call('GET', `${path}${more}${each}`);
        assert.equal(status, 200, text);
      }
      const { body } = await local.call('GET', `${path}${more}who=all`);
      assert.equal(body.length, 3);
      assert.equal((await local.query('logs | count')).status, 200);
      for (const id of ['odd', 'wrong'])
        assert.equal((await local.call('DELETE', at(id))).status, 204);
    });
  }

  it('can be replaced by a new document with the same name if it is unreadable', async () => {
    await poison([
      ['view', 'v', '{'],
      ['dashboard', 'd', '{'],
    ]);
    const view = { name: 'v', aplQuery: 'logs | count' };
    assert.equal((await local.call('PUT', '/v2/views/v', view)).status, 409);
    assert.equal((await local.call('POST', '/v2/views', view)).status, 200);
    const dashboard = { dashboard: { name: 'd' } };
    assert.equal((await local.call('PUT', '/v2/dashboards/uid/d', dashboard)).status, 201);
    local.reported.length = 0;
    await local.reopen();
    assert.deepEqual(local.reported, []);
    assert.deepEqual(await local.rows('v'), [{ count: 2 }]);
    const [stored] = await local.store.engine.use((session) =>
      session.rows('SELECT count(*) FROM aplomb.resources'),
    );
    assert.deepEqual(stored, [2n]);
  });

  it("doesn't affect other datasets if it is in a dataset's or a field's details", async () => {
    for (const name of ['maps', 'lost', 'details']) {
      await local.dataset(name);
      await local.stored(name, [{ a: { b: 1 } }]);
    }
    await local.store.engine.use(async (session) => {
      const set = (name: string, change: (document: object) => string) =>
        session
          .rows<[number, string]>('SELECT id, document FROM aplomb.datasets')
          .then((all) => all.find(([, json]) => JSON.parse(json).name === name)!)
          .then(([id, json]) =>
            session.run('UPDATE aplomb.datasets SET document = ? WHERE id = ?', [
              change(JSON.parse(json)),
              id,
            ]),
          );
      await set('maps', (document) => JSON.stringify({ ...document, mapFields: [5, null, 'a'] }));
      await session.run(
        `INSERT INTO aplomb.fields SELECT id, 'a.b', 'details', '', '{"unit":5,"hidden":null}'
         FROM aplomb.datasets WHERE document LIKE '%"details"%'`,
      );
      await session.run(
        `INSERT INTO aplomb.fields SELECT id, 'a.b', 'details', '', '{'
         FROM aplomb.datasets WHERE document LIKE '%"logs"%'`,
      );
      await session.run(
        `INSERT INTO aplomb.fields SELECT id, 'odd', 'a type to come', 'odd', NULL
         FROM aplomb.datasets WHERE document LIKE '%"logs"%'`,
      );
      await set('lost', () => '{');
    });
    local.reported.length = 0;
    await local.reopen();
    assert.equal(local.reported.length, 1);
    assert.match(
      local.reported[0]!,
      /The stored dataset number \d+ is left out, because it is not JSON/,
    );
    const { body } = await local.call('GET', '/v2/datasets');
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['details', 'logs', 'maps'],
    );
    assert.deepEqual((await local.call('GET', '/v2/datasets/maps/mapfields')).body, ['a']);
    assert.equal((await local.call('GET', '/v1/datasets/_fields')).status, 200);
    for (const name of ['details', 'logs', 'maps']) {
      await local.stored(name, [{ a: { b: 2 }, n: 1 }]);
      assert.equal((await local.query(`['${name}'] | limit 5`)).status, 200, name);
    }
    // A new dataset does not get the table of the skipped one.
    await local.dataset('fresh');
    assert.deepEqual(await local.rows('fresh | count'), [{ count: 0 }]);
  });
});

describe('deeply nested JSON', () => {
  const bodies = [
    ['POST', '/v2/annotations', '"datasets":["a"],"type":"t"'],
    ['POST', '/v2/views', '"name":"v","aplQuery":"logs"'],
    ['POST', '/v2/apl-starred-queries', '"name":"q","kind":"apl","query":{"apl":"logs"}'],
    ['POST', '/v2/vfields', '"dataset":"logs","name":"v","expression":"a"'],
    ['POST', '/v2/monitors', '"name":"m","type":"Threshold","aplQuery":"logs"'],
    ['POST', '/v2/dashboards', '"dashboard":{"name":"d"}'],
    ['POST', '/v1/query/_apl?format=tabular', '"apl":"logs"'],
    ['POST', '/v1/datasets/_apl?format=tabular', '"apl":"logs"'],
    ['PUT', '/v2/datasets/logs', '"description":"d"'],
  ] as const;
  for (const [method, path, members] of bodies) {
    it(`is rejected by ${method} ${path} beyond 100 levels and accepted below`, async () => {
      for (const levels of [101, 4_392, 500_000]) {
        const { status, body } = await local.call(method, path, `{${members},"x":${deep(levels)}}`);
        assert.equal(status, 400);
        assert.equal(body.reason, 'json-too-deep');
      }
      const brackets = `{${members},"x":"${'[{'.repeat(300)}\\"${'['.repeat(300)}","y":${deep(99)}}`;
      const taken = await local.call(method, path, brackets);
      assert.ok(taken.status < 300, taken.text);
      const list = path.split('?')[0]!;
      if (path.startsWith('/v2') && method === 'POST') {
        assert.equal((await local.call('GET', `${list}?dataset=logs`)).status, 200);
      }
    });
  }

  it('is rejected in the labels header', async () => {
    const headers = (json: string) => ({ headers: { 'x-axiom-event-labels': json } });
    for (const json of [deep(101), deep(5_000), '['.repeat(5_000) + ']'.repeat(5_000)]) {
      const { status, body } = await local.ingest('logs', [{ a: 1 }], headers(json));
      assert.equal(status, 400);
      assert.equal(body.reason, 'json-too-deep');
    }
    await local.dataset('labelled');
    assert.equal((await local.ingest('labelled', [{ a: 1 }], headers(deep(30)))).status, 200);
  });

  it('becomes null in events', async () => {
    await local.dataset('deep-events');
    const { status, text } = await local.ingest('deep-events', `{"a":${deep(5_000)},"b":1}`);
    assert.equal(status, 200, text);
  });
});
