// Completion of field values before any result, without test doubles: the language server in its own process, the
// client's requests over HTTP, and the local deployment or a failing server.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompletionItem, CompletionList } from 'vscode-languageserver/node';
import { localProfile, type Profile } from '../../../client/src/deployments/profiles.ts';
import { valueBounds } from '../../../client/src/schema/fieldValues.ts';
import { FrequentValues } from '../../../client/src/schema/frequentValues.ts';
import { askForValue } from '../../../client/src/service/ask.ts';
import { fetchDatasets, fetchFields } from '../../../client/src/service/schema.ts';
import type { FieldsResult, FieldValuesParams } from '../../../server/src/protocol.ts';
import * as protocol from '../../../server/src/protocol.ts';
import { Deployment } from '../../local/deployment.ts';
import { Session, uri } from '../../server/session.ts';
import { type Answer, json, LoopbackServer } from '../loopback.ts';

const hostile = ['it\'s "quoted"', 'back\\slash', '\u202Egnol', '$1 {x} |', "'] | count //"];
const leftOut = ['a\nb', 'tab\there', 'x'.repeat(10_000), '\u2028'];

/** Events with methods, codes, measurements, identifiers and hostile strings. */
const events = Array.from({ length: 400 }, (_, row) => ({
  method: row % 4 === 0 ? 'PUT' : 'GET',
  status: row % 5 === 0 ? 500 : 200,
  took: row * 1.5,
  bytes: row * 17,
  ok: row % 2 === 0,
  id: `id-${row}`,
  text: 'long text '.repeat(100),
  hostile: [...hostile, ...leftOut][row % 9],
  ["it's a \\ field"]: row % 2 === 0 ? 'left' : 'right',
}));

interface Options {
  readonly token?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A window with a deployment. The client's own code answers the requests of the language server. */
class Window {
  readonly session = new Session(true, true);
  readonly values: FrequentValues;
  readonly warnings: string[] = [];
  readonly #url: string;
  #isOpen = false;

  private constructor(server: LoopbackServer, kind: Profile['kind'], { token }: Options) {
    this.#url = server.url;
    const service = server.service(token);
    const hosted = { general: server.url, edge: server.url, production: false, keepResults: false };
    const profile: Profile =
      kind === 'local' ? localProfile : { kind, name: 'Hosted', ...hosted, from: 'user' };
    this.values = new FrequentValues({
      find: () => profile,
      service: async () => ({ ok: true, value: service }),
      warn: (message) => this.warnings.push(message),
    });
    const { connection } = this.session;
    connection.onRequest(protocol.datasetsRequest, async () => {
      const found = await fetchDatasets(service);
      return found.ok ? { datasets: [...found.value.datasets], complete: true } : null;
    });
    connection.onRequest(
      protocol.fieldsRequest,
      async ({ dataset }: protocol.FieldsParams): Promise<FieldsResult | null> => {
        const found = await fetchFields(service, dataset);
        const fields = found.ok ? found.value.sources.list : undefined;
        return fields ? { fields: [...fields], complete: true } : null;
      },
    );
    connection.onRequest(protocol.fieldValuesRequest, (params: FieldValuesParams) =>
      this.values.of(params),
    );
  }

  static async open(
    server: LoopbackServer,
    kind: Profile['kind'],
    options: Options = {},
  ): Promise<Window> {
    const window = new Window(server, kind, options);
    window.session.settings = options.settings;
    await window.session.initialize('Test');
    return window;
  }

  /** Requests the completion list at the end of the text. */
  async list(text: string): Promise<CompletionList> {
    if (this.#isOpen) await this.session.change(text);
    else await this.session.open(text);
    this.#isOpen = true;
    const found = await this.session.connection.sendRequest<CompletionList | null>(
      'textDocument/completion',
      { textDocument: { uri }, position: { line: 0, character: text.length } },
    );
    return found ?? assert.fail(`no list at ${this.#url}`);
  }

  /** Returns the completion items for values, in the order of the list. */
  async items(text: string): Promise<CompletionItem[]> {
    const { items } = await this.list(text);
    return items.filter(({ kind }) => kind === 12);
  }

  /** Returns the labels of the completion items for values. */
  async offered(text: string): Promise<string[]> {
    const items = await this.items(text);
    return items.map(({ label }) => label);
  }

  /** Returns the labels once the list is complete, because completion waits only briefly for values. */
  async settled(text: string): Promise<string[]> {
    for (let tries = 0; ; tries++) {
      const { isIncomplete, items } = await this.list(text);
      const labels = items.filter(({ kind }) => kind === 12).map(({ label }) => label);
      if (!isIncomplete || tries === 40) return labels;
      await sleep(100);
    }
  }

  async close(): Promise<void> {
    this.session.connection.dispose();
    this.session.child.kill();
    await this.session.exited;
  }
}

/** Returns the queries for values that a server received. */
function valueQueries({ received }: LoopbackServer): string[] {
  return received
    .filter(({ url }) => url.includes('query'))
    .map(({ body }) => (JSON.parse(body.toString()) as { apl: string }).apl)
    .filter((apl) => apl.includes('aplomb_value'));
}

/** Returns the body of a response with one table. */
function tabular(names: readonly string[], columns: unknown): string {
  const fields = names.map((name) => ({ name, type: 'unknown' }));
  const status = { elapsedTime: 1, rowsExamined: 1, rowsMatched: 1 };
  const table = { name: '0', sources: [], fields, order: [], groups: [], columns };
  return JSON.stringify({ format: 'tabular', status, tables: [table] });
}

const where = "['logs'] | where ";

describe('frequent values of a field in completion', { timeout: 120_000 }, () => {
  let local: Deployment;
  let servers: LoopbackServer[] = [];
  let windows: Window[] = [];

  /** Starts a server in front of the local deployment. `answer`, if given, answers the queries for values. */
  const serve = async (answer?: Answer): Promise<LoopbackServer> => {
    let asked = 0;
    const server = await LoopbackServer.start(async (response, request, index) => {
      const { method, url, body } = request;
      const isForValues = url.includes('query') && body.toString().includes('aplomb_value');
      if (isForValues && answer) return answer(response, request, asked++);
      const found = await local.call(method, url, body.length === 0 ? undefined : body);
      for (const [name, value] of found.headers) response.setHeader(name, value);
      json(response, found.status, found.text);
      return index;
    });
    servers.push(server);
    return server;
  };

  const open = async (
    server: LoopbackServer,
    kind: Profile['kind'] = 'hosted',
    options: Options = {},
  ): Promise<Window> => {
    const window = await Window.open(server, kind, options);
    windows.push(window);
    return window;
  };

  before(async () => {
    local = await Deployment.open();
    await local.call('POST', '/v2/datasets', { name: 'logs' });
    await local.call('POST', '/v1/ingest/logs', events);
  });

  beforeEach(() => {
    servers = [];
    windows = [];
  });

  afterEach(async () => {
    for (const window of windows) await window.close();
    for (const server of servers) await server[Symbol.asyncDispose]();
  });

  after(async () => {
    await local.close();
  });

  it('are offered after each operator that compares with a value, the most frequent first', async () => {
    const window = await open(await serve(), 'local');
    for (const operator of ['==', '!=', 'has', '!contains', '=~', 'in (', 'has_any (']) {
      const labels = await window.settled(`${where}method ${operator} `);
      assert.deepEqual(labels.slice(0, 2), ["'GET'", "'PUT'"], operator);
    }
    assert.deepEqual(await window.settled(`${where}method == '`), ['GET', 'PUT']);
    assert.deepEqual((await window.settled(`${where}status == `)).slice(0, 2), ['200', '500']);
    const field = await window.settled(`${where}['it\\'s a \\\\ field'] == `);
    assert.deepEqual(field.slice(0, 2).toSorted(), ["'left'", "'right'"]);
  });

  it('are not offered for measurements, identifiers and long strings', async () => {
    const server = await serve();
    const window = await open(server, 'local');
    for (const field of ['took', 'bytes', 'id', 'text']) {
      assert.deepEqual(await window.settled(`${where}${field} == `), [], field);
    }
    const queries = valueQueries(server);
    assert.equal(queries.length, 4);
    const ofText = queries.find((apl) => apl.includes("['text']"));
    assert.match(ofText ?? '', /strlen\(\['text'\]\) <= 100/, 'long strings are not transferred');
    await window.settled(`${where}_time == `);
    await window.settled(`${where}status > `);
    assert.equal(valueQueries(server).length, 4, 'times and other operators have no values');
  });

  it('are escaped so that the completed query finds their events, and omitted if they contain line breaks or tabs', async () => {
    const server = await serve();
    const window = await open(server, 'local');
    const begun = `${where}hostile == `;
    await window.settled(begun);
    const items = await window.items(begun);
    const written = items.map(({ label, textEdit }) => textEdit?.newText ?? label);
    assert.equal(written.length, hostile.length);
    for (const text of written) {
      const answer = await askForValue(
        { apl: `${begun}${text} | summarize n = count(), v = max(hostile)`, ...range },
        { service: server.service(), timeoutMs: 10_000 },
      );
      assert.ok(answer.ok, `${text}: ${JSON.stringify(answer)}`);
      const [count, value] = answer.value.tables?.[0]?.columns?.map(([cell]) => cell) ?? [];
      assert.ok(Number(count) > 40, text);
      assert.ok(hostile.includes(String(value)), text);
    }
  });

  it('are queried from a hosted deployment once per field, over at most 50,000 events', async () => {
    const server = await serve();
    const window = await open(server);
    for (const text of ['method == ', 'method != ', "method == 'G", 'method in (']) {
      await window.settled(`${where}${text}`);
    }
    assert.equal(valueQueries(server).length, 1);
    assert.match(valueQueries(server)[0] as string, /\| take 50000 \|/);
    const sent = server.received.find(({ body }) => body.toString().includes('aplomb_value'));
    const { startTime, endTime } = JSON.parse(String(sent?.body));
    assert.deepEqual([startTime, endTime], ['now-1d', 'now']);
    await window.settled(`${where}status == `);
    assert.equal(valueQueries(server).length, 2);
    // The language server drops its values after an ingest, but the client does not query a hosted deployment again.
    await window.session.connection.sendNotification(protocol.schemaChangedNotification, {
      datasets: ['logs'],
    });
    assert.deepEqual((await window.settled(`${where}method == `)).slice(0, 1), ["'GET'"]);
    assert.equal(valueQueries(server).length, 2);
  });

  it('are queried again after the deployment or its token has changed', async () => {
    const server = await serve();
    const window = await open(server);
    await window.settled(`${where}method == `);
    window.values.forget('Other');
    window.values.forget('Hosted');
    await window.session.connection.sendNotification(protocol.schemaChangedNotification, {});
    assert.deepEqual((await window.settled(`${where}method == `)).slice(0, 1), ["'GET'"]);
    assert.equal(valueQueries(server).length, 2);
  });

  it('are queried again from the local deployment after an ingest, and the old ones are offered meanwhile', async () => {
    const server = await serve();
    const window = await open(server, 'local');
    await window.settled(`${where}method == `);
    await window.session.connection.sendNotification(protocol.schemaChangedNotification, {
      datasets: ['logs'],
    });
    const old = await window.list(`${where}method == `);
    assert.equal(old.isIncomplete, false);
    assert.ok(old.items.some(({ label }) => label === "'GET'"));
    while (valueQueries(server).length < 2) await sleep(5);
  });

  it('are listed after the values that results have shown', async () => {
    const server = await serve();
    const window = await open(server, 'local');
    await window.list(where);
    await window.session.connection.sendNotification(protocol.valuesSeenNotification, {
      query: "['logs'] | take 5",
      columns: [{ name: 'method', values: ['HEAD'] }],
    });
    const labels = await window.settled(`${where}method == `);
    assert.deepEqual(labels.slice(0, 2), ["'HEAD'", "'GET'"]);
    assert.equal(valueQueries(server).length, 1);
  });

  it('are queried only while the setting valuesFromDeployment is on', async () => {
    const server = await serve();
    const name = 'aplomb.completion.valuesFromDeployment';
    for (const kind of ['local', 'hosted'] as const) {
      const window = await open(server, kind, { settings: { [name]: false } });
      const list = await window.list(`${where}method == `);
      assert.equal(list.isIncomplete, false);
      assert.deepEqual(await window.offered(`${where}status in (`), []);
    }
    assert.deepEqual(valueQueries(server), []);
    const [window] = windows as [Window];
    window.session.settings = { [name]: true };
    await window.session.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: {},
    });
    assert.deepEqual(await window.settled(`${where}method == `), ["'GET'", "'PUT'"]);
  });

  it('do not delay completion if the deployment is slow, and are offered once they arrive', async () => {
    let answer = (): void => undefined;
    const server = await serve((response, request) => {
      answer = async () => {
        const found = await local.call(request.method, request.url, request.body);
        json(response, found.status, found.text);
      };
    });
    for (const kind of ['local', 'hosted'] as const) {
      const window = await open(server, kind);
      await window.list(where);
      const start = performance.now();
      const first = await window.list(`${where}method == `);
      const waited = performance.now() - start;
      assert.ok(waited < 1_500, `${waited} ms`);
      assert.equal(first.isIncomplete, true);
      assert.ok(first.items.some(({ label }) => label === 'status'));
      const again = performance.now();
      for (let key = 1; key <= 10; key++) {
        const next = await window.list(`${where}method == ${'g'.repeat(key)}`);
        assert.equal(next.isIncomplete, true);
      }
      assert.ok(performance.now() - again < 1_500, 'only the first list waits');
      answer();
      assert.deepEqual(await window.settled(`${where}method == `), ["'GET'", "'PUT'"]);
    }
    assert.equal(valueQueries(server).length, 2);
  });

  it('are omitted without a delay if the token may not query', async () => {
    const server = await serve((response) => json(response, 403, { message: 'no' }));
    const window = await open(server);
    for (const text of ['method == ', 'method == ', 'status == ', 'ok in (']) {
      assert.deepEqual(await window.settled(`${where}${text}`), [], text);
    }
    assert.equal(valueQueries(server).length, 1);
    assert.equal(window.warnings.length, 1);
    const { isIncomplete } = await window.list(`${where}method == `);
    assert.equal(isIncomplete, false);
  });
});

const { range } = valueBounds.local;

describe('requests for frequent values', () => {
  const params = (field: string): FieldValuesParams => ({ dataset: 'a', field, type: 'string' });
  const profiles: Readonly<Record<string, Profile>> = {
    Local: localProfile,
    Hosted: {
      kind: 'hosted',
      name: 'Hosted',
      general: '',
      edge: '',
      production: false,
      keepResults: false,
      from: 'user',
    },
  };
  const answered = tabular(['aplomb_value', 'aplomb_count'], [['x'], [2]]);

  const valuesOf = (server: LoopbackServer, warnings: string[] = []): FrequentValues =>
    new FrequentValues({
      find: (name = 'Local') => profiles[name],
      service: async () => ({ ok: true, value: server.service() }),
      warn: (message) => warnings.push(message),
    });

  it('run two at a time, and those beyond ten resolve to null and can be repeated later', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    let underWay = 0;
    await using server = await LoopbackServer.start((response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      open.push(() => {
        underWay -= 1;
        json(response, 200, answered);
      });
    });
    const values = valuesOf(server);
    const asked = Array.from({ length: 15 }, (_, index) => values.of(params(`f${index}`)));
    const answering = setInterval(() => open.shift()?.(), 5);
    try {
      const found = await Promise.all(asked);
      assert.equal(most, 2);
      assert.equal(found.filter((one) => one !== null).length, 10);
      assert.deepEqual(await values.of(params('f14')), { values: ['x'] });
    } finally {
      clearInterval(answering);
    }
  });

  it('to the local deployment are aborted while the user runs a query, but those to a hosted deployment continue', async () => {
    let answer = (): void => undefined;
    let dropped = 0;
    await using server = await LoopbackServer.start((response) => {
      response.once('close', () => {
        if (!response.writableEnded) dropped += 1;
      });
      answer = () => json(response, 200, answered);
    });
    const values = valuesOf(server);
    const request = values.of(params('f'));
    while (server.received.length === 0) await sleep(5);
    values.isBusy = true;
    assert.equal(await request, null);
    assert.equal(await values.of(params('g')), null);
    assert.equal(server.received.length, 1);
    while (dropped === 0) await sleep(5);
    values.isBusy = false;
    const again = values.of(params('f'));
    while (server.received.length === 1) await sleep(5);
    answer();
    assert.deepEqual(await again, { values: ['x'] });
    const hosted = values.of({ ...params('f'), deployment: 'Hosted' });
    while (server.received.length === 2) await sleep(5);
    values.isBusy = true;
    answer();
    assert.deepEqual(await hosted, { values: ['x'] }, 'a hosted deployment has room for both');
    assert.equal(dropped, 1);
  });

  it('resolve to null if the cached values are cleared meanwhile or the deployment is unknown', async () => {
    await using server = await LoopbackServer.start((response, _, index) => {
      if (index > 0) json(response, 200, answered);
    });
    const values = valuesOf(server);
    const request = values.of({ ...params('f'), deployment: 'Hosted' });
    while (server.received.length === 0) await sleep(5);
    values.forget(undefined);
    assert.equal(await request, null);
    assert.deepEqual(await values.of({ ...params('f'), deployment: 'Hosted' }), { values: ['x'] });
    assert.equal(await values.of({ ...params('f'), deployment: 'Nowhere' }), null);
  });

  for (const [words, answer, scope] of [
    ['a rejected token', (response) => json(response, 401, { message: 'no' }), 'deployment'],
    ['denied access to a dataset', (response) => json(response, 403, { message: 'no' }), 'dataset'],
    ['a missing dataset', (response) => json(response, 404, { message: 'no' }), 'dataset'],
    ['a rejected query', (response) => json(response, 400, { message: 'no' }), 'field'],
    ['a rate limit', (response) => json(response, 429, { message: 'slow down' }), 'deployment'],
    ['a service error', (response) => json(response, 503, {}), 'deployment'],
    ['a closed connection', (response) => response.destroy(), 'deployment'],
    ['a response that is not JSON', (response) => json(response, 200, 'null and void'), 'field'],
    [
      'a response of 2 MB',
      (response) => json(response, 200, tabular(['x'.repeat(2_000_000)], [[1]])),
      'field',
    ],
  ] as const satisfies readonly (readonly [string, Answer, string])[]) {
    it(`are not repeated for the same ${scope} after ${words}`, async () => {
      await using server = await LoopbackServer.start(answer);
      const warnings: string[] = [];
      const values = valuesOf(server, warnings);
      const sent: number[] = [];
      for (const asked of [
        params('f'),
        params('f'),
        params('g'),
        { ...params('f'), dataset: 'b' },
      ]) {
        assert.equal(await values.of(asked), null);
        sent.push(server.received.length);
      }
      const expected = { deployment: [1, 1, 1, 1], dataset: [1, 1, 1, 2], field: [1, 1, 2, 3] };
      assert.deepEqual(sent, expected[scope]);
      assert.equal(warnings.length, server.received.length);
      assert.ok(!warnings.join().includes('secret-token'));
      values.forget('Local');
      await values.of(params('f'));
      assert.equal(server.received.length, warnings.length);
      assert.equal(server.received.length, (sent.at(-1) as number) + 1);
    });
  }

  for (const [words, body] of [
    ['without columns', tabular(['aplomb_value'], undefined)],
    ['with unexpected columns', tabular(['a', 'b'], [['GET'], [2]])],
    [
      'with objects and lists as values',
      tabular(
        ['aplomb_value', 'aplomb_count'],
        [
          [{ a: 1 }, ['b'], 'c'],
          [3, 2, 1],
        ],
      ),
    ],
  ] as const) {
    it(`return no values for a response ${words}, and are not repeated on a hosted deployment`, async () => {
      await using server = await LoopbackServer.start((response) => json(response, 200, body));
      const values = valuesOf(server);
      for (let times = 0; times < 3; times++) {
        const asked = { ...params('f'), deployment: 'Hosted' };
        assert.deepEqual(await values.of(asked), { values: [] });
      }
      assert.equal(server.received.length, 1);
    });
  }
});
