// Unusual requests that once caused internal errors: each must succeed or be refused with a reason.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ALL_TIMES, Deployment } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored('logs', [{ a: 1, s: 'x' }]);
});
after(() => local.close());

describe('U+0000 in a query', () => {
  for (const count of [1, 1_000, 30_000]) {
    it(`is accepted in a literal that contains it ${count.toLocaleString('en-US')} times`, async () => {
      const escaped = `"${"'\\u0000".repeat(count)}\u{e000}"`;
      const [row] = await local.rows(
        `print s = ${escaped} | extend n = strlen(s), same = s == ${escaped}, parts = array_length(split(s, "'"))`,
      );
      assert.equal(row!['s'], `${"'\0".repeat(count)}\u{e000}`);
      assert.deepEqual([row!['n'], row!['same'], row!['parts']], [2 * count + 1, true, count + 1]);
    });
  }

  it('is accepted in a pattern, a key, a name and a variable', async () => {
    const [row] = await local.rows(
      'declare query_parameters (p:string = ""); print d = dynamic({"a\\u0000b": 1}), m = "a\\u0000b" matches regex "a\\u0000b", [\'x\\u0000y\'] = p',
      { variables: { p: '\0'.repeat(2_000) } },
    );
    assert.deepEqual(row!['d'], { 'a\0b': 1 });
    assert.equal(row!['m'], true);
    assert.ok(Object.values(row!).includes('\0'.repeat(2_000)));
  });

  it('is accepted together with every private-use character', async () => {
    const all = Array.from({ length: 6_400 }, (_, i) => String.fromCharCode(0xe000 + i)).join('');
    const text = `${all}\0\u{f0000}`;
    const [row] = await local.rows('declare query_parameters (p:string = ""); print s = p', {
      variables: { p: text },
    });
    assert.equal(row!['s'], text);
  });
});

describe('query options', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['defaultLimit', 'abc'],
    ['defaultLimit', 1.5],
    ['defaultLimit', -1],
    ['defaultLimit', 1e21],
    ['defaultLimit', {}],
    ['defaultOrder', 5],
    ['defaultOrder', [5]],
    ['defaultOrder', [{}]],
    ['defaultOrder', { field: 'a', desc: true }],
    ['maxBinAutoGroups', 'zzz'],
    ['maxBinAutoGroups', 1.5],
    ['maxBinAutoGroups', -1],
    ['includeCursorField', 'yes'],
    ['includeCursor', 1],
    ['libraries', 'x'],
    ['variables', 5],
    ['cursor', 5],
    ['startTime', 5],
    ['queryOptions', []],
    ['apl', ['logs']],
  ];
  const ofEdge = new Set(['defaultLimit', 'defaultOrder', 'maxBinAutoGroups', 'libraries']);
  const ask = (path: string, members: object) =>
    local.call('POST', `${path}?format=tabular`, {
      apl: 'logs | summarize count() by bin_auto(_time)',
      ...members,
    });

  it('are rejected by an edge deployment if they have the wrong type, with an error that names the option', async () => {
    for (const [name, value] of wrong) {
      const { status, body, text } = await ask('/v1/query/_apl', { [name]: value });
      assert.equal(status, 400, text);
      assert.match(body.message, new RegExp(`\\b${name}\\b`), text);
    }
  });

  it('are rejected outside edge deployments if they have the wrong type, except ignored options', async () => {
    for (const [name, value] of wrong) {
      const { status, body, text } = await ask('/v1/datasets/_apl', { [name]: value });
      assert.equal(status, ofEdge.has(name) ? 200 : 400, text);
      if (status === 400) assert.match(body.message, new RegExp(`\\b${name}\\b`), text);
    }
  });

  it('are accepted by an edge deployment if they have the right type', async () => {
    const members = { ...ALL_TIMES, defaultLimit: 1, maxBinAutoGroups: 3 };
    const { status, text } = await ask('/v1/query/_apl', members);
    assert.equal(status, 200, text);
  });
});

describe('a lone surrogate', () => {
  it('is replaced in a name by U+FFFD, before and after a restart', async () => {
    const view = '{"name":"a\\ud800b","aplQuery":"logs | count","\\udc00":["\\ud83d\\ude00"]}';
    const made = await local.call('POST', '/v2/views', view);
    assert.equal(made.status, 200, made.text);
    assert.equal(made.body.name, 'a\ufffdb');
    assert.deepEqual(made.body['\ufffd'], ['\u{1f600}']);
    // Another lone surrogate now gives the same name.
    const other = '{"name":"a\\udfffb","aplQuery":"logs"}';
    assert.equal((await local.call('POST', '/v2/views', other)).status, 409);
    await local.reopen();
    assert.deepEqual(local.reported, []);
    const path = `/v2/views/${encodeURIComponent('a\ufffdb')}`;
    assert.deepEqual((await local.call('GET', path)).body, made.body);
    assert.deepEqual(await local.rows("['a\ufffdb']"), [{ count: 1 }]);
    assert.equal((await local.call('DELETE', path)).status, 204);
  });
});

describe('labels', () => {
  it("don't fail the ingest request if they have numbers too large for a double", async () => {
    await local.dataset('labels');
    const headers = { 'x-axiom-event-labels': '{"n":1e999,"m":-1e999,"o":{"p":1e999},"k":1}' };
    const { status, text } = await local.ingest('labels', [{ a: 1 }], { headers });
    assert.equal(status, 200, text);
    assert.deepEqual(await local.rows("['labels'] | project a, k"), [{ a: 1, k: 1 }]);
  });
});
