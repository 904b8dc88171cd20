// Calls to a real server that misbehaves: each failure is returned with a message, and tokens are only sent to the
// origins they were entered for.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { type Asking, askForValue } from '../../../client/src/service/ask.ts';
import type { Failure, Outcome } from '../../../client/src/service/failure.ts';
import { send } from '../../../client/src/service/http.ts';
import { Service } from '../../../client/src/service/service.ts';
import { type Answer, json, LoopbackServer } from '../loopback.ts';

function failureOf(outcome: Outcome<unknown>): Failure {
  assert.ok(!outcome.ok, 'The call succeeded.');
  return outcome.failure;
}

const query = { apl: "['a'] | count", startTime: 'now-1h', endTime: 'now' };

function asked(service: Service, how: Partial<Asking> = {}) {
  return askForValue(query, { service, timeoutMs: 5_000, ...how });
}

const tabular = {
  format: 'tabular',
  status: {
    elapsedTime: 5,
    rowsExamined: 1,
    rowsMatched: 1,
    blocksExamined: 1,
    numGroups: 0,
    isPartial: false,
  },
  datasetNames: ['a'],
  tables: [
    {
      name: '0',
      sources: [{ name: 'a' }],
      fields: [{ name: 'n', type: 'integer' }],
      order: [],
      groups: [],
      columns: [[9007199254740993n]],
    },
  ],
};
const tabularText = JSON.stringify(tabular, (_, value) =>
  typeof value === 'bigint' ? 'BIG' : value,
).replace('"BIG"', '9007199254740993');

describe('a successful call', () => {
  it('sends the token, content type and time range, and keeps all digits of the response', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.setHeader('x-axiom-trace-id', 'trace-1');
      json(response, 200, tabularText);
    });
    const answer = await asked(server.service());
    assert.ok(answer.ok);
    assert.equal(answer.traceId, 'trace-1');
    assert.deepEqual(answer.value.tables?.[0]?.columns, [[9007199254740993n]]);
    const [request] = server.received;
    assert.equal(request?.url, '/v1/query/_apl?format=tabular');
    assert.equal(request?.headers.authorization, 'Bearer xaat-secret-token');
    assert.equal(request?.headers['content-type'], 'application/json');
    assert.equal(request?.headers['x-axiom-org-id'], undefined);
    assert.deepEqual(JSON.parse(String(request?.body)), {
      apl: query.apl,
      startTime: 'now-1h',
      endTime: 'now',
    });
  });

  it('with a personal token uses the endpoint of the general address and names the organization', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 200, tabularText));
    const answer = await asked(server.service('xapt-secret-token', 'org-1'));
    assert.ok(answer.ok);
    assert.equal(server.received[0]?.url, '/v1/datasets/_apl?format=tabular');
    assert.equal(server.received[0]?.headers['x-axiom-org-id'], 'org-1');
  });

  it('decompresses a gzip response', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(tabularText));
    });
    assert.ok((await asked(server.service())).ok);
  });

  it('keeps unknown members and values of the response', async () => {
    const monitor = {
      id: 'm',
      name: 'M',
      type: 'Prophecy',
      aplQuery: 'a',
      colour: { of: 'money' },
    };
    await using server = await LoopbackServer.start((response) => json(response, 200, [monitor]));
    const answer = await server.service().call('listMonitors');
    assert.ok(answer.ok);
    assert.equal(answer.value.typed[0]?.type, 'Prophecy');
    assert.deepEqual(answer.value.raw, [monitor]);
  });

  it('accepts an empty response if the endpoint returns no content', async () => {
    await using server = await LoopbackServer.start((response) => response.writeHead(204).end());
    assert.ok((await server.service().call('deleteMonitor', { params: { id: 'm' } })).ok);
  });
});

describe('a rejected call', () => {
  it('reports the message, line, column, status and trace id of a query error', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.setHeader('x-axiom-trace-id', 'trace-2');
      json(response, 400, {
        code: 400,
        message: 'bad query',
        detail: { message: 'unknown function coutn', line: 2, column: 13, errorType: 1 },
      });
    });
    const failure = failureOf(await asked(server.service()));
    assert.equal(failure.kind, 'refused');
    assert.equal(failure.status, 400);
    assert.equal(failure.message, 'unknown function coutn.');
    assert.equal(failure.traceId, 'trace-2');
    assert.deepEqual(failure.places, [{ message: 'unknown function coutn.', line: 2, column: 13 }]);
    assert.equal(server.received.length, 1);
  });

  it('reports all errors of the response that have a position', async () => {
    await using server = await LoopbackServer.start((response) =>
      json(response, 400, {
        code: 400,
        reason: 'query-malformed',
        message: 'first',
        errors: [
          { code: 'A', message: 'first', line: 1, column: 2, endLine: 1, endColumn: 5 },
          { code: 'B', message: 'second', line: 3, column: 1 },
          { message: 'nowhere' },
          'nonsense',
        ],
      }),
    );
    const failure = failureOf(await asked(server.service()));
    assert.equal(failure.code, 'query-malformed');
    assert.deepEqual(failure.places, [
      { message: 'first.', code: 'A', line: 1, column: 2, endLine: 1, endColumn: 5 },
      { message: 'second.', code: 'B', line: 3, column: 1 },
    ]);
  });

  it('reads the line and column from the start of a message', async () => {
    await using server = await LoopbackServer.start((response) =>
      json(response, 400, { code: '400', message: 'line: 3, col: 7: unexpected token' }),
    );
    const [place] = failureOf(await asked(server.service())).places ?? [];
    assert.deepEqual([place?.line, place?.column], [3, 7]);
  });

  it('reports the Retry-After of a 429, and is not retried', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.setHeader('retry-after', '37');
      json(response, 429, { code: 429, message: 'slow down' });
    });
    const failure = failureOf(await asked(server.service()));
    assert.equal(failure.retryAfterSeconds, 37);
    assert.equal(server.received.length, 1);
  });

  it('explains a 403 with an HTML page or an empty body', async () => {
    for (const body of ['<html><body>Bad Gateway</body></html>', '']) {
      await using server = await LoopbackServer.start((response) => {
        response.writeHead(403, { 'content-type': 'text/html' });
        response.end(body);
      });
      const failure = failureOf(await server.service().call('listDatasets'));
      assert.equal(failure.message, 'The token does not have the required permission.');
    }
  });

  it('never shows the token, even if the response body contains it', async () => {
    await using server = await LoopbackServer.start((response, { headers }) =>
      json(response, 401, {
        code: headers.authorization,
        message: `no such token: ${headers.authorization}`,
        errors: [{ message: `see ${headers.authorization}`, code: headers.authorization, line: 1 }],
      }),
    );
    const failure = failureOf(await server.service().call('listDatasets'));
    assert.doesNotMatch(JSON.stringify(failure), /secret-token/);
  });

  for (const [where, answer] of [
    [
      'a header',
      (response) => {
        response.setHeader('x-axiom-trace-id', 'xaat-secret-token');
        return json(response, 400, { message: 'no' });
      },
    ],
    [
      'the host of a redirect, in lowercase and without its prefix',
      (response) => {
        response.writeHead(302, { location: 'https://secret-token.example/' });
        response.end();
      },
    ],
  ] satisfies readonly (readonly [string, Answer])[]) {
    it(`never shows the token, even if the response contains it in ${where}`, async () => {
      await using server = await LoopbackServer.start(answer);
      const failure = failureOf(await server.service('xaat-Secret-Token').call('listDatasets'));
      assert.doesNotMatch(JSON.stringify(failure), /secret-token/i);
      assert.match(JSON.stringify(failure), /•••|xn--/);
    });
  }
});

describe('an unusable response', () => {
  const bad: readonly (readonly [string, string, RegExp])[] = [
    ['plain text', 'hello', /not JSON/],
    ['truncated JSON', tabularText.slice(0, 40), /not JSON/],
    ['empty', '', /empty/],
    ['an array', '[]', /must be/],
    ['a table without a status', '{"format":"tabular"}', /status/],
    ['null', 'null', /must be/],
  ];
  for (const [what, body, message] of bad) {
    it(`is reported if it is ${what}`, async () => {
      await using server = await LoopbackServer.start((response) => json(response, 200, body));
      const failure = failureOf(await asked(server.service()));
      assert.equal(failure.kind, 'unreadable');
      assert.match(failure.message, message);
    });
  }

  it('is aborted if it exceeds the size limit', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.writeHead(200);
      const page = Buffer.alloc(64 * 1024, 32);
      const more = () => {
        while (!response.destroyed && response.write(page));
      };
      response.on('drain', more);
      more();
    });
    const outcome = await send({
      method: 'GET',
      url: new URL(server.url),
      headers: {},
      dispatcher: server.service().connection.dispatcher,
      timeoutMs: 20_000,
      repeatable: false,
      answerBytesMax: 1024 * 1024,
    });
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'tooLarge');
    assert.match(outcome.failure.message, /exceeds 1 MB/);
  });

  it('is requested three times if the connection breaks each time, then reported', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"format":');
      setTimeout(() => response.destroy(), 5);
    });
    const failure = failureOf(await asked(server.service()));
    assert.equal(failure.kind, 'unreachable');
    assert.match(failure.message, /closed before the response was complete/);
    assert.equal(server.received.length, 3);
  });

  it('is reported if its gzip data is invalid', async () => {
    await using server = await LoopbackServer.start((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('not packed at all');
    });
    assert.match(
      failureOf(await asked(server.service())).message,
      /compressed response is damaged/,
    );
  });
});

describe('a retry', () => {
  it('succeeds after a 503 and a broken connection', async () => {
    await using server = await LoopbackServer.start((response, _, index) => {
      if (index === 0) json(response, 503, '<html>busy</html>');
      else if (index === 1) response.destroy();
      else json(response, 200, tabularText);
    });
    assert.ok((await asked(server.service())).ok);
    assert.equal(server.received.length, 3);
  });

  it('waits for the Retry-After of a 503', async () => {
    await using server = await LoopbackServer.start((response, _, index) => {
      if (index > 0) return json(response, 200, '[]');
      response.setHeader('retry-after', '1');
      return json(response, 503, '');
    });
    const started = performance.now();
    assert.ok((await server.service().call('listDatasets')).ok);
    assert.ok(performance.now() - started >= 990);
  });

  it('is not made for a request that changes data', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 500, '{}'));
    const body = Buffer.from('{}');
    const params = { dataset_name: 'a' };
    const failure = failureOf(await server.service().call('ingest', { params, body }));
    assert.equal(failure.status, 500);
    assert.equal(server.received.length, 1);
  });
});

describe('a call that ends early', () => {
  it('fails after its timeout', async () => {
    await using server = await LoopbackServer.start(() => {});
    const failure = failureOf(await asked(server.service(), { timeoutMs: 300 }));
    assert.equal(failure.kind, 'timeout');
    assert.match(failure.message, /within 0\.3 s/);
  });

  it('closes the connection on cancellation, so that the service stops too', async () => {
    let closed: () => void;
    const seen = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await using server = await LoopbackServer.start((response) => {
      response.on('close', () => closed());
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const answer = await asked(server.service(), { signal: controller.signal });
    assert.equal(failureOf(answer).kind, 'cancelled');
    await seen;
    assert.equal(server.received.length, 1);
  });
});

describe('a token', () => {
  it('is never sent along a redirect', async () => {
    await using other = await LoopbackServer.start((response) => json(response, 200, '[]'));
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await LoopbackServer.start((response) => {
        response.writeHead(status, { location: `${other.url}/v2/datasets?x=1` });
        response.end();
      });
      const failure = failureOf(await server.service().call('listDatasets'));
      assert.equal(failure.kind, 'redirected');
      assert.ok(failure.message.includes(other.url));
    }
    assert.equal(other.received.length, 0);
  });

  it('is only sent to the origin it was entered for', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 200, '[]'));
    const service = new Service({
      general: server.url,
      edge: 'http://127.0.0.1:1',
      dispatcher: directDispatcher(),
      token: async (origin) => (origin === 'http://127.0.0.1:1' ? 'xaat-secret' : undefined),
    });
    const failure = failureOf(await service.call('listDatasets'));
    assert.equal(failure.kind, 'token');
    assert.ok(failure.message.includes(server.url));
    assert.equal(server.received.length, 0);
  });

  it('is not sent if the endpoint does not accept its kind', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 200, '{}'));
    const service = server.service('xapt-personal-token');
    const params = { dataset_name: 'a' };
    const failure = failureOf(await service.call('ingest', { params, body: Buffer.from('{}') }));
    assert.equal(failure.kind, 'token');
    assert.match(failure.message, /requires an API token/);
    assert.equal(server.received.length, 0);
  });
});

describe('the address of a request', () => {
  it('is reported as unreachable if the connection is refused', async () => {
    const server = await LoopbackServer.start(() => {});
    const { url } = server;
    await server[Symbol.asyncDispose]();
    const dispatcher = directDispatcher();
    const service = new Service({
      general: url,
      edge: url,
      dispatcher,
      token: async () => 'xaat-1',
    });
    const failure = failureOf(await service.call('listDatasets', { timeoutMs: 5_000 }));
    assert.equal(failure.kind, 'unreachable');
    assert.match(failure.message, /connection was refused/);
  });

  it('encodes ids that would change the path, and rejects an empty id, . and ..', async () => {
    await using server = await LoopbackServer.start((response) => json(response, 200, '{}'));
    for (const name of ['a/../../v2/user', 'a?x=1#y', 'a b', '%2e%2e']) {
      await server.service().call('getMonitor', { params: { id: name } });
    }
    assert.deepEqual(
      server.received.map(({ url }) => url),
      ['a%2F..%2F..%2Fv2%2Fuser', 'a%3Fx%3D1%23y', 'a%20b', '%252e%252e'].map(
        (name) => `/v2/monitors/${name}`,
      ),
    );
    for (const name of ['', '.', '..']) {
      const failure = failureOf(
        await server.service().call('getMonitor', { params: { id: name } }),
      );
      assert.match(failure.message, /address of the request is not valid/);
    }
  });
});
