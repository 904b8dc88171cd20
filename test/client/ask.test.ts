// Queries whose response goes to a sink: the body arrives in order and with backpressure, and an error aborts the sink
// and is returned as a failure with a message.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type AnswerSink, type Arrival, SinkFailure } from '../../client/src/service/answerSink.ts';
import { type Asking, ask, type Question } from '../../client/src/service/ask.ts';
import { CHUNK_BYTES } from '../../client/src/service/chunks.ts';
import type { Service } from '../../client/src/service/service.ts';
import { json, LoopbackServer } from './loopback.ts';

const question: Question = { apl: "['a']", startTime: 'now-1h', endTime: 'now' };

/** Collects the bytes, and counts aborts. */
class Collector implements AnswerSink<Buffer> {
  readonly chunks: Uint8Array[] = [];
  arrival: Arrival | undefined;
  aborts = 0;

  async chunk(bytes: Uint8Array<SharedArrayBuffer>): Promise<SharedArrayBuffer> {
    this.chunks.push(bytes.slice());
    // The buffer is reused for the next chunk.
    bytes.fill(0);
    return bytes.buffer;
  }

  async finish(arrival: Arrival): Promise<Buffer> {
    this.arrival = arrival;
    return Buffer.concat(this.chunks);
  }

  abort(): void {
    this.aborts += 1;
  }
}

function asking(service: Service, how: Partial<Asking> = {}): Asking {
  return { service, timeoutMs: 10_000, ...how };
}

/** Writes the body unless the connection is closed, and returns the number of bytes written. */
async function write(response: ServerResponse, body: Buffer): Promise<number> {
  const piece = 100_003;
  const closed = once(response, 'close');
  for (let at = 0; at < body.length; at += piece) {
    if (response.destroyed) return at;
    if (response.write(body.subarray(at, at + piece))) continue;
    await Promise.race([new Promise((resolve) => response.once('drain', resolve)), closed]);
  }
  response.end();
  return body.length;
}

describe('a query with a sink', () => {
  const body = randomBytes(5 * CHUNK_BYTES + 12_345);

  for (const packed of [false, true]) {
    it(`delivers the entire response to the sink in order${packed ? ', decompressed' : ''}`, async () => {
      await using server = await LoopbackServer.start((response) => {
        response.setHeader('x-axiom-trace-id', 'trace-1');
        response.setHeader('x-axiom-history-query-id', 'history-1');
        if (packed) response.setHeader('content-encoding', 'gzip');
        return write(response, packed ? gzipSync(body) : body);
      });
      const sink = new Collector();
      const answer = await ask(question, asking(server.service()), sink);
      assert.ok(answer.ok);
      assert.ok(answer.value.equals(body));
      assert.deepEqual(
        sink.chunks.map(({ length }) => length),
        [...Array<number>(5).fill(CHUNK_BYTES), 12_345],
      );
      assert.equal(answer.traceId, 'trace-1');
      assert.deepEqual([sink.arrival?.traceId, sink.arrival?.historyId], ['trace-1', 'history-1']);
      assert.ok((sink.arrival?.roundTripMilliseconds ?? 0) > 0);
      assert.equal(sink.aborts, 0);
    });
  }

  it('sends all options to the edge address, and to the general address only those that it accepts', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 200, '{}'));
    const full: Question = {
      ...question,
      variables: { id: 9007199254740993n, name: 'a' },
      cursor: 'c',
      includeCursor: false,
      defaultLimit: 5,
      includeCursorField: true,
    };
    for (const token of ['xaat-secret-token', 'xapt-secret-token']) {
      assert.ok((await ask(full, asking(server.service(token)), new Collector())).ok);
    }
    const [edge, general] = server.received.map(({ body }) => String(body));
    assert.match(edge ?? '', /"id":9007199254740993\b/);
    assert.match(edge ?? '', /"defaultLimit":5/);
    assert.match(general ?? '', /"id":9007199254740993\b/);
    assert.match(general ?? '', /"cursor":"c"/);
    assert.doesNotMatch(general ?? '', /defaultLimit|includeCursorField/);
  });

  it('reads the response no faster than the sink accepts it', async () => {
    const large = Buffer.alloc(64 * CHUNK_BYTES, 'x');
    let written = 0;
    await using server = await LoopbackServer.start(async (response) => {
      const socket = response.socket;
      written = await Promise.race([write(response, large), sleep(600, -1)]);
      if (written === -1) written = socket?.bytesWritten ?? 0;
    });
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sink = new Collector();
    const take = sink.chunk.bind(sink);
    sink.chunk = async (bytes) => {
      await held;
      return take(bytes);
    };
    const answer = ask(question, asking(server.service()), sink);
    await sleep(700);
    assert.ok(written > 0 && written < large.length / 2, `${written} bytes were written`);
    release();
    const done = await answer;
    assert.ok(done.ok && done.value.length === large.length);
  });
});

describe('a failed query', () => {
  it('aborts the sink without data if the service rejects the request', async () => {
    await using server = await LoopbackServer.start((response) =>
      json(response, 400, { code: 400, message: 'no such column' }),
    );
    const sink = new Collector();
    const answer = await ask(question, asking(server.service()), sink);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.message, 'no such column.');
    assert.deepEqual([sink.chunks.length, sink.aborts], [0, 1]);
  });

  it('reports a response above the maximum size and closes the connection', async () => {
    let written: Promise<number> | undefined;
    await using server = await LoopbackServer.start((response) => {
      written = write(response, Buffer.alloc(400 * CHUNK_BYTES, 'x'));
    });
    const sink = new Collector();
    const maxBytes = 4 * CHUNK_BYTES;
    const answer = await ask(question, asking(server.service(), { maxBytes }), sink);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.kind, 'tooLarge');
    assert.match(answer.failure.message, /exceeds 1 MB/);
    assert.equal(sink.aborts, 1);
    assert.ok(((await written) ?? Infinity) < 400 * CHUNK_BYTES);
  });

  it('reports why the sink could not decode the response, and stops reading it', async () => {
    let written: Promise<number> | undefined;
    await using server = await LoopbackServer.start((response) => {
      written = write(response, Buffer.alloc(400 * CHUNK_BYTES, 'x'));
    });
    const sink = new Collector();
    sink.chunk = async () => {
      throw new SinkFailure('unreadable', 'a table is expected at byte 0');
    };
    const answer = await ask(question, asking(server.service()), sink);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.kind, 'unreadable');
    assert.match(answer.failure.message, /is not valid: a table is expected at byte 0\.$/);
    assert.equal(server.received.length, 1);
    assert.equal(sink.aborts, 1);
    assert.ok(((await written) ?? Infinity) < 400 * CHUNK_BYTES);
  });

  it('reports why the sink could not finish', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.setHeader('x-axiom-trace-id', 'trace-1');
      json(response, 200, '{}');
    });
    const sink = new Collector();
    sink.finish = async () => {
      throw new SinkFailure('tooLarge', 'The answer needs more memory than there is.');
    };
    const answer = await ask(question, asking(server.service()), sink);
    assert.ok(!answer.ok);
    assert.deepEqual(
      [answer.failure.kind, answer.failure.message, answer.failure.traceId],
      ['tooLarge', 'The answer needs more memory than there is.', 'trace-1'],
    );
    assert.equal(sink.aborts, 0);
  });

  it('is not repeated after the sink has received a part of the response', async () => {
    await using server = await LoopbackServer.start(async (response) => {
      response.writeHead(200, { 'content-length': String(8 * CHUNK_BYTES) });
      response.write(Buffer.alloc(2 * CHUNK_BYTES + 10, 'x'));
      await sleep(100);
      response.destroy();
    });
    const sink = new Collector();
    const answer = await ask(question, asking(server.service()), sink);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.kind, 'unreachable');
    assert.equal(server.received.length, 1);
    assert.deepEqual([sink.chunks.length, sink.aborts], [2, 1]);
  });

  it('ends when it is cancelled while the sink processes a chunk', async () => {
    await using server = await LoopbackServer.start((response) =>
      write(response, Buffer.alloc(40 * CHUNK_BYTES, 'x')),
    );
    const controller = new AbortController();
    const sink = new Collector();
    sink.chunk = async ({ buffer }) => {
      controller.abort();
      await sleep(50);
      return buffer;
    };
    const { signal } = controller;
    const answer = await ask(question, asking(server.service(), { signal }), sink);
    assert.ok(!answer.ok);
    assert.equal(answer.failure.kind, 'cancelled');
    assert.equal(sink.aborts, 1);
  });
});
