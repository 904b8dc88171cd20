/** Two processes in front of one ClickHouse: the second one has the tokens and resources of the first. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../house/sources.ts';
import { furtherArguments, Processes, type Running } from '../../local/processes.ts';
import { type Server, startServer } from './deployment.ts';

/** The documented delay of a change on the primary, with the time of a request. */
const KEPT_MS = 5_000;
const DELAY_MS = KEPT_MS + 1_000;

let server: Server;
let processes: Processes;
let primary: Running;
let secondary: Running;
const logs: string[] = [];

before(async () => {
  server = await startServer();
  furtherArguments.push('--engine', 'clickhouse', '--clickhouse-url', server.clickhouse.url);
  processes = await Processes.create();
  primary = await processes.start('primary');
  secondary = await processes.startSecondary(primary, 'secondary');
  secondary.child.stderr!.on('data', (text) => logs.push(String(text)));
});
after(async () => {
  await processes?.dispose();
  await server?.stop();
});

const both = () => [primary, secondary];

/** Calls a process with a JSON body, asserts the status, and returns the response's body. */
async function send(to: Running, method: string, path: string, body?: object, status = 200) {
  const json = body && JSON.stringify(body);
  const response = await fetch(to.url + path, {
    method,
    headers: {
      authorization: `Bearer ${to.token}`,
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: json }),
  });
  const text = await response.text();
  assert.equal(response.status, status, `${method} ${path}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const as = (running: Running, token: string): Running => ({ ...running, token });

const ingest = (to: Running, dataset: string, events: readonly object[], status = 200) =>
  send(to, 'POST', `/v1/ingest/${dataset}`, events, status);

const EVER = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' };

async function column(to: Running, apl: string): Promise<unknown[]> {
  const { tables } = await send(to, 'POST', '/v1/query/_apl?format=tabular', { apl, ...EVER });
  return tables[0].columns[0];
}

async function refused(to: Running, apl: string, status: number): Promise<void> {
  await send(to, 'POST', '/v1/query/_apl?format=tabular', { apl, ...EVER }, status);
}

const newToken = async (to: Running, access: object): Promise<{ id: string; token: string }> =>
  send(to, 'POST', '/v2/tokens', { name: 'some', orgCapabilities: {}, ...access });

/** Repeats a check until it passes. Returns the time that it took. */
async function eventually(check: () => Promise<void>): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await check();
      return performance.now() - start;
    } catch (error) {
      if (performance.now() - start > DELAY_MS) throw error;
      await pause(100);
    }
  }
}

describe('a process with the resources of another', () => {
  it('stores events and answers queries with the tokens of the primary', async () => {
    await send(secondary, 'POST', '/v2/datasets', { name: 'shared' });
    await ingest(secondary, 'shared', [{ n: 1 }, { n: 2 }]);
    await eventually(() => ingest(primary, 'shared', [{ n: 3 }]));
    for (const each of both()) {
      assert.deepEqual(await column(each, 'shared | summarize sum(n)'), [6]);
    }
  });

  it('accepts a token of the primary at once, and rejects it within seconds of its deletion', async () => {
    const { id, token } = await newToken(primary, {
      datasetCapabilities: { shared: { query: ['read'] } },
    });
    const caller = as(secondary, token);
    assert.deepEqual(await column(caller, 'shared | count'), [3]);
    await send(primary, 'DELETE', `/v2/tokens/${id}`, undefined, 204);
    const delay = await eventually(() => refused(caller, 'shared | count', 401));
    assert.ok(delay < DELAY_MS);
  });

  it('rejects a token at once that is deleted through it', async () => {
    const { id, token } = await newToken(secondary, {
      datasetCapabilities: { shared: { query: ['read'] } },
    });
    assert.deepEqual(await column(as(secondary, token), 'shared | count'), [3]);
    await send(secondary, 'DELETE', `/v2/tokens/${id}`, undefined, 204);
    for (const each of both()) await refused(as(each, token), 'shared | count', 401);
  });

  it('limits a token to its datasets, as the primary does', async () => {
    await send(secondary, 'POST', '/v2/datasets', { name: 'other' });
    await eventually(() => ingest(primary, 'other', [{ n: 4 }]));
    const { token } = await newToken(primary, {
      datasetCapabilities: { shared: { query: ['read'] }, other: { ingest: ['create'] } },
    });
    for (const each of both().map((running) => as(running, token))) {
      assert.deepEqual(await column(each, 'shared | count'), [3]);
      await refused(each, 'other | count', 403);
      await ingest(each, 'shared', [{ n: 5 }], 403);
      await send(each, 'POST', '/v2/tokens', { name: 'more', orgCapabilities: {} }, 403);
      await send(each, 'GET', '/v2/datasets/other', undefined, 403);
      const datasets = (await send(each, 'GET', '/v2/datasets')) as { name: string }[];
      assert.deepEqual(
        datasets.map(({ name }) => name),
        ['shared'],
      );
    }
  });

  it('limits a personal token to the role of its user, within seconds of a change', async () => {
    const user = { name: 'Another', email: 'another@example.com', role: 'owner' };
    await send(primary, 'POST', '/v2/users', user);
    const personal = as(secondary, primary.personalToken);
    const { id } = await send(personal, 'GET', '/v2/user');
    const structured = { ...EVER, resolution: 'auto' };
    const run = (status: number) =>
      send(personal, 'POST', '/v2/datasets/shared/query', structured, status);
    await run(200);
    await send(primary, 'PUT', `/v2/users/${id}/role`, { role: 'none' });
    await eventually(() => run(403));
    await send(secondary, 'PUT', `/v2/users/${id}/role`, { role: 'owner' });
    await run(200);
  });

  it('creates dashboards, monitors and saved queries on the primary', async () => {
    const dashboard = { name: 'made', charts: [], layout: [] };
    await send(secondary, 'POST', '/v2/dashboards', { uid: 'made', dashboard }, 201);
    const found = await send(primary, 'GET', '/v2/dashboards/uid/made');
    assert.equal(found.dashboard.name, 'made');
    assert.deepEqual(await send(secondary, 'GET', '/v2/dashboards/uid/made'), found);
    const monitor = { name: 'many', type: 'Threshold', aplQuery: 'shared | count' };
    const { id } = await send(secondary, 'POST', '/v2/monitors', monitor);
    assert.equal((await send(primary, 'GET', `/v2/monitors/${id}`)).name, 'many');
    const query = { name: 'q', kind: 'apl', query: { apl: 'shared' }, metadata: {}, who: 'team' };
    await send(secondary, 'POST', '/v2/apl-starred-queries', { ...query, dataset: 'shared' });
    assert.equal((await send(primary, 'GET', '/v2/apl-starred-queries?who=all')).length, 1);
  });

  it('creates a virtual field at once for a field that only it knows, and both use the field', async () => {
    await send(secondary, 'POST', '/v2/datasets', { name: 'virtual' });
    await ingest(secondary, 'virtual', [{ price: 3, count: 4 }]);
    const field = { dataset: 'virtual', name: 'total', expression: 'price * count' };
    const { id } = await send(secondary, 'POST', '/v2/vfields', { ...field, type: 'integer' });
    for (const each of both()) {
      assert.deepEqual(await column(each, 'virtual | project total'), [12]);
    }
    await send(primary, 'DELETE', `/v2/vfields/${id}`, undefined, 204);
    await eventually(() => refused(secondary, 'virtual | project total', 400));
  });

  it('answers a view for a token that may read the view alone', async () => {
    const view = { name: 'counts', aplQuery: 'shared | summarize n = count()' };
    await send(primary, 'POST', '/v2/views', view);
    const { token } = await newToken(primary, {
      datasetCapabilities: {},
      viewCapabilities: { counts: { query: ['read'] } },
    });
    await eventually(async () => {
      assert.deepEqual(await column(as(secondary, token), 'counts'), [3]);
    });
    await refused(as(secondary, token), 'shared', 403);
  });

  it('saves a query in the history of the primary', async () => {
    const answer = await fetch(`${secondary.url}/v1/datasets/_apl?format=tabular&saveAsKind=apl`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secondary.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ apl: 'shared | count', ...EVER }),
    });
    const { tables } = (await answer.json()) as { tables: { columns: unknown[][] }[] };
    assert.deepEqual(tables[0]!.columns, [[3]]);
    const id = answer.headers.get('x-axiom-history-query-id');
    for (const each of both()) {
      const kept = await send(each, 'GET', `/v1/datasets/_history/${id}`);
      assert.equal(kept.query.apl, 'shared | count');
    }
  });

  it('rejects a token from its expiry on, which it knows', async () => {
    const expiresAt = new Date(Date.now() + 2_000).toISOString();
    const { token } = await newToken(primary, {
      datasetCapabilities: { shared: { query: ['read'] } },
      expiresAt,
    });
    assert.deepEqual(await column(as(secondary, token), 'shared | count'), [3]);
    await pause(2_100);
    await refused(as(secondary, token), 'shared | count', 401);
  });

  it('gets all views and virtual fields with the token of its primary alone', async () => {
    const { token } = await newToken(primary, {
      datasetCapabilities: { '*': { query: ['read'], virtualFields: ['read'] } },
    });
    const { kind, isOwner, grants } = await send(as(primary, token), 'GET', '/_local/access');
    assert.deepEqual([kind, isOwner], ['api', false]);
    assert.deepEqual(grants.orgCapabilities, {});
    for (const [method, path] of [
      ['GET', '/_local/resources'],
      ['POST', '/_local/refresh'],
    ] as const) {
      await send(as(primary, token), method, path, undefined, 403);
      await send(primary, method, path);
    }
  });

  it('is controlled by its own tokens, which give no access to data', async () => {
    const own = readFileSync(join(processes.folder, 'secondary', 'token'), 'utf8').trim();
    await send(as(secondary, own), 'GET', '/_local/backup');
    await refused(as(secondary, own), 'shared', 403);
    await send(as(secondary, own), 'GET', '/v2/monitors', undefined, 401);
    await send(as(primary, own), 'GET', '/v2/monitors', undefined, 401);
    const { code } = await send(as(secondary, own), 'POST', '/_local/page-code');
    await send(as(secondary, own), 'POST', '/_local/page-session', { code }, 404);
  });

  it('rejects requests for other hosts before it asks the primary', async () => {
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
      const headers = { host: 'attacker.example', authorization: `Bearer ${secondary.token}` };
      request(`${secondary.url}/v2/monitors`, { headers }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode!, text });
      }).end();
    });
    assert.equal(status, 403);
    assert.match(text, /attacker\.example/);
  });

  it('writes no token of the primary to its log and its folder', async () => {
    const { token } = await newToken(secondary, { datasetCapabilities: {} });
    await send(as(secondary, token), 'GET', '/v2/datasets');
    const files = globSync('**/*', {
      cwd: join(processes.folder, 'secondary'),
      withFileTypes: true,
    });
    const contents = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    assert.ok(contents.length > 3);
    for (const secret of [token, primary.token, primary.personalToken]) {
      for (const text of [...contents, logs.join('')]) assert.ok(!text.includes(secret));
    }
  });

  it('answers 503 while the primary is down, and recovers with it', async () => {
    const { port } = new URL(primary.url);
    await ingest(secondary, 'shared', [{ n: 10 }]);
    const exited = once(primary.child, 'exit');
    primary.child.kill('SIGKILL');
    await exited;
    // Access is known for a few more seconds.
    await ingest(secondary, 'shared', [{ n: 20 }]);
    const { message } = await send(secondary, 'GET', '/v2/monitors', undefined, 503);
    assert.match(message, /The process that keeps the tokens and resources is not available/);
    await send(secondary, 'POST', '/v2/notifiers', { name: 'x', properties: {} }, 503);
    await eventually(() => ingest(secondary, 'shared', [{ repeated: true }], 503));
    await refused(secondary, 'shared | count', 503);
    primary = await processes.start('primary', '--port', port);
    await send(secondary, 'GET', '/v2/monitors');
    await ingest(secondary, 'shared', [{ n: 40 }]);
    assert.deepEqual(await column(secondary, 'shared | where n >= 10 | summarize sum(n)'), [70]);
  });
});

describe('--resources', () => {
  async function failure(data: string, variables: Record<string, string>, ...args: string[]) {
    const folder = join(processes.folder, data);
    const child = processes.launchWith(variables, '--data', folder, ...args);
    let errors = '';
    child.stderr!.on('data', (text) => {
      errors += text;
    });
    const [code] = await once(child, 'close');
    assert.notEqual(code, 0);
    return errors;
  }

  it('requires ClickHouse, a token, and TLS for other machines, and prints no password', async () => {
    const token = { APLOMB_RESOURCES_TOKEN: primary.token };
    const rows = [
      [token, ['--resources', primary.url], /--resources requires --engine clickhouse/],
      [{}, [...furtherArguments, '--resources', primary.url], /variable APLOMB_RESOURCES_TOKEN/],
      [token, [...furtherArguments, '--resources', 'http://10.0.0.1:80'], /must start with https/],
      [
        token,
        [...furtherArguments, '--resources', 'ftp://127.0.0.1'],
        /must be an address such as/,
      ],
      [
        token,
        [...furtherArguments, '--resources', 'https://me:hidden@example.com'],
        /must not contain a user, a password or parameters\. Set APLOMB_RESOURCES_TOKEN/,
      ],
    ] as const;
    for (const [variables, args, expected] of rows) {
      const errors = await failure('wrong', variables, ...args);
      assert.match(errors, expected);
      assert.doesNotMatch(errors, /hidden|xaat-/);
    }
  });

  it('refuses a folder that has resources', async () => {
    const own = await processes.start('own');
    await send(own, 'POST', '/v2/monitors', { name: 'm', type: 'Threshold', aplQuery: 'shared' });
    const exited = once(own.child, 'exit');
    own.child.kill('SIGTERM');
    await exited;
    const variables = { APLOMB_RESOURCES_TOKEN: primary.token };
    const args = [...furtherArguments, '--resources', primary.url];
    assert.match(
      await failure('own', variables, ...args),
      /has resources, which --resources would hide/,
    );
  });

  it('sends no token to another program at the address of the primary', async () => {
    let received = '';
    const thief = createTcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          received += data;
          const body = '{"pid":1,"state":"open"}';
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        });
    });
    const at = await listening(thief, 'http');
    const victim = await processes.startSecondary(primary, 'victim', { at });
    const { message } = await send(victim, 'GET', '/v2/monitors', undefined, 503);
    const named = `the program at ${at} does not know the token in APLOMB_RESOURCES_TOKEN`;
    assert.ok(message.includes(named), message);
    await ingest(victim, 'shared', [{ n: 1 }], 503);
    thief.close();
    assert.match(received, /^GET \/_local\/health\?nonce=/);
    assert.doesNotMatch(received, /xaat|authorization/i);
  });

  describe('with TLS', () => {
    const certificates = join(root, 'test', 'client', 'certificates');
    const variables = { NODE_EXTRA_CA_CERTS: join(certificates, 'authority.pem') };
    const certified = (name: string) => ({
      cert: readFileSync(join(certificates, `${name}.pem`)),
      key: readFileSync(join(certificates, `${name}.key`)),
    });

    /** A proxy in front of the primary. It closes the connection instead of an answer if `loses` is true for the path. */
    const proxyWith = (loses: (path: string) => boolean) =>
      createTlsServer(certified('valid'), (incoming, outgoing) => {
        const { method = '', url = '' } = incoming;
        const headers = { ...incoming.headers, host: new URL(primary.url).host };
        const onward = request(primary.url + url, { method, headers });
        onward.on('response', (response) => {
          if (loses(url)) {
            incoming.socket.destroy();
            return;
          }
          outgoing.writeHead(response.statusCode!, response.headers);
          response.pipe(outgoing);
        });
        incoming.pipe(onward);
      });

    it('reaches a primary through a proxy', async () => {
      const proxy = proxyWith(() => false);
      const at = await listening(proxy, 'https');
      const distant = await processes.startSecondary(primary, 'distant', { at, variables });
      await ingest(distant, 'shared', [{ n: 1_000 }]);
      assert.deepEqual(await column(distant, 'shared | where n == 1000 | count'), [1]);
      const monitor = { name: 'far', type: 'Threshold', aplQuery: 'shared | count' };
      const { id } = await send(distant, 'POST', '/v2/monitors', monitor);
      assert.equal((await send(primary, 'GET', `/v2/monitors/${id}`)).name, 'far');
      proxy.closeAllConnections();
      proxy.close();
    });

    it('says of a change whether it may have been made when the connection breaks', async () => {
      let breaks = false;
      const proxy = proxyWith((path) => breaks && path.startsWith('/v2/'));
      const at = await listening(proxy, 'https');
      const distant = await processes.startSecondary(primary, 'broken', { at, variables });
      const monitor = { name: 'doubtful', type: 'Threshold', aplQuery: 'shared | count' };
      await send(distant, 'POST', '/v2/monitors', monitor);
      breaks = true;
      const { message } = await send(distant, 'POST', '/v2/monitors', monitor, 504);
      assert.match(message, /did not confirm the change.* may have been made/);
      await send(distant, 'GET', '/v2/monitors', undefined, 503);
      const monitors = (await send(primary, 'GET', '/v2/monitors')) as { name: string }[];
      assert.equal(monitors.filter(({ name }) => name === 'doubtful').length, 2);
      proxy.closeAllConnections();
      proxy.close();
    });

    it('sends no token to a proxy with an invalid certificate, and follows no redirect', async () => {
      const tokens: unknown[] = [];
      const elsewhere = createServer((incoming, outgoing) => {
        tokens.push(incoming.headers.authorization);
        outgoing.end('{}');
      });
      const target = await listening(elsewhere, 'http');
      let redirected = 0;
      const redirects = createTlsServer(certified('valid'), (_, outgoing) => {
        redirected += 1;
        outgoing.writeHead(307, { location: target }).end();
      });
      const invalid = createTlsServer(certified('self-signed'), ({ headers }, outgoing) => {
        tokens.push(headers.authorization);
        outgoing.end('{}');
      });
      for (const [data, wrong] of [
        ['redirected', redirects],
        ['invalid', invalid],
      ] as const) {
        const at = await listening(wrong, 'https');
        const victim = await processes.startSecondary(primary, data, { at, variables });
        await send(victim, 'GET', '/v2/monitors', undefined, 503);
        wrong.closeAllConnections();
        wrong.close();
      }
      elsewhere.close();
      assert.ok(redirected > 0);
      assert.deepEqual(tokens, []);
    });
  });
});

async function listening(listener: TcpServer, protocol: string): Promise<string> {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return `${protocol}://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}
