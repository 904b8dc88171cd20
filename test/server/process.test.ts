/**
 * The language server as its own process, spoken to over IPC as the client does: the bundle of
 * `npm run build`, real messages, and a client that answers what the server asks for.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type CodeLens,
  type CompletionList,
  type ConfigurationParams,
  createProtocolConnection,
  type InitializeResult,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { DatasetsResult, FieldsResult, QueryAtResult } from '../../server/src/protocol.ts';
import * as protocol from '../../server/src/protocol.ts';

const bundle = join(import.meta.dirname, '../../dist/server.cjs');
const uri = 'file:///query.apl';

/** The server's process, and the client it talks to. */
class Session {
  readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly exited: Promise<number | null>;
  /** What the client answers; a test changes it as a deployment would. */
  fields: readonly string[] = ['status'];
  /** Held back until a test lets it go. */
  gate: Promise<void> = Promise.resolve();
  readonly asked: string[] = [];
  #published: PublishDiagnosticsParams[] = [];
  #waiting: (() => void)[] = [];
  #version = 0;
  readonly #refreshes: boolean;
  /** The settings as the client has them; absent where it has none to tell. */
  settings: Readonly<Record<string, unknown>> | undefined;
  /** How often the server asked the client to ask for its lenses again. */
  lensRefreshes = 0;

  /** `refreshes`: whether the client takes the request to ask for its semantic tokens again. */
  constructor(refreshes = true) {
    this.#refreshes = refreshes;
    assert.ok(existsSync(bundle), `${bundle} is not there; run npm run build`);
    this.child = fork(bundle, ['--node-ipc'], { execArgv: [], stdio: 'inherit' });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.connection = createProtocolConnection(
      new IPCMessageReader(this.child),
      new IPCMessageWriter(this.child),
    );
    this.connection.onRequest(protocol.datasetsRequest, async (): Promise<DatasetsResult> => {
      this.asked.push('datasets');
      return { datasets: [{ name: 'logs', kind: 'dataset' }], complete: true };
    });
    this.connection.onRequest(
      protocol.fieldsRequest,
      async ({ dataset }: protocol.FieldsParams): Promise<FieldsResult> => {
        this.asked.push(dataset);
        await this.gate;
        const fields = this.fields.map((name) => ({ name, type: 'integer' }));
        return { fields, complete: true };
      },
    );
    if (refreshes) this.connection.onRequest('workspace/semanticTokens/refresh', () => null);
    this.connection.onRequest('workspace/configuration', (params: ConfigurationParams) =>
      params.items.map(({ section }) => this.settings?.[section ?? ''] ?? null),
    );
    this.connection.onRequest('workspace/codeLens/refresh', () => {
      this.lensRefreshes++;
      for (const wake of this.#waiting.splice(0)) wake();
      return null;
    });
    this.connection.onNotification('textDocument/publishDiagnostics', (params) => {
      this.#published.push(params as PublishDiagnosticsParams);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.connection.listen();
  }

  async initialize(): Promise<InitializeResult> {
    const result = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        workspace: {
          semanticTokens: { refreshSupport: this.#refreshes },
          codeLens: { refreshSupport: true },
          configuration: this.settings !== undefined,
        },
      },
    });
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  open(text: string): Promise<void> {
    const textDocument = { uri, languageId: 'axiom-apl', version: ++this.#version, text };
    return this.connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  change(text: string): Promise<void> {
    const textDocument = { uri, version: ++this.#version };
    return this.connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ text }],
    });
  }

  /** Waits until diagnostics with exactly these codes are published; what came before is forgotten. */
  async published(...codes: string[]): Promise<PublishDiagnosticsParams> {
    for (;;) {
      const at = this.#published.findIndex(
        ({ diagnostics }) => diagnostics.map(({ code }) => code).join() === codes.join(),
      );
      if (at >= 0) return this.#published.splice(0, at + 1).at(-1) as PublishDiagnosticsParams;
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await Promise.race([more, this.exited.then(() => assert.fail('the server has ended'))]);
    }
  }

  /** Waits until the server has asked for lenses to be asked for again. */
  async lensesRefreshed(): Promise<void> {
    while (this.lensRefreshes === 0) {
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await Promise.race([more, this.exited.then(() => assert.fail('the server has ended'))]);
    }
    this.lensRefreshes = 0;
  }

  async lenses(): Promise<string[]> {
    const textDocument = { uri };
    const found = await this.connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
      textDocument,
    });
    return found.map(({ command }) => command?.title ?? '');
  }

  async completion(line: number, character: number): Promise<string[]> {
    const found = await this.connection.sendRequest<CompletionList | null>(
      'textDocument/completion',
      { textDocument: { uri }, position: { line, character } },
    );
    return found?.items.map(({ label }) => label) ?? [];
  }
}

describe('the language server process', { timeout: 60_000 }, () => {
  let session: Session;

  beforeEach(() => {
    session = new Session();
  });

  afterEach(async () => {
    session.connection.dispose();
    session.child.kill();
    await session.exited;
  });

  it('says what it can do', async () => {
    const { capabilities } = await session.initialize();
    assert.equal(capabilities.hoverProvider, true);
    assert.equal(capabilities.completionProvider?.resolveProvider, true);
  });

  it('publishes problems of the syntax, then those of the fields that it asked for', async () => {
    await session.initialize();
    await session.open("['logs'] | where stats == 200 | whree x");
    await session.published('unknown-column', 'unknown-operator');
    assert.deepEqual([...session.asked].sort(), ['datasets', 'logs']);
    await session.change("['logs'] | where status == 200");
    await session.published();
    await session.change("['lgos'] | count");
    await session.published('unknown-dataset');
  });

  it('waits with a completion for fields that are on their way', async () => {
    await session.initialize();
    let letGo = () => {};
    session.gate = new Promise((resolve) => {
      letGo = resolve;
    });
    await session.open("['logs'] | where ");
    const asked = session.completion(0, 17);
    setTimeout(letGo, 50);
    assert.ok((await asked).includes('status'));
  });

  it('answers a completion without fields that never come', async () => {
    await session.initialize();
    session.gate = new Promise(() => undefined);
    await session.open("['logs'] | where ");
    const labels = await session.completion(0, 17);
    assert.ok(labels.includes('strlen') && !labels.includes('status'));
  });

  it('forgets fields that may have changed, and judges again', async () => {
    await session.initialize();
    await session.open("['logs'] | where level == 1");
    await session.published('unknown-column');
    session.fields = ['level'];
    await session.connection.sendNotification(protocol.schemaChangedNotification, {});
    await session.published();
    assert.ok((await session.completion(0, 17)).includes('level'));
  });

  it('clears the problems of a document that is closed', async () => {
    await session.initialize();
    await session.open('logs | whree x');
    await session.published('unknown-operator');
    await session.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await session.published();
    assert.deepEqual(await session.completion(0, 7), []);
  });

  it('answers requests for documents that it does not know with nothing', async () => {
    await session.initialize();
    const textDocument = { uri: 'file:///never-opened.apl' };
    const position = { line: 3, character: 7 };
    const range = { start: position, end: position };
    const ask = (method: string, params: object) => session.connection.sendRequest(method, params);
    assert.equal(await ask('textDocument/completion', { textDocument, position }), null);
    assert.equal(await ask('textDocument/hover', { textDocument, position }), null);
    assert.deepEqual(await ask('textDocument/codeLens', { textDocument }), []);
    assert.deepEqual(await ask('textDocument/semanticTokens/full', { textDocument }), { data: [] });
    assert.deepEqual(await ask('textDocument/semanticTokens/range', { textDocument, range }), {
      data: [],
    });
    assert.deepEqual(await ask(protocol.queryAtRequest, { uri: textDocument.uri, position }), []);
  });

  it('answers positions far outside of a document, and a request without what it needs', async () => {
    await session.initialize();
    await session.open('logs\n| take 5');
    const position = { line: 5_000, character: 5_000 };
    const found = await session.connection.sendRequest<QueryAtResult>(protocol.queryAtRequest, {
      uri,
      position,
    });
    assert.equal(found[0]?.text, 'logs\n| take 5');
    await assert.rejects(session.connection.sendRequest('textDocument/hover', {}));
    await assert.rejects(session.connection.sendRequest('aplomb/unheardOf', {}));
    const name = await session.connection.sendRequest(protocol.quoteNameRequest, { name: 'a b' });
    assert.equal(name, "['a b']");
  });

  it('goes on with a client that refuses what the server asks of it', async () => {
    const refusing = new Session(false);
    refusing.fields = ['level'];
    await refusing.initialize();
    await refusing.open("['logs'] | where stats == 200");
    await refusing.published('unknown-column');
    assert.ok((await refusing.completion(0, 17)).includes('level'));
    refusing.child.disconnect();
    await refusing.exited;
  });

  it('follows the settings as they change, and takes unusable ones for the default', async () => {
    session.settings = { 'aplomb.codeLens.enabled': false };
    await session.initialize();
    await session.lensesRefreshed();
    await session.open("['logs'] | count");
    assert.deepEqual(await session.lenses(), []);
    session.settings = { 'aplomb.codeLens.enabled': 'yes, please' };
    await session.connection.sendNotification('workspace/didChangeConfiguration', { settings: {} });
    await session.lensesRefreshed();
    assert.deepEqual(await session.lenses(), ['Run']);
  });

  it('ends after shutdown and exit', async () => {
    await session.initialize();
    await session.open('logs');
    await session.connection.sendRequest('shutdown');
    await session.connection.sendNotification('exit');
    assert.equal(await session.exited, 0);
  });

  it('ends when the client is gone', async () => {
    await session.initialize();
    session.child.disconnect();
    await session.exited;
  });
});
