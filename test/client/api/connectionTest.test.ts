// The connection test of an added deployment: each problem is named, with advice.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { Agent } from 'undici';
import { EDGE_DEPLOYMENTS, HOSTED_GENERAL_URL } from '../../../api/src/plain.ts';
import { testDialog } from '../../../client/src/account/testDialog.ts';
import { directDispatcher, networkDispatcher } from '../../../client/src/deployments/network.ts';
import {
  type ConnectionProblem,
  type ConnectionReport,
  testConnection,
} from '../../../client/src/service/connectionTest.ts';
import { Service } from '../../../client/src/service/service.ts';
import { type Answer, json, LoopbackServer } from '../loopback.ts';

const token = 'xaat-secret-token';
const HOUR_MS = 3_600_000;

async function tested(
  answer: Answer,
  how: { token?: string; aheadMs?: number } = {},
): Promise<ConnectionReport> {
  await using server = await LoopbackServer.start(answer);
  const asked = how.token ?? token;
  const now = () => Date.now() + (how.aheadMs ?? 0);
  const signal = new AbortController().signal;
  const report = await testConnection(server.service(asked), asked, signal, now);
  assert.ok(report);
  assert.ok(!JSON.stringify(report).includes(asked), 'The token is in what is shown.');
  return report;
}

/** Returns the message and advice of a problem. */
const words = (problem: ConnectionProblem | undefined) => `${problem?.message} ${problem?.advice}`;

/** Answers lists, queries and events with these statuses. 404 means that the endpoint accepted the token. */
function statuses(list: number, query: number, ingest: number): Answer {
  return (response, { url }) => {
    if (url.startsWith('/v2/datasets')) {
      return json(response, list, list === 200 ? [] : { message: 'no' });
    }
    return json(response, url.includes('ingest') ? ingest : query, { message: 'no' });
  };
}

/** Tests the connection to the hosted service, with loopback servers in place of its addresses. */
async function ofHosted(answers: Readonly<Record<string, Answer>>, edge: string) {
  const started = Object.entries(answers).map(async ([address, answer]) => {
    return [new URL(address).origin, await LoopbackServer.start(answer)] as const;
  });
  const servers = new Map(await Promise.all(started));
  const agent = new Agent();
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const server = servers.get(new URL(options.origin ?? '').origin);
    assert.ok(server, `${options.origin} is not asked.`);
    return dispatch({ ...options, origin: server.url }, handler);
  });
  const service = new Service({
    general: HOSTED_GENERAL_URL,
    edge,
    dispatcher,
    token: async () => token,
  });
  const report = await testConnection(service, token, new AbortController().signal);
  await agent.destroy();
  for (const server of servers.values()) await server[Symbol.asyncDispose]();
  assert.ok(report);
  return { report, asked: (address: string) => servers.get(address)?.received ?? [] };
}

const page: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Sign in</title>');
};

describe('the connection test', () => {
  it('reports no problem for a token that can query, even if it can do nothing else', async () => {
    const { problems, access } = await tested(statuses(200, 404, 404));
    assert.deepEqual(problems, []);
    assert.deepEqual(access, { kind: 'api', list: 'yes', query: 'yes', ingest: 'yes' });
    assert.deepEqual((await tested(statuses(403, 404, 403))).problems, []);
  });

  for (const [what, answer, says, remedy] of [
    [
      'an ingest-only token',
      ((response, { url }) =>
        url.includes('ingest')
          ? json(response, 400, { message: 'no events' })
          : json(response, 403, { message: 'no', code: 'capability-missing' })) as Answer,
      /can ingest\. It cannot list datasets or query\. The token can only send events\. To query, use/,
      'token',
    ],
    [
      'a token without query access to the tested dataset',
      statuses(200, 403, 403),
      /It may be able to query or ingest into some datasets\. If queries fail, use a token with/,
      'token',
    ],
    [
      'a token that can only list datasets',
      ((response, { url }) =>
        url.startsWith('/v2/datasets')
          ? json(response, 200, [{ id: 'a', name: 'a', created: '', who: '' }])
          : json(response, 401, { message: 'no' })) as Answer,
      /It cannot query or ingest\. Use a token with query access/,
      'token',
    ],
    [
      'an expired or unknown token',
      statuses(401, 401, 401),
      /^The token is not valid, was deleted or has expired/,
      'token',
    ],
    [
      'a web page instead of JSON',
      page,
      /it is a web page.*not that of the web console/,
      'address',
    ],
    [
      'an address without the API',
      ((response) => {
        response.writeHead(404, { 'content-type': 'text/plain' });
        response.end('Not here');
      }) as Answer,
      /Not here\. Check that the address is that of the API/,
      'address',
    ],
    [
      'a redirect',
      ((response) => {
        response.writeHead(302, { location: 'https://elsewhere.example/' });
        response.end();
      }) as Answer,
      /redirects to https:\/\/elsewhere\.example/,
      'address',
    ],
    [
      'a proxy that requires a password',
      ((response) => json(response, 407, {})) as Answer,
      /The proxy asks for a user name and a password/,
      'proxy',
    ],
    [
      'an exceeded rate limit',
      ((response) => {
        response.setHeader('retry-after', '40');
        return json(response, 429, { message: 'slow down' });
      }) as Answer,
      /slow down\. Try again in 40 s\./,
      'again',
    ],
    [
      'a reset connection',
      ((response) => response.socket?.resetAndDestroy()) as Answer,
      /closed before the response was complete/,
      'address',
    ],
  ] as const) {
    it(`reports ${what}`, async () => {
      const { problems } = await tested(answer);
      assert.equal(problems.length, 1);
      assert.match(words(problems[0]), says);
      assert.equal(problems[0]?.remedy, remedy);
    });
  }

  it('shows the problem in one sentence, then the advice, then the tested addresses', async () => {
    const place = { name: 'Shop', general: 'https://a.example', edge: 'https://b.example' };
    const at =
      'Result of the connection test of Shop, at https://a.example, with queries at https://b.example.';
    const dialog = async (answer: Answer, how = {}) =>
      testDialog(place, (await tested(answer, how)).problems);
    const expired = 'The token is not valid, was deleted or has expired.';
    const create = 'Create another one, or check that it is for this address.';
    assert.deepEqual(await dialog(statuses(401, 401, 401)), {
      message: expired,
      detail: `${create}\n\n${at}`,
    });
    const late = await dialog(statuses(401, 401, 401), { aheadMs: -10 * 60_000 });
    assert.equal(late.message, 'The clock of this machine is 10 min behind that of the service.');
    assert.match(late.detail, /^Set the clock\. .*\n\nThe token is not valid.* Create another one/);
    const onlyLists = await dialog((response, { url }) =>
      url.startsWith('/v2/datasets')
        ? json(response, 200, [{ id: 'a', name: 'a', created: '', who: '' }])
        : json(response, 401, { message: 'no' }),
    );
    assert.equal(onlyLists.message, 'The token is valid, but cannot query.');
    const reset = await dialog((response) => response.socket?.resetAndDestroy());
    assert.match(reset.message, /^Cannot reach [\d.:]+: the connection was closed [^.]*\.$/);
    for (const { message } of [late, onlyLists, reset]) assert.doesNotMatch(message, /\. /);
  });

  it('reports a clock that is off by minutes, as the first problem if the token is rejected too', async () => {
    const ahead = await tested(statuses(200, 404, 404), { aheadMs: 3 * HOUR_MS });
    assert.match(words(ahead.problems[0]), /clock of this machine is 3 h ahead of/);
    const behind = await tested(statuses(401, 401, 401), { aheadMs: -10 * 60_000 });
    assert.match(words(behind.problems[0]), /10 min behind/);
    assert.match(words(behind.problems[1]), /has expired/);
    assert.deepEqual((await tested(statuses(200, 404, 404), { aheadMs: 60_000 })).problems, []);
  });

  it('accepts a personal token, and reports its kind', async () => {
    const personal = await tested(statuses(200, 404, 404), { token: 'xapt-secret-token' });
    assert.deepEqual(personal.problems, []);
    assert.equal(personal.access?.kind, 'personal');
  });

  it('reports a refused connection, and a host name that cannot be resolved', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as { port: number };
    await new Promise((resolve) => free.close(resolve));
    for (const [address, says] of [
      [`http://127.0.0.1:${port}`, /connection was refused/],
      ['http://nowhere.invalid', /host name (does not exist|cannot be resolved)/],
    ] as const) {
      const dispatcher = directDispatcher();
      const service = new Service({
        general: address,
        edge: address,
        dispatcher,
        token: async () => token,
      });
      const report = await testConnection(service, token, new AbortController().signal);
      await dispatcher.destroy();
      assert.match(words(report?.problems[0]), says);
      assert.equal(report?.problems[0]?.remedy, 'address');
    }
  });

  for (const [what, list] of [
    ['lists datasets, but cannot query in the configured region', 200],
    ['is rejected everywhere else', 401],
  ] as const) {
    it(`names the region that accepts a token that ${what}`, async () => {
      const [home, other] = EDGE_DEPLOYMENTS;
      const { report, asked } = await ofHosted(
        {
          [HOSTED_GENERAL_URL]: statuses(list, 404, 404),
          [home.url]: statuses(404, 401, 401),
          [other.url]: statuses(404, 404, 404),
        },
        home.url,
      );
      assert.equal(report.otherRegion?.id, other.id);
      assert.deepEqual(report.problems, [
        {
          message: `The token is rejected in this region, but works in ${other.name}.`,
          advice: `Select ${other.name}.`,
          remedy: 'address',
        },
      ]);
      assert.ok(asked(other.url).length > 0);
    });
  }

  it('names no other region if none accepts the token, and tries none if the token works', async () => {
    const [home, other] = EDGE_DEPLOYMENTS;
    const everywhere = (status: number) => ({
      [HOSTED_GENERAL_URL]: statuses(status, status, status),
      [home.url]: statuses(status, status, status),
      [other.url]: statuses(status, status, status),
    });
    const rejected = await ofHosted(everywhere(401), home.url);
    assert.equal(rejected.report.otherRegion, undefined);
    assert.match(words(rejected.report.problems[0]), /has expired/);
    const works = { ...everywhere(401), [HOSTED_GENERAL_URL]: statuses(200, 200, 200) };
    const fine = await ofHosted({ ...works, [home.url]: statuses(404, 404, 404) }, home.url);
    assert.deepEqual(fine.report.problems, []);
    assert.deepEqual(fine.asked(other.url), []);
  });

  it('suggests checking the organization if a personal token is rejected', async () => {
    const { problems } = await tested(statuses(403, 403, 403), { token: 'xapt-secret-token' });
    assert.match(words(problems[0]), /or check the organization\./);
    assert.equal(problems[0]?.remedy, 'token');
  });

  it('reports a proxy that refuses the connection', async () => {
    await using proxy = await LoopbackServer.start((response) => json(response, 403, {}));
    const dispatcher = networkDispatcher({
      proxy: proxy.url,
      support: 'override',
      noProxy: [],
      strict: true,
      systemCertificates: false,
    });
    const address = 'https://api.example.com';
    const service = new Service({
      general: address,
      edge: address,
      dispatcher,
      token: async () => token,
    });
    const report = await testConnection(service, token, new AbortController().signal);
    await dispatcher.destroy();
    assert.equal(report?.problems[0]?.remedy, 'proxy', JSON.stringify(report));
    assert.match(words(report?.problems[0]), /proxy/i);
  });

  it('stops without a report on cancellation', async () => {
    await using server = await LoopbackServer.start(() => undefined);
    const controller = new AbortController();
    const running = testConnection(server.service(token), token, controller.signal);
    setTimeout(() => controller.abort(), 50);
    assert.equal(await running, undefined);
  });
});

describe('a custom edge address', () => {
  const dead = 'http://127.0.0.1:9';

  for (const [title, asked] of [
    ['an API token', token],
    ['a personal token, although its queries use the general address', 'xapt-secret-token'],
  ] as const) {
    it(`is reported if no edge deployment answers there, tested with ${title}`, async () => {
      await using general = await LoopbackServer.start(statuses(200, 404, 404));
      await using web = await LoopbackServer.start((response) => {
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      });
      const { dispatcher } = general.service(asked).connection;
      for (const edge of [dead, web.url]) {
        const connection = { general: general.url, edge, dispatcher, token: async () => asked };
        const { signal } = new AbortController();
        const report = await testConnection(new Service(connection), asked, signal);
        const [problem] = report?.problems ?? [];
        if (edge === web.url) {
          assert.equal(problem?.message, `There is no edge deployment at ${edge}.`);
        }
        assert.equal(problem?.remedy, 'address');
      }
    });
  }
});
