// A block whose answer was lost is sent again and stored once. Errors say whether events may be stored, and contain no
// password.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server as HttpServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readArguments } from '../../../local/src/arguments.ts';
import { openStore } from '../../../local/src/store/store.ts';
import { Deployment } from '../../local/deployment.ts';
import { eventsOf, type Server, startServer } from './deployment.ts';

const PASSWORD = 'p4ss-w0rd';

let server: Server;
before(async () => {
  server = await startServer({ users: { default: PASSWORD } });
});
after(() => server?.stop());

/** A proxy that passes requests on, and destroys the connection instead of passing on some answers. */
class LossyProxy {
  readonly #http: HttpServer;
  /** Tokens of the blocks that were sent, with repetitions. */
  readonly tokens: string[] = [];
  /** How many answers to blocks are lost from now on. */
  losses = 0;

  private constructor(http: HttpServer) {
    this.#http = http;
  }

  static async start(port: number): Promise<LossyProxy> {
    const http = createServer();
    const proxy = new LossyProxy(http);
    http.on('request', (incoming, response) => {
      const token = new URL(incoming.url!, 'http://x').searchParams.get(
        'insert_deduplication_token',
      );
      if (token !== null) proxy.tokens.push(token);
      const { method, url, headers } = incoming;
      const outgoing = request({ port, host: '127.0.0.1', method, path: url, headers });
      outgoing.once('response', (answer: IncomingMessage) => {
        if (token !== null && proxy.losses > 0) {
          proxy.losses -= 1;
          answer.resume().once('end', () => incoming.socket.destroy());
          return;
        }
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      outgoing.once('error', () => incoming.socket.destroy());
      incoming.pipe(outgoing);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }
}

function optionsFor(url: string, others: { repeatMs?: number; password?: string } = {}) {
  return { url, user: 'default', password: PASSWORD, database: 'aplomb', ...others };
}

const type = 'application/x-ndjson';

describe('a lost answer', () => {
  it('is followed by the same block, which is stored once', async () => {
    const proxy = await LossyProxy.start(server.clickhouse.port);
    const local = await Deployment.open({ clickhouse: optionsFor(proxy.url) });
    try {
      await local.call('POST', '/v2/datasets', { name: 'lost' });
      // Events of several days, of which each is a part of the table.
      const days = ['2024-01-01', '2024-01-02', '1700-01-01'];
      const bodyOf = (round: number) =>
        Array.from({ length: 300 }, (_, n) =>
          JSON.stringify({ _time: days[n % 3], round, n }),
        ).join('\n');
      for (let round = 0; round < 4; round += 1) {
        proxy.losses = round;
        const before = proxy.tokens.length;
        const answer = await local.call('POST', '/v1/datasets/lost/ingest', bodyOf(round), {
          type,
        });
        assert.equal(answer.status, 200, answer.text);
        const tokens = proxy.tokens.slice(before);
        assert.equal(tokens.length, round + 1);
        assert.equal(new Set(tokens).size, 1);
      }
      assert.equal(new Set(proxy.tokens).size, 4);
      const rows = await eventsOf(local).clickhouse.rows<[string, string, string]>(
        'SELECT count(), uniqExact("round:integer", "n:integer"), uniqExact(_row) FROM aplomb.lost',
      );
      assert.deepEqual(rows, [['1200', '1200', '1200']]);
    } finally {
      await local.close();
      proxy.stop();
    }
  });

  it('leaves events in doubt if no answer arrives in time, and they were stored once', async () => {
    const proxy = await LossyProxy.start(server.clickhouse.port);
    const local = await Deployment.open({ clickhouse: optionsFor(proxy.url, { repeatMs: 500 }) });
    try {
      await local.call('POST', '/v2/datasets', { name: 'doubt' });
      proxy.losses = 1_000;
      const answer = await local.call('POST', '/v1/datasets/doubt/ingest', '{"a":1}', { type });
      assert.equal(answer.status, 504, answer.text);
      assert.equal(answer.body.reason, 'events-unconfirmed');
      assert.ok(proxy.tokens.length > 1);
      proxy.losses = 0;
      const rows = await eventsOf(local).clickhouse.rows('SELECT count() FROM aplomb.doubt');
      assert.deepEqual(rows, [['1']]);
    } finally {
      await local.close();
      proxy.stop();
    }
  });

  it('stores nothing and says so while ClickHouse is unreachable', async () => {
    const proxy = await LossyProxy.start(server.clickhouse.port);
    const local = await Deployment.open({ clickhouse: optionsFor(proxy.url, { repeatMs: 300 }) });
    try {
      await local.call('POST', '/v2/datasets', { name: 'down' });
      await local.call('POST', '/v1/datasets/down/ingest', '{"a":1}', { type });
      proxy.stop();
      const answer = await local.call('POST', '/v1/datasets/down/ingest', '{"a":1}', { type });
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.headers.get('retry-after'), '5');
      assert.match(
        answer.body.message,
        /ECONNREFUSED.* No events of the request were stored\. Check that it is running/,
      );
      const query = await local.call('POST', '/v1/query/_apl?format=tabular', {
        apl: 'down',
        startTime: 'now-1h',
        endTime: 'now',
      });
      assert.equal(query.status, 503, query.text);
      assert.match(
        query.body.message,
        /^ClickHouse cannot handle the request: .*ECONNREFUSED\S* [\d.:]+\. Check that it is running, and try again\.$/,
      );
    } finally {
      await local.close();
    }
  });
});

it('a start without ClickHouse says that it waits, and then what to check', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-unreachable-'));
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const clickhouse = optionsFor('http://127.0.0.1:1', { repeatMs: 300 });
  try {
    await assert.rejects(openStore({ folder, log, clickhouse }), {
      message:
        /^ClickHouse at http:\/\/127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED [^.]+\.\d+\.\d+\.\d+:1\. Check --clickhouse-url, /,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
  assert.equal(logged.length, 1);
  assert.match(logged[0]!, /^Waiting for ClickHouse at http:\/\/127\.0\.0\.1:1: connect ECONN/);
});

describe('the password', () => {
  it('is taken from the environment, and not from the address', () => {
    const args = ['--data', 'x', '--engine', 'clickhouse', '--clickhouse-url'];
    const environment = { CLICKHOUSE_USER: 'u', CLICKHOUSE_PASSWORD: PASSWORD };
    const { clickhouse } = readArguments([...args, 'http://h:8123'], environment);
    assert.equal(clickhouse!.user, 'u');
    assert.equal(clickhouse!.password, PASSWORD);
    for (const url of [
      `http://u:${PASSWORD}@h:8123`,
      `http://h/?password=${PASSWORD}`,
      `u:${PASSWORD}@h`,
    ]) {
      assert.throws(
        () => readArguments([...args, url], {}),
        (error: Error) =>
          error.message.includes('--clickhouse-url') && !error.message.includes(PASSWORD),
      );
    }
    assert.throws(() => readArguments(['--data', 'x', '--clickhouse-url', 'http://h']), /--engine/);
  });

  it('is not part of the error if ClickHouse rejects it', async () => {
    const wrong = 'wr0ng-p4ss';
    const clickhouse = optionsFor(server.clickhouse.url, { password: wrong });
    const opened = Deployment.open({ clickhouse });
    await assert.rejects(opened, (error: Error) => {
      assert.match(error.message, /Authentication failed/);
      assert.ok(!JSON.stringify([error.message, error.stack, error]).includes(wrong));
      return true;
    });
  });
});
