// Queries that the client saves at the local deployment's own API, and what it says about them.
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { listSavedQueries, saveQuery } from '../../../client/src/savedQueries/savedQueries.ts';
import { Deployment, TOKEN } from '../../local/deployment.ts';
import { json, LoopbackServer, serveDeployment } from '../loopback.ts';

let local: Deployment;
let server: LoopbackServer;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.stored('logs', [{ status: 200 }]);
  server = await serveDeployment(local);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await local.close();
});

async function notices(apl: string, replaced?: string): Promise<readonly string[]> {
  const service = server.service(TOKEN);
  const known = await listSavedQueries(service);
  assert.ok(known.ok);
  const range = { startTime: 'now-1h', endTime: 'now' };
  const old = known.value.find(({ name }) => name === replaced);
  const saved = await saveQuery(service, { name: replaced ?? 'q', apl, range }, old);
  assert.ok(saved.ok, JSON.stringify(saved));
  return saved.value;
}

it('a valid query is saved without a message, and an invalid one with its problem', async () => {
  assert.deepEqual(await notices("['logs'] | where status == 200"), []);
  const [notice, ...others] = await notices("['logs'] | where state == 'ü'");
  assert.match(notice!, /^line: 1, col: 18: .*state/);
  assert.deepEqual(others, []);
  const [changed] = await notices("['log'] | count", 'q');
  assert.match(changed!, /^line: 1, col: 1: .*Did you mean/);
});

it('an invalid header is ignored', async () => {
  for (const header of ['', '{', '5', '{}', '[5, null, {"msg": 5}, {"msg": " "}, []]']) {
    await using odd = await LoopbackServer.start((response) => {
      if (header !== '') response.setHeader('x-aplomb-messages', header);
      const saved = {
        id: 'x',
        name: 'q',
        kind: 'apl',
        query: { apl: 'x' },
        metadata: {},
        who: 'u',
      };
      json(response, 200, saved);
    });
    const range = { startTime: 'now-1h', endTime: 'now' };
    const saved = await saveQuery(odd.service(), { name: 'q', apl: 'x', range });
    assert.deepEqual(saved.ok && saved.value, [], header);
  }
});

it('a saved query with empty APL is listed, and a record without APL is not', async () => {
  await using odd = await LoopbackServer.start((response) =>
    json(response, 200, [
      { id: 'a', name: 'empty', query: { apl: '' } },
      { id: 'b', name: 'none', query: {} },
      { id: 'c', name: 'odd', query: { apl: null } },
    ]),
  );
  const listed = await listSavedQueries(odd.service(TOKEN));
  assert.deepEqual(listed, { ok: true, value: [{ id: 'a', name: 'empty', apl: '' }] });
});
