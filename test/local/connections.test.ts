// Tests connections over real sockets: after a refusal, either the next request on the connection
// is answered, or the refusal said that it is the last response. The client can read the response
// in both cases.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../local/src/app.ts';
import { CONNECTION_LIMITS } from '../../local/src/limits.ts';
import { type Listening, listen } from '../../local/src/listen.ts';
import { Deployment, PERSONAL_TOKEN, TOKEN } from './deployment.ts';

const LIMITS = {
  ...CONNECTION_LIMITS,
  headMs: 400,
  drainMs: 1_000,
  lingerMs: 10_000,
  lingerIdleMs: 500,
};
const PACE = { stallMs: 300, windowMs: 1_000, windowBytes: 1_024 };

let local: Deployment;
let listening: Listening;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  const app = createApp({
    store: local.store,
    token: TOKEN,
    personalToken: PERSONAL_TOKEN,
    log: (message) => local.logged.push(message),
    fatal: () => local.logged.push('fatal'),
    pace: PACE,
  });
  listening = await listen(app, 0, LIMITS);
});
after(async () => {
  await listening.close(1_000);
  await local.close();
});

interface Answer {
  readonly status: number;
  readonly close: boolean;
  readonly headers: string;
  readonly text: string;
}

/** A client with one connection, which reads responses while it sends. */
class Client {
  readonly socket: Socket;
  readonly #ended: Promise<void>;
  #text = '';
  #isEnded = false;
  /** The error that ended the connection. */
  error: NodeJS.ErrnoException | undefined;

  constructor() {
    this.socket = connect({ port: listening.port, host: '127.0.0.1', noDelay: true });
    this.socket.setEncoding('latin1').on('data', (text) => {
      this.#text += text;
    });
    this.socket.on('error', (error) => {
      this.error = error;
    });
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#isEnded = true;
        resolve();
      };
      this.socket.once('end', end).once('close', end);
    });
  }

  async send(...parts: (string | Buffer)[]): Promise<void> {
    for (const part of parts) {
      if (this.#isEnded || this.socket.destroyed) return;
      if (!this.socket.write(part)) {
        await Promise.race([
          new Promise((resolve) => this.socket.once('drain', resolve)),
          this.#ended,
        ]);
      }
    }
  }

  /** Returns the next response, or undefined if the connection ended first. */
  async answer(): Promise<Answer | undefined> {
    for (;;) {
      const head = this.#text.indexOf('\r\n\r\n');
      const headers = this.#text.slice(0, head).toLowerCase();
      const status = Number(/^http\/1\.1 (\d+)/.exec(headers)?.[1]);
      const body = head < 0 ? undefined : bodyOf(headers, this.#text.slice(head + 4));
      if (body !== undefined) {
        this.#text = this.#text.slice(head + 4 + body.length);
        return { status, close: /^connection: close\r?$/m.test(headers), headers, text: body.text };
      }
      if (this.#isEnded) return undefined;
      await Promise.race([
        new Promise((resolve) => this.socket.once('data', resolve)),
        this.#ended,
        sleep(20_000, undefined, { ref: false }).then(() => assert.fail('no answer')),
      ]);
      await sleep(0);
    }
  }

  /** Resolves when the server has ended the connection. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  close(): void {
    this.socket.destroy();
  }
}

function bodyOf(headers: string, rest: string): { text: string; length: number } | undefined {
  if (/^http\/1\.1 1\d\d/.test(headers)) return { text: '', length: 0 };
  const length = /content-length: (\d+)/.exec(headers)?.[1];
  if (length !== undefined) {
    return rest.length < Number(length)
      ? undefined
      : { text: rest.slice(0, Number(length)), length: Number(length) };
  }
  let text = '';
  for (let at = 0; ; ) {
    const end = rest.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(rest.slice(at, end), 16);
    if (rest.length < end + 2 + size + 2) return undefined;
    text += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
    if (size === 0) return { text, length: at };
  }
}

interface Head {
  readonly line: string;
  readonly host?: string;
  readonly token?: string;
  readonly type?: string;
}

function head({ line, host = '127.0.0.1', token = TOKEN, type = 'application/x-ndjson' }: Head) {
  return `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n`;
}

const NEXT = `${head({ line: 'GET /v2/orgs' })}\r\n`;

const INGEST = 'POST /v1/ingest/logs';
const REFUSALS: readonly (readonly [what: string, status: number, head: Head])[] = [
  ['an unknown path', 404, { line: 'POST /v1/nothing' }],
  ['a wrong method', 405, { line: 'PUT /v1/ingest/logs' }],
  ['a wrong type', 415, { line: INGEST, type: 'text/html' }],
  ['a wrong token', 401, { line: INGEST, token: 'wrong' }],
  ['a wrong host', 403, { line: INGEST, host: 'evil.example' }],
  ['a bad query string', 400, { line: 'GET /v2/dashboards?limit=many' }],
  ['an unknown dataset', 404, { line: 'POST /v1/ingest/nothing' }],
  ['a broken path', 400, { line: 'GET /v2/datasets/%ff' }],
];

const line = `{"a":"${'x'.repeat(1_000)}"}\n`;
const small = Buffer.from(line.repeat(20));
const large = Buffer.from(line.repeat(9_000));
const chunked = (body: Buffer, size: number) => {
  const chunks: (string | Buffer)[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    chunks.push(`${piece.length.toString(16)}\r\n`, piece, '\r\n');
  }
  return [...chunks, '0\r\n\r\n'];
};
const BODIES: readonly (readonly [what: string, parts: readonly (string | Buffer)[]])[] = [
  ['no body', ['\r\n']],
  ['an empty body', ['Content-Length: 0\r\n\r\n']],
  ['a small body', [`Content-Length: ${small.length}\r\n\r\n`, small]],
  ['a large body', [`Content-Length: ${large.length}\r\n\r\n`, large]],
  ['a small body in chunks', ['Transfer-Encoding: chunked\r\n\r\n', ...chunked(small, 777)]],
  ['a large body in chunks', ['Transfer-Encoding: chunked\r\n\r\n', ...chunked(large, 60_000)]],
];

describe('a rejected request', () => {
  for (const [what, status, refused] of REFUSALS) {
    for (const [body, parts] of BODIES) {
      it(`(${what} with ${body}) keeps the connection usable or announces its close`, async () => {
        for (const pipelined of [true, false]) {
          const client = new Client();
          for (let round = 0; round < 5; round += 1) {
            const sending = client.send(head(refused), ...parts, ...(pipelined ? [NEXT] : []));
            const answer = await client.answer();
            await sending;
            assert.equal(answer?.status, status, `${answer?.text} ${client.error}`);
            assert.equal(JSON.parse(answer.text).code, status);
            const isSmall = !body.includes('large');
            if (isSmall) assert.equal(answer.close, false, 'closes after a small body');
            if (answer.close) {
              await client.ended;
              assert.equal(client.error, undefined);
              break;
            }
            if (!pipelined) await client.send(NEXT);
            assert.equal((await client.answer())?.status, 200);
          }
          client.close();
        }
      });
    }
  }

  it('receives the error for an invalid body even if the client reads only after the upload', async () => {
    const gzip = Buffer.concat([Buffer.from('not gzip'), large, large]);
    const many = Buffer.from('{}\n'.repeat(5_000_000));
    for (const [extra, body, reason] of [
      ['Content-Encoding: gzip\r\n', gzip, 'bad-packing'],
      ['Content-Encoding: br\r\n', large, 'bad-encoding'],
      ['', many, 'events-too-many'],
    ] as const) {
      const client = new Client();
      const length = `${extra}Content-Length: ${body.length}\r\n\r\n`;
      // Like a client that reads no response before it has sent everything.
      client.socket.pause();
      await client.send(head({ line: INGEST }), length, body);
      client.socket.resume();
      const answer = await client.answer();
      assert.equal(JSON.parse(answer?.text ?? '{}').reason, reason, `${client.error}`);
      assert.equal(answer!.close, true);
      await client.ended;
      client.close();
    }
  });

  it('closes the connection, so the next request on the connection is ignored', async () => {
    const client = new Client();
    const made = '{"name":"sneaked"}';
    const create = `${head({ line: 'POST /v2/datasets', type: 'application/json' })}Content-Length: ${made.length}\r\n\r\n${made}`;
    const parts = ['Transfer-Encoding: chunked\r\n\r\n', ...chunked(large, 60_000), create];
    await client.send(head({ line: INGEST, token: 'wrong' }), ...parts);
    assert.equal((await client.answer())!.close, true);
    await client.ended;
    const { body } = await local.call('GET', '/v2/datasets');
    assert.ok(!body.some(({ name }: { name: string }) => name === 'sneaked'));
    client.close();
  });

  it('receives the error instead of 100 Continue, and the connection is closed', async () => {
    const expecting = `Content-Length: ${small.length}\r\nExpect: 100-continue\r\n\r\n`;
    const refused = new Client();
    await refused.send(head({ line: INGEST, token: 'wrong' }), expecting);
    const answer = await refused.answer();
    assert.deepEqual([answer?.status, answer?.close], [401, true]);
    await refused.ended;
    const taken = new Client();
    await taken.send(head({ line: INGEST }), expecting);
    assert.equal((await taken.answer())?.status, 100);
    await taken.send(small, NEXT);
    const stored = await taken.answer();
    assert.equal(stored?.status, 200);
    assert.equal(JSON.parse(stored.text).ingested, 20);
    assert.equal((await taken.answer())?.status, 200);
    refused.close();
    taken.close();
  });
});

describe('a malformed request', () => {
  const cases: readonly (readonly [what: string, text: string, status: number, reason: string])[] =
    [
      ['not HTTP', 'hello\r\n\r\n', 400, 'bad-http'],
      ['a method that is not allowed', `${head({ line: 'TRACE /v2/orgs' })}\r\n`, 400, 'bad-http'],
      ['no Host', 'GET /v2/orgs HTTP/1.1\r\n\r\n', 400, 'bad-http'],
      ['two Hosts', `${head({ line: 'GET /v2/orgs' })}Host: localhost\r\n\r\n`, 400, 'bad-http'],
      [
        'an unknown expectation',
        `${head({ line: INGEST })}Content-Length: 2\r\nExpect: 200-ok\r\n\r\n`,
        417,
        'unknown-expectation',
      ],
      ['headers without end', `${head({ line: 'GET /v2/orgs' })}X: `, 408, 'head-too-slow'],
      [
        'large headers',
        `GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
        431,
        'head-too-large',
      ],
      [
        'a broken chunk',
        `${head({ line: INGEST })}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`,
        400,
        'bad-http',
      ],
    ];
  for (const [what, text, status, reason] of cases) {
    it(`(${what}) receives an error in the documented form`, async () => {
      const client = new Client();
      await client.send(text);
      const answer = await client.answer();
      assert.equal(answer?.status, status);
      const body = JSON.parse(answer.text);
      assert.deepEqual([body.code, body.reason], [status, reason]);
      client.close();
    });
  }
});

describe('a slow body', () => {
  for (const [what, line, type] of [
    ['events', INGEST, 'application/x-ndjson'],
    ['events in one list', INGEST, 'application/json'],
    ['JSON', 'POST /v2/datasets', 'application/json'],
  ] as const) {
    it(`gets 408 when it stalls: ${what}`, async () => {
      const client = new Client();
      await client.send(head({ line, type }), 'Transfer-Encoding: chunked\r\n\r\n2\r\n[{\r\n');
      const answer = await client.answer();
      assert.deepEqual([answer?.status, answer?.close], [408, true]);
      assert.match(JSON.parse(answer!.text).message, /nothing of it arrived for 0\.3 seconds/);
      await client.ended;
      assert.equal(client.error, undefined);
      client.close();
    });

    it(`gets 408 when its bytes arrive too slowly: ${what}`, async () => {
      const client = new Client();
      await client.send(head({ line, type }), 'Transfer-Encoding: chunked\r\n\r\n');
      const drip = setInterval(() => client.socket.write('1\r\n \r\n'), 50);
      const answer = await client.answer();
      clearInterval(drip);
      assert.equal(answer?.status, 408);
      assert.match(JSON.parse(answer.text).message, /only \d+ bytes of it arrived/);
      client.close();
    });
  }

  it("doesn't block other requests, even if 40 bodies are slow", async () => {
    const open = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const client = new Client();
        await client.send(
          head({ line: INGEST }),
          'Transfer-Encoding: chunked\r\n\r\n8\r\n{"a":1}\n\r\n',
        );
        return client;
      }),
    );
    await local.dataset('next');
    for (const dataset of ['logs', 'next']) {
      const client = new Client();
      await client.send(
        head({ line: `POST /v1/ingest/${dataset}` }),
        'Content-Length: 7\r\n\r\n{"a":2}',
      );
      const answer = await client.answer();
      assert.equal(answer?.status, 200, answer?.text);
      client.close();
    }
    for (const client of open) {
      assert.equal((await client.answer())?.status, 408);
      client.close();
    }
  });
});
