// Tests every endpoint of the table: it has a handler, checks authorization, and rejects invalid
// bodies.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiError, checkStrict, endpointKeys, endpointRow } from '../../api/src/index.ts';
import { handlers } from '../../local/src/routes/handlers.ts';
import { Deployment, TOKEN } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
});
after(() => local.close());

function pathOf(key: (typeof endpointKeys)[number]): string {
  const query =
    key === 'getMonitorHistory'
      ? '?startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z'
      : '';
  return endpointRow(key).path.replace(/\{[^}]+\}/g, 'nothing') + query;
}

describe('endpoints', () => {
  it('all have a handler', () => {
    assert.deepEqual(
      endpointKeys.filter((key) => handlers[key] === undefined),
      [],
    );
  });

  it('reject an invalid body with an error in the documented form', async () => {
    const bodies = ['', '{', 'null', '[]', '"x"', '5', '{"name":5}', '{"__proto__":{"a":1}}'];
    const huge = `{"name":"${'x'.repeat(100_000)}"}`;
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const key of endpointKeys) {
      const row = endpointRow(key);
      if (row.content !== 'json') continue;
      for (const body of [...bodies, huge, deep]) {
        const answer = await local.call(row.method, pathOf(key), body);
        // An empty list of map fields or of queries is valid.
        if (answer.status < 400 && body === '[]') continue;
        assert.ok(answer.status >= 400, `${key}: ${answer.text}`);
        assert.ok(answer.status < 500 || answer.status === 501, `${key}: ${answer.text}`);
        assert.deepEqual(checkStrict(ApiError, answer.body), []);
        assert.equal(answer.body.code, answer.status);
      }
    }
  });

  it('return 404 with the name of a missing resource', async () => {
    for (const key of endpointKeys) {
      const row = endpointRow(key);
      if (row.content !== 'none' || !row.path.includes('{')) continue;
      const { status, body } = await local.call(row.method, pathOf(key));
      assert.equal(status, 404, key);
      assert.match(body.message, /nothing/, key);
    }
  });

  it('return different statuses for unknown paths, unsupported methods and invalid encodings', async () => {
    assert.equal((await local.call('GET', '/')).status, 404);
    assert.equal((await local.call('GET', '/v2/monitors/')).status, 404);
    assert.equal((await local.call('GET', '/v9/monitors')).status, 404);
    assert.equal((await local.call('DELETE', '/v2/monitors')).status, 405);
    assert.equal((await local.call('GET', '/v2/monitors/%ff')).status, 400);
  });
});

describe('authorization', () => {
  const request = (headers: Record<string, string>) =>
    local.app(new Request('http://127.0.0.1/v2/orgs', { headers }));

  it('fails without a valid token', async () => {
    for (const authorization of ['', 'Bearer', 'Basic x', `bearer: ${TOKEN}`]) {
      assert.equal((await request({ authorization })).status, 401, authorization);
    }
    assert.equal((await request({})).status, 401);
    for (const token of ['x', `${TOKEN}x`, TOKEN.slice(1), TOKEN.toUpperCase()]) {
      assert.equal((await request({ authorization: `Bearer ${token}` })).status, 401, token);
    }
    assert.equal((await request({ authorization: `bearer ${TOKEN}` })).status, 200);
  });

  it('fails for a foreign host name, even with a valid token', async () => {
    const authorization = `Bearer ${TOKEN}`;
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      'localhost.evil:80',
    ]) {
      const response = await local.app(
        new Request(`http://${host}/v2/orgs`, { headers: { authorization } }),
      );
      assert.equal(response.status, 403, host);
    }
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:99']) {
      const response = await local.app(
        new Request(`http://${host}/v2/orgs`, { headers: { authorization } }),
      );
      assert.equal(response.status, 200, host);
    }
  });
});
