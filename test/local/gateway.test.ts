// What a request that stores something is told when a restart cuts it off: never to try again what is stored.
import '../../local/src/threads.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Gateway } from '../../local/src/gateway.ts';
import { Deployment, TOKEN } from './deployment.ts';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.call('POST', '/v2/datasets', { name: 'logs' });
});
after(() => local.close());

const request = (method: string, path: string, body?: string, type = 'application/json') =>
  new Request(`http://127.0.0.1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });

describe('an ingest request that a restart cuts off', () => {
  it('is not stored after it was refused', async () => {
    const gateway = new Gateway(TOKEN);
    const statuses: Promise<number>[] = [];
    gateway.open((request) => {
      const response = local.app(request);
      statuses.push(response.then(({ status }) => status));
      return response;
    });
    const { engine, datasets } = local.store;
    // The dataset is held by somebody else, so that the request is under way when its time is over.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = datasets.get('logs')!.gate.alone(() => held);
    const ingest = gateway.respond(request('POST', '/v1/ingest/logs', '[{"a":1}]')).then(
      ({ status }) => status,
      () => 'cut off',
    );
    const reading = gateway.respond(request('GET', '/v2/datasets'));
    assert.equal((await reading).status, 200);
    await gateway.restart(50, () => engine.endCommits(1_000));
    release();
    await holding;
    // It may not even be told to try again while it is still going on.
    assert.equal(await ingest, 'cut off');
    // The process would be replaced now; in this one the request goes on, until its commit is refused.
    assert.deepEqual(await Promise.all(statuses), [503, 200]);
    await local.reopen();
    assert.deepEqual(await local.rows('logs | count'), [{ count: 0 }]);
  });

  it('is answered truly when it is stored just in time', async () => {
    const gateway = new Gateway(TOKEN);
    gateway.open(local.app);
    const { engine } = local.store;
    const ingest = gateway.respond(request('POST', '/v1/ingest/logs', '[{"a":1}]')).then(
      ({ status }) => status,
      () => 'cut off',
    );
    // On a busy machine the answer takes longer than a restart waits for it.
    await gateway.restart(0, () => engine.endCommits(1_000), 60_000);
    const status = await ingest;
    await local.reopen();
    const [row] = await local.rows('logs | count');
    assert.deepEqual([status, row], status === 200 ? [200, { count: 1 }] : [503, { count: 0 }]);
  });
});

describe('health', () => {
  it('is refused under a foreign host name, while the process opens, restarts and ends as well', async () => {
    const ask = async (gateway: Gateway, host: string) => {
      const url = `http://${host}/_local/health?nonce=n`;
      const { status } = await gateway.respond(new Request(url, { headers: { host } }));
      return status;
    };
    const states = {
      opening: () => undefined,
      restarting: (gateway: Gateway) => gateway.restart(0, async () => undefined),
      ending: (gateway: Gateway) => gateway.end(),
    };
    for (const [state, enter] of Object.entries(states)) {
      const gateway = new Gateway(TOKEN);
      await enter(gateway);
      assert.equal(await ask(gateway, '127.0.0.1:4000'), 200, state);
      assert.equal(await ask(gateway, 'rebound.example'), 403, state);
    }
  });
});
