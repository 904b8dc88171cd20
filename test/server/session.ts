/**
 * The language server in a separate process, used over IPC as a client does. It runs the bundle of `npm run build`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CodeLens,
  type CompletionList,
  type ConfigurationParams,
  createProtocolConnection,
  type DocumentDiagnosticReport,
  type InitializeResult,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import type { DatasetsResult, FieldsResult } from '../../server/src/protocol.ts';
import * as protocol from '../../server/src/protocol.ts';

const bundle = join(import.meta.dirname, '../../dist/server.cjs');
export const uri = 'file:///query.apl';

/** The server process and the client connected to it. */
export class Session {
  readonly child: ChildProcess;
  readonly connection: ProtocolConnection;
  readonly exited: Promise<number | null>;
  /** The fields that the client returns. Tests change them as a deployment would. */
  fields: readonly string[] = ['status'];
  /**
   * The fields of each dataset by deployment. If undefined, the only dataset is `logs` with `fields`.
   */
  deployments: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> | undefined;
  /** Delays the client's responses until a test resolves it. */
  gate: Promise<void> = Promise.resolve();
  readonly asked: string[] = [];
  #published: PublishDiagnosticsParams[] = [];
  #waiting: (() => void)[] = [];
  #version = 0;
  readonly #refreshes: boolean;
  /** The client's settings; undefined if the client doesn't support configuration requests. */
  settings: Readonly<Record<string, unknown>> | undefined;
  /** The number of code lens refresh requests from the server. */
  lensRefreshes = 0;

  readonly #pulls: boolean;
  /** The number of diagnostic refresh requests from the server. */
  diagnosticRefreshes = 0;

  /**
   * `refreshes`: whether the client accepts semantic token refresh requests. `pulls`: whether the client pulls
   * diagnostics.
   */
  constructor(refreshes = true, pulls = false) {
    this.#refreshes = refreshes;
    this.#pulls = pulls;
    assert.ok(existsSync(bundle), `${bundle} is not there; run npm run build`);
    this.child = fork(bundle, ['--node-ipc'], { execArgv: [], stdio: 'inherit' });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.connection = createProtocolConnection(
      new IPCMessageReader(this.child),
      new IPCMessageWriter(this.child),
    );
    const known = (deployment = '') =>
      this.deployments === undefined ? { logs: this.fields } : this.deployments[deployment];
    const asked = (what: string, deployment: string | undefined) =>
      this.asked.push(deployment === undefined ? what : `${deployment}: ${what}`);
    this.connection.onRequest(
      protocol.datasetsRequest,
      async ({ deployment }: protocol.DatasetsParams): Promise<DatasetsResult | null> => {
        asked('datasets', deployment);
        const found = known(deployment);
        const datasets = Object.keys(found ?? {}).map(
          (name) => ({ name, kind: 'dataset' }) as const,
        );
        return found === undefined ? null : { datasets, complete: true };
      },
    );
    this.connection.onRequest(
      protocol.fieldsRequest,
      async ({ dataset, deployment }: protocol.FieldsParams): Promise<FieldsResult | null> => {
        asked(dataset, deployment);
        await this.gate;
        const found = known(deployment)?.[dataset];
        return found === undefined
          ? null
          : { fields: found.map((name) => ({ name, type: 'integer' })), complete: true };
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
    this.connection.onRequest('workspace/diagnostic/refresh', () => {
      this.diagnosticRefreshes++;
      for (const wake of this.#waiting.splice(0)) wake();
      return null;
    });
    this.connection.onNotification('textDocument/publishDiagnostics', (params) => {
      this.#published.push(params as PublishDiagnosticsParams);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.connection.listen();
  }

  /**
   * Initializes the server. `deployment` is the name of the active deployment, which a client may omit.
   */
  async initialize(deployment?: string): Promise<InitializeResult> {
    const result = await this.connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: null,
      ...(deployment !== undefined && { initializationOptions: { deployment } }),
      capabilities: {
        ...(this.#pulls ? { textDocument: { diagnostic: {} } } : {}),
        workspace: {
          diagnostics: { refreshSupport: this.#pulls },
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

  /** Waits until diagnostics with exactly these codes are published, and discards earlier ones. */
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

  /** Waits until the server requests a code lens refresh. */
  async lensesRefreshed(): Promise<void> {
    while (this.lensRefreshes === 0) {
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await Promise.race([more, this.exited.then(() => assert.fail('the server has ended'))]);
    }
    this.lensRefreshes = 0;
  }

  /** Waits until the server requests a diagnostic refresh. */
  async diagnosticsRefreshed(): Promise<void> {
    while (this.diagnosticRefreshes === 0) {
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await Promise.race([more, this.exited.then(() => assert.fail('the server has ended'))]);
    }
    this.diagnosticRefreshes = 0;
  }

  /** The number of published diagnostics since the last ones that a test waited for. */
  get unasked(): number {
    return this.#published.length;
  }

  pull(previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.connection.sendRequest('textDocument/diagnostic', {
      textDocument: { uri },
      ...(previousResultId === undefined ? {} : { previousResultId }),
    });
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
