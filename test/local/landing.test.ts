// The landing page over HTTP: it discloses nothing without a token, its policy is strict, and a
// link's session is limited.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PageSessions } from '../../local/src/access/pageSessions.ts';
import { type App, createApp } from '../../local/src/app.ts';
import { readLandingPage } from '../../local/src/landing/page.ts';
import { Deployment, PERSONAL_TOKEN, TOKEN } from './deployment.ts';
import { buildLandingPage } from './processes.ts';

let local: Deployment;
let sessions: PageSessions;
let app: App;
before(async () => {
  local = await Deployment.open();
  await local.dataset('logs');
  await local.dataset('payroll');
  await local.stored('logs', [
    { _time: '2026-01-02T03:04:05.123456789Z', secret: 'hush' },
    { _time: '2026-01-03T00:00:00Z', secret: 'hush' },
  ]);
  await buildLandingPage(local.folder);
  const page = await readLandingPage(join(local.folder, 'view'));
  assert.ok(page !== undefined);
  sessions = new PageSessions();
  app = createApp({
    store: local.store,
    token: TOKEN,
    personalToken: PERSONAL_TOKEN,
    log: (message) => local.logged.push(message),
    fatal: () => local.logged.push('fatal'),
    landing: { sessions, page },
  });
});
after(() => local.close());

interface Options {
  readonly token?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: string, path: string, { token, body, headers }: Options = {}) {
  const response = await app(
    new Request(`http://127.0.0.1:4000${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const exchange = (code: string, headers = {}) =>
  call('POST', '/_local/page-session', { body: JSON.stringify({ code }), headers });

async function newSession(): Promise<string> {
  const { status, text } = await exchange(sessions.newCode());
  assert.equal(status, 200, text);
  return JSON.parse(text).token;
}

describe('the landing page without a token', () => {
  it('is the same for every client and contains no secrets or data', async () => {
    const page = await call('GET', '/');
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal((await call('GET', '/', { token: TOKEN })).text, page.text);
    for (const secret of [TOKEN, PERSONAL_TOKEN, 'hush', 'payroll']) {
      assert.ok(!page.text.includes(secret), secret);
    }
    assert.ok(page.text.length < 60_000, `${page.text.length} characters`);
  });

  it('allows only its own script and style, by hash, and nothing from other origins', async () => {
    const { text, headers } = await call('GET', '/');
    const policy = headers.get('content-security-policy') ?? '';
    const hashes = [...text.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)].map(
      ([, name, content]) => {
        const hash = createHash('sha256').update(content!).digest('base64');
        return `${name}-src 'sha256-${hash}'`;
      },
    );
    assert.equal(hashes.length, 2);
    const others = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'];
    for (const source of [...hashes, ...others.map((name) => `${name} 'none'`)]) {
      assert.ok(policy.includes(source), source);
    }
    assert.doesNotMatch(policy, /unsafe|\*|http|nonce/);
    assert.doesNotMatch(text, /(?:src|href)="(?!data:,)|\son\w+="|<!--/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal(headers.get('access-control-allow-origin'), null);
  });

  it('is refused under another host name, as are its endpoints', async () => {
    const headers = { host: 'attacker.example' };
    assert.equal((await call('GET', '/', { headers })).status, 403);
    const code = sessions.newCode();
    assert.equal((await exchange(code, headers)).status, 403);
    // The refused request did not use up the code.
    assert.equal((await exchange(code)).status, 200);
  });

  it('gives no access to endpoints that require a token', async () => {
    for (const [method, path] of [
      ['POST', '/'],
      ['GET', '/_local/page-session'],
      ['GET', '/_local/datasets'],
      ['POST', '/_local/page-code'],
      ['GET', '/index.html'],
      ['GET', '/v2/datasets'],
    ] as const) {
      assert.equal((await call(method, path)).status, 401, `${method} ${path}`);
    }
  });

  it('is absent if it has not been built', async () => {
    assert.equal(await readLandingPage(join(local.folder, 'nowhere')), undefined);
  });
});

describe('the code in a landing page link', () => {
  it('can be exchanged once', async () => {
    const code = sessions.newCode();
    assert.equal((await exchange(code)).status, 200);
    const again = await exchange(code);
    assert.equal(again.status, 403);
    assert.equal(JSON.parse(again.text).reason, 'wrong-code');
  });

  it("can't be guessed or submitted by an HTML form", async () => {
    const code = sessions.newCode();
    for (const wrong of ['', 'a', code.slice(1), `${code}a`, TOKEN]) {
      assert.equal((await exchange(wrong)).status, 403, wrong);
    }
    for (const body of ['{}', 'null', '[]', '{"code":7}', '"x"']) {
      assert.equal((await call('POST', '/_local/page-session', { body })).status, 403, body);
    }
    const asForm = await exchange(code, { 'content-type': 'text/plain' });
    assert.equal(asForm.status, 403);
    assert.equal((await exchange(code)).status, 200);
  });

  it('expires after a day, and its session after half a day', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    const own = new PageSessions();
    const hashed = (secret: string) => createHash('sha256').update(secret).digest('hex');
    const [soon, late] = [own.newCode(), own.newCode()];
    t.mock.timers.setTime(23 * 3_600_000);
    const session = own.exchange(soon);
    assert.ok(session !== undefined && own.capabilitiesOf(hashed(session)) !== undefined);
    t.mock.timers.setTime(24 * 3_600_000);
    assert.equal(own.exchange(late), undefined);
    t.mock.timers.setTime(35 * 3_600_000);
    assert.equal(own.capabilitiesOf(hashed(session)), undefined);
  });

  it('is discarded after a hundred newer codes, to limit memory', () => {
    const own = new PageSessions();
    const first = own.newCode();
    for (let i = 0; i < 100; i += 1) own.newCode();
    assert.equal(own.exchange(first), undefined);
  });
});

describe('a session started by a link', () => {
  it('can read datasets and fields and run queries', async () => {
    const token = await newSession();
    const listed = JSON.parse((await call('GET', '/_local/datasets', { token })).text);
    assert.deepEqual(
      listed.map(({ bytes, ...rest }: { bytes: number }) => {
        assert.equal(typeof bytes, 'number');
        return rest;
      }),
      [
        {
          name: 'logs',
          description: '',
          events: 2,
          first: '2026-01-02T03:04:05.123456789Z',
          last: '2026-01-03T00:00:00Z',
        },
        { name: 'payroll', description: '', events: 0 },
      ],
    );
    assert.equal((await call('GET', '/v2/datasets/logs/fields', { token })).status, 200);
    const body = JSON.stringify({ apl: "['logs'] | count", startTime: '2026-01-01T00:00:00Z' });
    const counted = await call('POST', '/v1/query/_apl?format=tabular-rows', { token, body });
    assert.deepEqual(JSON.parse(counted.text).tables[0].rows, [[2]]);
  });

  it("can't change data or read users, roles and tokens", async () => {
    const token = await newSession();
    const grants = { name: 't', datasetCapabilities: { '*': { ingest: ['create'] } } };
    const refused: readonly (readonly [string, string, string?])[] = [
      ['POST', '/v1/ingest/logs', '[{"a":1}]'],
      ['POST', '/v2/datasets', '{"name":"mine"}'],
      ['DELETE', '/v2/datasets/logs'],
      ['POST', '/v2/tokens', JSON.stringify(grants)],
      ['GET', '/v2/tokens'],
      ['GET', '/v2/users'],
      ['GET', '/v2/user'],
      ['GET', '/v2/rbac/roles'],
      ['POST', '/v2/datasets/logs/mapfields', '{"name":"m"}'],
      ['POST', '/_local/stop'],
      ['POST', '/_local/restart'],
      ['POST', '/_local/rotate-tokens'],
      ['POST', '/_local/page-code'],
      ['POST', '/_local/plan', '{"apl":"logs"}'],
    ];
    for (const [method, path, body] of refused) {
      const { status } = await call(method, path, { token, ...(body && { body }) });
      assert.equal(status, 403, `${method} ${path}`);
    }
  });

  it('is valid only in the process that created it', async () => {
    const token = await newSession();
    const { status } = await local.call('GET', '/v2/datasets', undefined, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(status, 401);
  });
});

describe('the overview of datasets', () => {
  async function tokenWith(datasetCapabilities: object): Promise<string> {
    const { body } = await local.call('POST', '/v2/tokens', { name: 't', datasetCapabilities });
    return body.token;
  }

  it('lists the datasets that the token may query', async () => {
    const names = async (token: string) => {
      const { text } = await call('GET', '/_local/datasets', { token });
      return JSON.parse(text).map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await names(TOKEN), ['logs', 'payroll']);
    assert.deepEqual(await names(await tokenWith({ payroll: { query: ['read'] } })), ['payroll']);
    assert.deepEqual(await names(await tokenWith({ logs: { ingest: ['create'] } })), []);
  });

  it("reports a dataset's size in disk blocks after a checkpoint", async () => {
    await local.store.engine.use((session) => session.run('CHECKPOINT'));
    const { text } = await call('GET', '/_local/datasets', { token: TOKEN });
    const [logs, others] = JSON.parse(text);
    assert.ok(logs.bytes > 0 && logs.bytes % 262_144 === 0, `${logs.bytes}`);
    assert.equal(others.bytes, 0);
    const info = JSON.parse((await call('GET', '/v1/datasets/logs/info', { token: TOKEN })).text);
    assert.equal(info.compressedBytes, logs.bytes);
  });
});
