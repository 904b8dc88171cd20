// The response to an ingest request that is cut off by a restart: a client must never retry stored
// events.
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

describe('an ingest request cut off by a restart', () => {
  it('is not stored after it was refused', async () => {
    const gateway = new Gateway(TOKEN);
    const statuses: Promise<number>[] = [];
    gateway.open((request) => {
      const response = local.app(request);
      statuses.push(response.then(({ status }) => status));
      return response;
    });
    const { engine, datasets } = local.store;
    // Holds the dataset's gate, so the request is still in progress at the restart.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = datasets.get('logs')!.lock.exclusive(() => held);
    const ingest = gateway.respond(request('POST', '/v1/ingest/logs', '[{"a":1}]')).then(
      ({ status }) => status,
      () => 'cut off',
    );
    const reading = gateway.respond(request('GET', '/v2/datasets'));
    assert.equal((await reading).status, 200);
    await gateway.restart(50, () => engine.endCommits(1_000));
    release();
    await holding;
    // It can't be refused as retryable either, because it is still in progress.
    assert.equal(await ingest, 'cut off');
    // A real restart would end the process here. In this one, the request continues until its
    // commit is refused.
    assert.deepEqual(await Promise.all(statuses), [503, 200]);
    await local.reopen();
    assert.deepEqual(await local.rows('logs | count'), [{ count: 0 }]);
  });

  it('returns its actual outcome if it completes just in time', async () => {
    const gateway = new Gateway(TOKEN);
    gateway.open(local.app);
    const { engine } = local.store;
    const ingest = gateway.respond(request('POST', '/v1/ingest/logs', '[{"a":1}]')).then(
      ({ status }) => status,
      () => 'cut off',
    );
    // On a loaded machine, the response takes longer than a restart waits for it.
    await gateway.restart(0, () => engine.endCommits(1_000), 60_000);
    const status = await ingest;
    await local.reopen();
    const [row] = await local.rows('logs | count');
    assert.deepEqual([status, row], status === 200 ? [200, { count: 1 }] : [503, { count: 0 }]);
  });
});

describe('a health check', () => {
  it('is refused for a foreign host name, including while the process opens, restarts or ends', async () => {
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
