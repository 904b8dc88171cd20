/** Diagnostics: pulled by clients, pushed to other clients, and suppressed. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type ClientCapabilities, DiagnosticTag } from 'vscode-languageserver';
import { SourceText } from '../../language/src/index.ts';
import { Documents } from '../../server/src/documents.ts';
import {
  DiagnosticReports,
  diagnostics,
  pullsDiagnostics,
} from '../../server/src/features/diagnostics.ts';
import * as protocol from '../../server/src/protocol.ts';
import { schema, shownDiagnostic, snapshotOf } from './marked.ts';
import { Session, uri } from './session.ts';

function shown(text: string, disabled: readonly string[] = []): string[] {
  const document = { uri, version: 1, text: new SourceText(text) };
  const snapshot = new Documents().snapshot(document, schema, disabled);
  return diagnostics(snapshot).map((one) => shownDiagnostic(text, one));
}

describe('diagnostics', () => {
  const text = "['http-logs'] | where statsu == coutn()";

  it('exclude codes disabled in the settings', () => {
    assert.deepEqual(shown(text, ['unknown-column']), ['unknown-function "coutn"']);
  });

  it('disappear when a disable-file comment is added and reappear when it is removed', () => {
    const documents = new Documents();
    const at = (version: number, source: string) => {
      const document = { uri, version, text: new SourceText(source) };
      return diagnostics(documents.snapshot(document, schema)).map(({ code }) => code);
    };
    const below = `['http-logs'] | count\n\n${text}`;
    assert.deepEqual(at(1, below), ['unknown-column', 'unknown-function']);
    assert.deepEqual(at(2, `// aplomb-disable-file unknown-column\n\n${below}`), [
      'unknown-function',
    ]);
    assert.deepEqual(at(3, below), ['unknown-column', 'unknown-function']);
  });

  it("are recomputed if the disabled codes change but the document doesn't", () => {
    const documents = new Documents();
    const document = { uri, version: 1, text: new SourceText(text) };
    assert.equal(diagnostics(documents.snapshot(document, schema, [])).length, 2);
    assert.equal(diagnostics(documents.snapshot(document, schema, ['unknown-column'])).length, 1);
    assert.equal(diagnostics(documents.snapshot(document, schema, [])).length, 2);
  });

  it('mark an unused directive as unnecessary', () => {
    const source = "['http-logs']\n// aplomb-disable-next-line unknown-column\n| count";
    const [found] = diagnostics(snapshotOf(source));
    assert.equal(found?.code, 'unused-directive');
    assert.deepEqual(found?.tags, [DiagnosticTag.Unnecessary]);
  });

  it('report an unused directive that is between queries', () => {
    const source = "['http-logs'] | count\n\n// aplomb-disable-next-line\n\n['http-logs'] | count";
    assert.deepEqual(shown(source), ['unused-directive "// aplomb-disable-next-line"']);
  });
});

describe('diagnostic reports', () => {
  it('have the kind `unchanged` until a diagnostic changes', () => {
    const reports = new DiagnosticReports();
    const first = reports.report(snapshotOf("['http-logs'] | where a"), undefined);
    assert.equal(first.kind, 'full');
    const same = reports.report(snapshotOf("['http-logs'] | where a "), first.resultId);
    assert.deepEqual(same, { kind: 'unchanged', resultId: first.resultId });
    const moved = reports.report(snapshotOf("['http-logs']  | where a"), first.resultId);
    assert.equal(moved.kind, 'full');
    assert.notEqual(moved.resultId, first.resultId);
  });

  it("have the kind `full` if the client's previous result is unknown", () => {
    const reports = new DiagnosticReports();
    const snapshot = snapshotOf("['http-logs'] | where a");
    const { resultId } = reports.report(snapshot, undefined);
    assert.equal(reports.report(snapshot, undefined).kind, 'full');
    assert.equal(reports.report(snapshot, resultId).kind, 'full');
    assert.equal(reports.report(snapshot, 'of another server').kind, 'full');
  });
});

describe('pull diagnostics', () => {
  const client = (textDocument: object, workspace: object): ClientCapabilities => ({
    textDocument,
    workspace,
  });

  it('are enabled only if the client supports both pulling and refreshing', () => {
    const refreshing = { diagnostics: { refreshSupport: true } };
    assert.equal(pullsDiagnostics(client({ diagnostic: {} }, refreshing)), true);
    assert.equal(pullsDiagnostics(client({ diagnostic: {} }, {})), false);
    assert.equal(pullsDiagnostics(client({}, refreshing)), false);
    assert.equal(pullsDiagnostics({}), false);
  });
});

describe('a client that pulls diagnostics', { timeout: 60_000 }, () => {
  let session: Session;

  afterEach(async () => {
    session.connection.dispose();
    session.child.kill();
    await session.exited;
  });

  it('requests a refresh after fields arrive and receives no pushed diagnostics', async () => {
    session = new Session(true, true);
    const { capabilities } = await session.initialize();
    assert.ok(capabilities.diagnosticProvider);
    await session.open("['logs'] | where stats == 200 | whree status > 0");
    await session.diagnosticsRefreshed();
    const codes = async () => {
      const report = await session.pull();
      return report.kind === 'full' ? report.items.map(({ code }) => code) : report.kind;
    };
    assert.deepEqual(await codes(), ['unknown-column', 'unknown-operator']);
    await session.change("['logs'] | where status == 200");
    assert.deepEqual(await codes(), []);
    assert.equal(session.unasked, 0);
  });

  it('receives an unchanged report if nothing has changed', async () => {
    session = new Session(true, true);
    await session.initialize();
    await session.open("['logs'] | whree status > 0");
    const { resultId } = await session.pull();
    await session.change("['logs'] | whree status > 0 ");
    assert.deepEqual(await session.pull(resultId), { kind: 'unchanged', resultId });
  });

  it('is refreshed after the fields or the settings change', async () => {
    session = new Session(true, true);
    session.settings = { 'aplomb.diagnostics.disabled': [] };
    await session.initialize();
    await session.open("['logs'] | where level == 1 | where other");
    const codes = async () => {
      await session.diagnosticsRefreshed();
      const report = await session.pull();
      return report.kind === 'full' ? report.items.map(({ code }) => code) : [];
    };
    while ((await codes()).join() !== 'unknown-column,unknown-column');
    session.fields = ['level'];
    await session.connection.sendNotification(protocol.schemaChangedNotification, {});
    while ((await codes()).join() !== 'unknown-column');
    session.settings = { 'aplomb.diagnostics.disabled': ['unknown-column'] };
    await session.connection.sendNotification('workspace/didChangeConfiguration', { settings: {} });
    while ((await codes()).join() !== '');
    assert.equal(session.unasked, 0);
  });

  it("receives no diagnostics for a document that isn't open", async () => {
    session = new Session(true, true);
    await session.initialize();
    assert.deepEqual(await session.pull(), { kind: 'full', items: [] });
  });

  it("isn't offered a provider if it doesn't support refresh", async () => {
    session = new Session();
    const { capabilities } = await session.initialize();
    assert.equal(capabilities.diagnosticProvider, undefined);
  });
});
