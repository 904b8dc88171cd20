// Misbehaving services: the client's messages, retries and buttons, and where it sends the token. Each row is a real
// response over HTTP.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { type Advice, adviceFor } from '../../../client/src/host/advice.ts';
import { listState } from '../../../client/src/resources/listState.ts';
import { askForValue } from '../../../client/src/service/ask.ts';
import { Places } from '../../../client/src/service/places.ts';
import { sendEvents } from '../../../client/src/service/sendEvents.ts';
import { Service } from '../../../client/src/service/service.ts';
import { type Answer, json, LoopbackServer } from '../loopback.ts';

const token = 'xaat-marked-token';

/** Requests of each kind: the client may repeat `list` and `query`, but not `send` and `remove`. */
const asks = {
  list: (service: Service) => service.call('listMonitors', { timeoutMs: 3_000 }),
  query: (service: Service) =>
    askForValue(
      { apl: "['a'] | take 1", startTime: 'now-1h', endTime: 'now' },
      { service, datasets: ['a'], timeoutMs: 3_000 },
    ),
  send: (service: Service) =>
    sendEvents(service, 'a', {
      contentType: 'application/json',
      body: Buffer.from('[{"a":1}]'),
      timeoutMs: 3_000,
    }),
  remove: (service: Service) =>
    service.call('deleteMonitor', { params: { id: 'm' }, timeoutMs: 3_000 }),
};
type Ask = keyof typeof asks;
const all = Object.keys(asks) as Ask[];

interface Row {
  readonly what: string;
  readonly answer: Answer;
  readonly says: RegExp;
  /** The number of requests for a list or a query, with retries. Other requests are sent once. */
  readonly reads: number;
  /** The buttons next to the message. */
  readonly buttons?: readonly string[];
  readonly only?: readonly Ask[];
}

const status =
  (code: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return json(response, code, body);
  };

const inSeconds = (seconds: number) => String(Math.ceil(Date.now() / 1_000) + seconds);

const rows: readonly Row[] = [
  {
    what: 'connections that are always reset',
    answer: (response) => response.socket?.resetAndDestroy(),
    says: /closed before the response was complete/,
    reads: 3,
    buttons: ['Try Again', 'Edit Deployment'],
  },
  {
    what: 'a response that does not arrive in time',
    answer: () => undefined,
    says: /did not respond within 3 s.*increase the timeout/,
    reads: 1,
    buttons: ['Try Again', 'Change Timeout'],
  },
  {
    what: 'status 429 with a reset time',
    answer: (response) =>
      status(
        429,
        { message: 'too many requests' },
        {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': inSeconds(300),
        },
      )(response, undefined as never, 0),
    says: /too many requests\. Try again in (5 min|6 min)/,
    reads: 1,
    buttons: ['Try Again'],
  },
  {
    what: 'status 430',
    answer: status(430, {}),
    says: /ingest or query limit is exceeded/,
    reads: 1,
    buttons: [],
  },
  {
    what: 'status 432',
    answer: status(432, {}),
    says: /exceeds the memory limit.*Narrow the time range/,
    reads: 1,
    buttons: [],
  },
  ...(
    [
      [500, /internal error/],
      [502, /A proxy answered 502: it received no valid response from the service/],
      [504, /A proxy answered 504: the service did not respond in time/],
    ] as const
  ).map(
    ([code, says]): Row => ({
      what: `status ${code}`,
      answer: status(code, {}),
      says,
      reads: 3,
      buttons: ['Try Again', 'Show Log'],
    }),
  ),
  {
    what: 'status 503 with a long Retry-After',
    answer: status(503, { message: 'maintenance' }, { 'retry-after': '600' }),
    says: /maintenance\. Try again in 10 min\./,
    reads: 1,
    buttons: ['Try Again'],
  },
  {
    what: 'a web page instead of JSON',
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<html><body>Sign in</body></html>');
    },
    says: /it is a web page/,
    reads: 1,
    buttons: ['Try Again', 'Show Log'],
    only: ['list', 'query', 'send'],
  },
  {
    what: 'a web page with status 403',
    answer: (response) => {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.end('<html><body>Blocked by policy</body></html>');
    },
    says: /The token does not have the required permission/,
    reads: 1,
    buttons: ['Change Token'],
  },
  {
    what: 'a read-only dataset, which no token changes',
    answer: (response) =>
      json(response, 403, {
        code: 403,
        message: 'The dataset is read-only here.',
        reason: 'dataset-read-only',
      }),
    says: /The dataset is read-only here/,
    reads: 1,
    buttons: [],
    only: ['send'],
  },
  {
    what: 'a truncated response',
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('[{"id":');
      setTimeout(() => response.destroy(), 20);
    },
    says: /before (the response|it) was complete/,
    reads: 3,
    only: ['list', 'send'],
  },
  {
    what: 'a redirect to another host',
    answer: (response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' });
      response.end();
    },
    says: /redirects to http:\/\/127\.0\.0\.1:1\. Redirects are not followed/,
    reads: 1,
    buttons: ['Edit Deployment'],
  },
  {
    what: 'a revoked token',
    answer: status(401, { message: 'token revoked' }),
    says: /token revoked/,
    reads: 1,
    buttons: ['Change Token'],
  },
  {
    what: 'an error message that contains the token',
    answer: (response, { headers }) => json(response, 400, { message: headers.authorization }),
    says: /Bearer •••/,
    reads: 1,
  },
];

describe('a request to a misbehaving service', () => {
  for (const { what, answer, says, reads, buttons, only = all } of rows) {
    it(`reports ${what}, ${reads > 1 ? 'after retries if it only reads' : 'without a retry'}`, async () => {
      for (const ask of only) {
        await using server = await LoopbackServer.start(answer);
        const outcome = await asks[ask](server.service(token));
        assert.ok(!outcome.ok, ask);
        const again = { command: 'again' };
        const advice: Advice = adviceFor(outcome.failure, { local: false, again });
        assert.match(advice.message, says, ask);
        assert.doesNotMatch(JSON.stringify([outcome, advice]), /marked-token/);
        if (buttons)
          assert.deepEqual(
            advice.actions.map(({ label }) => label),
            buttons,
            ask,
          );
        const times = ask === 'list' || ask === 'query' ? reads : 1;
        assert.equal(
          server.received.length,
          times,
          `${ask} was asked ${server.received.length} times`,
        );
      }
    });
  }

  it('waits for a slow response', async () => {
    await using server = await LoopbackServer.start(async (response) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      json(response, 200, []);
    });
    assert.ok((await asks.list(server.service(token))).ok);
    assert.equal(server.received.length, 1);
  });

  it('keeps unknown members and values, and accepts records with missing members', async () => {
    const monitors = [
      { id: 'a', name: 'A', type: 'Quantum', operator: 'Nearly', unheardOf: { deep: [1] } },
      { id: 'b', name: 'B' },
    ];
    await using server = await LoopbackServer.start((response) => json(response, 200, monitors));
    const listed = await asks.list(server.service(token));
    assert.ok(listed.ok);
    assert.deepEqual(listed.value.raw, monitors);
    assert.deepEqual(
      listed.value.typed.map(({ name }) => name),
      ['A', 'B'],
    );
  });

  it('reads a list of a hundred thousand monitors', async () => {
    const monitors = Array.from({ length: 100_000 }, (_, at) => ({
      id: `m${at}`,
      name: `M ${at}`,
    }));
    const text = JSON.stringify(monitors);
    await using server = await LoopbackServer.start((response) => json(response, 200, text));
    const listed = await server.service(token).call('listMonitors', { timeoutMs: 60_000 });
    assert.ok(listed.ok);
    assert.equal(listed.value.typed.length, 100_000);
    assert.equal(listed.value.typed.at(-1)?.id, 'm99999');
  });

  it('fails once the token is revoked, and hides the list that was loaded earlier', async () => {
    let revoked = false;
    await using server = await LoopbackServer.start((response) =>
      revoked
        ? json(response, 401, { message: 'token revoked' })
        : json(response, 200, [{ id: 'a', name: 'A' }]),
    );
    const service = server.service(token);
    assert.ok((await asks.list(service)).ok);
    revoked = true;
    const after = await asks.list(service);
    assert.ok(!after.ok);
    assert.equal(listState(after.failure, 1), 'rejected');
    assert.equal(server.received.length, 2);
  });

  it('is not sent to an unknown address that the record of a dataset names', async () => {
    await using thief = await LoopbackServer.start((response) => json(response, 200, {}));
    await using server = await LoopbackServer.start((response, { url }) =>
      url === '/v2/datasets'
        ? json(response, 200, [
            {
              id: 'a',
              name: 'a',
              created: '',
              who: '',
              edgeDeployment: 'cloud.evil',
              edgeDeploymentUrl: thief.url,
            },
          ])
        : json(response, 200, {}),
    );
    await using edge = await LoopbackServer.start((response) => json(response, 200, {}));
    const dispatcher = directDispatcher();
    const service = new Service({
      general: server.url,
      edge: edge.url,
      dispatcher,
      places: new Places(),
      token: async (origin) => (origin === thief.url ? undefined : token),
    });
    for (const ask of ['query', 'send'] as const) {
      const outcome = await asks[ask](service);
      assert.ok(!outcome.ok);
      assert.equal(outcome.failure.kind, 'routing');
      assert.match(outcome.failure.message, /'a' is stored in cloud\.evil, at http/);
    }
    // Even if the connection admits every address, it has no token for this one.
    const careless = new Service({ ...service.connection, admits: async () => true });
    const outcome = await asks.query(careless);
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'token');
    await dispatcher.destroy();
    assert.deepEqual(thief.received, []);
  });

  it('passes on the message of the service if a dataset is stored in another region', async () => {
    const message =
      'The dataset "a" is stored in EU Central 1, not in US East 1. Use http://eu.example.';
    await using server = await LoopbackServer.start((response) => json(response, 404, { message }));
    const outcome = await asks.query(server.service(token));
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.message, message);
    assert.equal(server.received.length, 1);
  });
});
