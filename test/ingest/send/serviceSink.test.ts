// Maps responses and connection failures of real servers to results: may be retried, rejected, or
// possibly stored.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { Service } from '../../../client/src/service/service.ts';
import type { Batch, SendResult } from '../../../ingest/src/contract.ts';
import { json, LoopbackServer } from '../../client/loopback.ts';
import { sinkTo } from './running.ts';

const position = { batch: 0, events: 0, broken: 0, offset: 0, line: 1, stored: 0 };
const batch: Batch = {
  body: new Uint8Array(Buffer.from('{"id":0}\n')),
  bytes: 9,
  contentEncoding: 'identity',
  contentType: 'application/x-ndjson',
  query: { 'timestamp-field': 'at' },
  headers: { 'X-Axiom-Event-Labels': '{"a":"b"}' },
  events: 1,
  firstLine: 1,
  lastLine: 1,
  broken: [],
  start: position,
  end: position,
};

const never = new AbortController().signal;

function sendTo(service: Service, signal = never): Promise<SendResult> {
  return sinkTo(service).send(batch, signal);
}

interface Row {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: SendResult['kind'];
  readonly afterMs?: number;
}

const error = { message: 'No.' };
const rows: readonly Row[] = [
  { status: 429, body: error, headers: { 'retry-after': '7' }, expected: 'later', afterMs: 7_000 },
  { status: 429, body: error, expected: 'later' },
  { status: 503, body: error, expected: 'later' },
  {
    status: 503,
    body: '<html>',
    headers: { 'retry-after': '2' },
    expected: 'later',
    afterMs: 2_000,
  },
  { status: 503, body: '<html>upstream connect error', expected: 'doubt' },
  { status: 408, body: error, expected: 'later' },
  { status: 500, body: error, expected: 'doubt' },
  { status: 502, body: error, expected: 'doubt' },
  { status: 504, body: error, expected: 'doubt' },
  { status: 400, body: error, expected: 'refused' },
  { status: 401, body: error, expected: 'refused' },
  { status: 404, body: error, expected: 'refused' },
  { status: 413, body: '', expected: 'refused' },
  { status: 430, body: error, expected: 'refused' },
  { status: 501, body: error, expected: 'refused' },
  { status: 307, headers: { location: 'http://127.0.0.1:1/' }, expected: 'refused' },
  { status: 200, body: 'not JSON', expected: 'doubt' },
  { status: 200, body: {}, expected: 'doubt' },
];

describe('a response', () => {
  for (const { status, body = '', headers = {}, expected, afterMs } of rows) {
    const andHeaders = Object.keys(headers).length > 0 ? ` and ${JSON.stringify(headers)}` : '';
    it(`${status} with ${JSON.stringify(body)}${andHeaders}: ${expected}`, async () => {
      await using server = await LoopbackServer.start((response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        json(response, status, body);
      });
      const result = await sendTo(server.service());
      assert.equal(result.kind, expected);
      if (result.kind === 'later') assert.equal(result.afterMs, afterMs);
      if (result.kind === 'refused') assert.equal(result.status, status);
    });
  }

  it('with failures and messages is returned with both', async () => {
    const answer = {
      ingested: 3,
      failed: 1,
      failures: [{ timestamp: '2026-01-01T00:00:00Z', error: 'event 2: no' }],
      messages: [{ priority: 'warn', code: 'schema_rules_drop:x', msg: 'x was dropped', count: 1 }],
      processedBytes: 9,
      blocksCreated: 0,
      walLength: 0,
    };
    await using server = await LoopbackServer.start((response) => json(response, 200, answer));
    const { ingested, failed, failures } = answer;
    const messages = ['x was dropped'];
    const expected = { kind: 'answered', ingested, failed, failures, messages };
    assert.deepEqual(await sendTo(server.service()), expected);
    const [request] = server.received;
    assert.equal(request?.url, '/v1/ingest/data?timestamp-field=at');
    assert.equal(request?.headers['x-axiom-event-labels'], '{"a":"b"}');
    assert.equal(request?.headers['content-encoding'], undefined);
  });
});

function serviceAt(url: string): Service & AsyncDisposable {
  const dispatcher = directDispatcher();
  const service = new Service({ general: url, edge: url, dispatcher, token: async () => 'xaat-x' });
  return Object.assign(service, { [Symbol.asyncDispose]: () => dispatcher.destroy() });
}

/** Starts a TCP server with a connection handler. */
async function tcpServer(serve: Parameters<typeof createServer>[1]) {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url, close, [Symbol.asyncDispose]: close };
}

describe('a connection', () => {
  it('that is refused can be retried, because nothing was sent', async () => {
    const { url, close } = await tcpServer(() => {});
    await close();
    await using service = serviceAt(url);
    const result = await sendTo(service);
    assert.equal(result.kind, 'later');
  });

  it('to a nonexistent host can be retried, because nothing was sent', async () => {
    await using service = serviceAt('http://no-such-host.invalid');
    const result = await sendTo(service);
    assert.equal(result.kind, 'later');
  });

  it('that closes after the request leaves the outcome in doubt', async () => {
    await using server = await tcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.destroy());
    });
    await using service = serviceAt(server.url);
    assert.equal((await sendTo(service)).kind, 'doubt');
  });

  it('that was reused and is reset during a request leaves the outcome in doubt', async () => {
    let requests = 0;
    const body = '{"ingested":1,"failed":0,"processedBytes":1,"blocksCreated":0,"walLength":0}';
    await using server = await tcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        requests += 1;
        if (requests > 1) socket.resetAndDestroy();
        else
          socket.write(
            `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
      });
    });
    await using service = serviceAt(server.url);
    assert.equal((await sendTo(service)).kind, 'answered');
    assert.equal((await sendTo(service)).kind, 'doubt');
  });

  it('that is canceled reports whether the request was sent', async () => {
    await using service = serviceAt('http://127.0.0.1:9');
    assert.deepEqual(await sendTo(service, AbortSignal.abort()), {
      kind: 'cancelled',
      sent: false,
    });
    const controller = new AbortController();
    await using server = await tcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => controller.abort());
    });
    await using waiting = serviceAt(server.url);
    const result = await sendTo(waiting, controller.signal);
    assert.deepEqual(result, { kind: 'cancelled', sent: true });
  });

  it('without a token sends nothing', async () => {
    const url = 'http://127.0.0.1:9';
    const dispatcher = directDispatcher();
    const service = new Service({
      general: url,
      edge: url,
      dispatcher,
      token: async () => undefined,
    });
    assert.equal((await sendTo(service)).kind, 'unsent');
    await dispatcher.destroy();
  });
});

/** Returns the response to the query that counts a dataset's events. */
const counted = (events: number) => ({
  format: 'tabular',
  status: {
    elapsedTime: 1,
    blocksExamined: 1,
    rowsExamined: events,
    rowsMatched: events,
    numGroups: 0,
    isPartial: false,
  },
  datasetNames: ['data'],
  tables: [
    {
      name: '0',
      sources: [],
      order: [],
      groups: [],
      fields: [
        { name: 'events', type: 'integer' },
        { name: 'first', type: 'datetime' },
        { name: 'last', type: 'datetime' },
      ],
      columns: [
        [events],
        ...(events > 0 ? [['2015-01-01T00:00:00Z'], ['2015-01-02T00:00:00Z']] : [[null], [null]]),
      ],
    },
  ],
});

describe('the dataset for a file', () => {
  for (const [events, deleted] of [
    [0, true],
    [7, false],
  ] as const) {
    it(`with ${events} events is ${deleted ? 'deleted' : 'kept'}`, async () => {
      await using server = await LoopbackServer.start((response, { method }) =>
        method === 'DELETE' ? response.writeHead(204).end() : json(response, 200, counted(events)),
      );
      await sinkTo(server.service()).deleteIfEmpty?.();
      const [, ...others] = server.received.map(({ method, url }) => `${method} ${url}`);
      assert.deepEqual(others, deleted ? ['DELETE /v2/datasets/data'] : []);
    });
  }

  it("that can't be created is reported with the reason", async () => {
    const message = 'The plan allows three datasets.';
    await using server = await LoopbackServer.start((response) => json(response, 403, { message }));
    const made = await sinkTo(server.service()).create?.(never);
    assert.equal(made?.kind === 'refused' && made.message, message);
  });
});
