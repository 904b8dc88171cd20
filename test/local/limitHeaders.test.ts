// Headers of every response: a unique trace id and the remaining limits, which decrease with use.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Gateway } from '../../local/src/gateway.ts';
import { type Listening, listen } from '../../local/src/listen.ts';
import { type Answer, Deployment, TOKEN } from './deployment.ts';

let local: Deployment;
let listening: Listening;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  listening = await listen(local.app, 0);
});
after(async () => {
  await listening.close(1_000);
  await local.close();
});

const remaining = ({ headers }: Answer, family: string) =>
  Number(headers.get(`x-${family}-remaining`));

describe('the limit headers', () => {
  it('are on every response and count down the remaining requests', async () => {
    const first = await local.call('GET', '/v2/datasets');
    assert.equal(first.headers.get('x-ratelimit-scope'), 'organization');
    const reset = Number(first.headers.get('x-ratelimit-reset')) * 1_000;
    assert.ok(reset > Date.now() && reset <= Date.now() + 61_000, String(reset));
    const second = await local.call('GET', '/v2/datasets/nothing');
    assert.equal(second.status, 404);
    // A new minute may have started between the two.
    const left = remaining(second, 'ratelimit');
    const limit = Number(second.headers.get('x-ratelimit-limit'));
    assert.ok([remaining(first, 'ratelimit') - 1, limit - 1].includes(left), String(left));
    for (const path of ['/nothing', '/v2/datasets/a%ff']) {
      assert.ok(remaining(await local.call('GET', path), 'ratelimit') > 0, path);
    }
  });

  it('count down the bytes of each ingest request', async () => {
    const ingest = () => local.ingest('logs', '{"a":1}');
    const before = remaining(await ingest(), 'ingestlimit');
    assert.equal(remaining(await ingest(), 'ingestlimit'), before - 7);
  });

  it('count down the cost of each query', async () => {
    const first = await local.query('logs | count');
    const cost = Number(first.headers.get('x-axiom-query-cost-gbms'));
    assert.ok(cost >= 1, String(cost));
    const second = await local.query('no such dataset');
    assert.equal(second.status, 400);
    assert.equal(remaining(second, 'querylimit'), remaining(first, 'querylimit') - cost);
  });
});

describe('a trace id', () => {
  it('is on a response while the process is still opening', async () => {
    const opening = await new Gateway(TOKEN).respond(new Request('http://127.0.0.1/v2/datasets'));
    assert.equal(opening.status, 503);
    assert.match(opening.headers.get('x-axiom-trace-id') ?? '', /^[0-9a-f]{32}$/);
  });

  it('is on a response to invalid HTTP', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.match(text, /\r\nx-axiom-trace-id: [0-9a-f]{32}\r\n/);
    assert.equal(text.match(/content-type/g)?.length, 1);
  });

  it('is different for each response', async () => {
    const answers = [await local.call('GET', '/v2/orgs'), await local.call('GET', '/v2/orgs')];
    const ids = answers.map(({ headers }) => headers.get('x-axiom-trace-id'));
    assert.equal(new Set(ids).size, 2);
  });
});
