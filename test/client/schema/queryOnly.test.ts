// Completion from the client's schema, without test doubles: the language server in its own process, the schema cache
// over HTTP, and a local deployment with tokens of decreasing permissions.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { answerHead } from '../../../client/src/answers/answerHead.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { statementsIn } from '../../../client/src/schema/fromAnswer.ts';
import { SchemaCache } from '../../../client/src/schema/schemaCache.ts';
import { SchemaFile } from '../../../client/src/schema/schemaFile.ts';
import { ask } from '../../../client/src/service/ask.ts';
import { fetchDatasets, fetchFields } from '../../../client/src/service/schema.ts';
import { Service } from '../../../client/src/service/service.ts';
import type { QueryFacts } from '../../../server/src/protocol.ts';
import * as protocol from '../../../server/src/protocol.ts';
import { BodyDecoder } from '../../../table/src/decode/bodyDecoder.ts';
import { Processes, type Running, stop } from '../../local/processes.ts';
import { Session, uri } from '../../server/session.ts';

const dispatcher = directDispatcher();
const events = [
  { status: 200, took: 12.5, secret: 'x', geo: { city: 'Lisbon' }, code: 1 },
  { status: 500, took: 3, secret: 'y', geo: { city: 'Porto' }, code: 'E_FULL' },
];

/** A window with the schema that a token can read. Its cache answers the requests of the language server. */
class Window {
  readonly session = new Session(true, true);
  readonly service: Service;
  readonly cache: SchemaCache;
  readonly sent: string[] = [];
  #version = 0;

  constructor(url: string, token: string, folder: string) {
    this.service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    const file = new SchemaFile(folder, { name: 'Test', general: url, edge: url, token });
    const tell = (datasets: readonly string[] | undefined) =>
      void this.session.connection.sendNotification(
        protocol.schemaChangedNotification,
        datasets ? { datasets } : {},
      );
    this.cache = new SchemaCache(
      {
        datasets: () => this.#counted('datasets', fetchDatasets(this.service)),
        fields: (name, hint) => this.#counted(name, fetchFields(this.service, name, hint)),
      },
      { changed: tell, learned: tell, stateChanged: () => undefined },
      { disk: { read: () => file.read(), write: (schema) => file.write(schema) } },
    );
    const { connection } = this.session;
    connection.onRequest(protocol.datasetsRequest, () => this.cache.datasetsNow());
    connection.onRequest(protocol.fieldsRequest, ({ dataset }: protocol.FieldsParams) =>
      this.cache.fieldsNow(dataset),
    );
  }

  async start(): Promise<void> {
    await this.session.initialize();
  }

  /** Runs a query as the client does, and learns from the answer. */
  async run(apl: string): Promise<void> {
    const decoder = new BodyDecoder();
    const at = Date.now();
    const answer = await ask(
      { apl, startTime: 'now-1d', endTime: 'now' },
      { service: this.service, timeoutMs: 30_000 },
      {
        chunk: async (bytes) => void decoder.push(bytes),
        finish: async () => answerHead(decoder.end(), decoder.tables),
        abort: () => undefined,
      },
    );
    assert.ok(answer.ok, JSON.stringify(answer));
    const facts = await this.session.connection.sendRequest<QueryFacts>(
      protocol.queryFactsRequest,
      { text: apl },
    );
    this.cache.resultNamed(answer.value.datasetNames);
    for (const { dataset, source, fields } of statementsIn(answer.value, facts.allFieldsOf)) {
      await this.cache.learn(dataset, source, at, fields);
    }
  }

  /** Returns the names offered at the end of the text. */
  async offered(text: string): Promise<string[]> {
    await this.show(text);
    const lines = text.split('\n');
    return this.session.completion(lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  /** Returns the codes of the problems reported for the text. */
  async problems(text: string): Promise<unknown[]> {
    await this.show(text);
    await this.offered(text);
    const report = await this.session.connection.sendRequest<{ items: { code: unknown }[] }>(
      'textDocument/diagnostic',
      { textDocument: { uri } },
    );
    return report.items.map(({ code }) => code);
  }

  async show(text: string): Promise<void> {
    if (this.#version++ === 0) await this.session.open(text);
    else await this.session.change(text);
  }

  async close(): Promise<void> {
    await this.cache.flush();
    this.cache.dispose();
    this.session.child.kill();
    await this.session.exited;
  }

  #counted<T>(what: string, request: Promise<T>): Promise<T> {
    this.sent.push(what);
    return request;
  }
}

describe('completion against a local deployment', { timeout: 120_000 }, () => {
  let processes: Processes;
  let running: Running;
  let folder: string;
  const windows: Window[] = [];

  const owner = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(running.url + path, {
      method,
      headers: {
        authorization: `Bearer ${running.token}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };

  /** Creates a token with these capabilities on the dataset `logs`. */
  const tokenFor = async (capabilities: object): Promise<string> => {
    const made = (await owner('POST', '/v2/tokens', {
      name: `token-${Math.random()}`,
      datasetCapabilities: { logs: capabilities },
    })) as { token: string };
    return made.token;
  };

  const open = async (token: string): Promise<Window> => {
    const window = new Window(running.url, token, folder);
    windows.push(window);
    await window.start();
    return window;
  };

  before(async () => {
    processes = await Processes.create();
    running = await processes.start('data');
    folder = await mkdtemp(join(processes.folder, 'schema-'));
    await owner('POST', '/v2/datasets', { name: 'logs' });
    await owner('POST', '/v1/ingest/logs', events);
    await owner('PUT', '/v2/datasets/logs/fields/took', {
      name: 'took',
      type: 'float',
      unit: 'ms',
      description: 'Time to the last byte.',
      hidden: false,
    });
    await owner('PUT', '/v2/datasets/logs/fields/secret', {
      name: 'secret',
      type: 'string',
      hidden: true,
    });
    await owner('POST', '/v2/vfields', {
      dataset: 'logs',
      name: 'slow',
      expression: 'took > 10',
      type: 'boolean',
    });
    await owner('POST', '/v2/views', {
      name: 'errors',
      aplQuery: "['logs'] | where status >= 500 | project status, brief = tostring(code)",
    });
    await owner('POST', '/v2/datasets/logs/mapfields', { name: 'labels' });
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) await window.close();
  });

  after(async () => {
    await dispatcher.destroy();
    await processes.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('offers stored, virtual and map fields and the columns of views if the token may list them', async () => {
    const window = await open(running.token);
    const names = await window.offered("['logs'] | where ");
    for (const name of ['status', 'took', 'geo.city', 'code', 'slow', 'labels']) {
      assert.ok(names.includes(name), `${name} of ${names.slice(0, 20)}`);
    }
    assert.ok(!names.includes('secret'), 'it is hidden');
    const columns = await window.offered("['errors'] | where ");
    assert.ok(columns.includes('brief') && !columns.includes('took'), columns.slice(0, 9).join());
    assert.deepEqual(window.sent, ['datasets', 'logs'], 'the view was analyzed');
    assert.deepEqual(await window.problems("['logs'] | where nothing == 1"), ['unknown-column']);
  });

  it('offers the fields from getschema if the token may only query, and reports no unknown columns', async () => {
    const window = await open(await tokenFor({ query: ['read'] }));
    const fetched = await fetchFields(window.service, 'logs');
    assert.ok(fetched.ok);
    assert.deepEqual(Object.keys(fetched.value.sources), ['getschema']);
    const names = await window.offered("['logs'] | where ");
    for (const name of ['status', 'took', 'geo.city']) assert.ok(names.includes(name), name);
    assert.deepEqual(await window.problems("['logs'] | where nothing == 1"), []);
    assert.deepEqual(await window.problems("['elsewhere'] | where nothing == 1"), []);
  });

  it('offers the fields of earlier answers, with their units, if the token may not list fields', async () => {
    const window = await open(await tokenFor({ query: ['read'] }));
    await window.run("['logs'] | where status > 0 | limit 10");
    const { fields = [] } = (await window.cache.fieldsNow('logs')) ?? {};
    const took = fields.find(({ name }) => name === 'took');
    assert.deepEqual(took, {
      name: 'took',
      type: 'float',
      unit: 'ms',
      description: 'Time to the last byte.',
    });
    assert.equal(fields.find(({ name }) => name === 'secret')?.hidden, true);
    const code = fields.find(({ name }) => name === 'code');
    assert.deepEqual(code?.type.split('|').sort(), ['integer', 'string']);
    const names = await window.offered("['logs'] | where ");
    assert.ok(names.includes('took') && !names.includes('secret'));
  });

  it('offers the fields on disk while the deployment is stopped, and reports no unknown names', async () => {
    const token = running.token;
    const first = await open(token);
    await first.offered("['logs'] | where ");
    await first.close();
    await stop(running);
    const second = await open(token);
    const start = performance.now();
    const names = await second.offered("['logs'] | where ");
    assert.ok(performance.now() - start < 1_400, 'it does not wait for the deployment');
    for (const name of ['status', 'slow', 'labels']) assert.ok(names.includes(name), name);
    assert.deepEqual(await second.problems("['logs'] | where nothing == 1"), []);
    assert.deepEqual(await second.problems("['elsewhere'] | count"), []);
    assert.equal(second.cache.state.kind, 'failed');
    const other = await open('xaat-of-another-organization');
    assert.ok(!(await other.offered("['logs'] | where ")).includes('status'));
  });
});
