/** Diagnostics as they are answered to clients that ask, sent to those that do not, and silenced. */
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

describe('silenced diagnostics', () => {
  const text = "['http-logs'] | where statsu == coutn()";

  it('are left out by a setting', () => {
    assert.deepEqual(shown(text, ['unknown-column']), ['unknown-function "coutn"']);
  });

  it('are left out by a comment above the first query, and come back with it gone', () => {
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

  it('are judged anew when the setting changes and the text does not', () => {
    const documents = new Documents();
    const document = { uri, version: 1, text: new SourceText(text) };
    assert.equal(diagnostics(documents.snapshot(document, schema, [])).length, 2);
    assert.equal(diagnostics(documents.snapshot(document, schema, ['unknown-column'])).length, 1);
    assert.equal(diagnostics(documents.snapshot(document, schema, [])).length, 2);
  });

  it('leave a faded comment that nobody needs', () => {
    const source = "['http-logs']\n// aplomb-disable-next-line unknown-column\n| count";
    const [found] = diagnostics(snapshotOf(source));
    assert.equal(found?.code, 'unused-directive');
    assert.deepEqual(found?.tags, [DiagnosticTag.Unnecessary]);
  });

  it('leave a comment between queries that does not count, at its place in the document', () => {
    const source = "['http-logs'] | count\n\n// aplomb-disable-next-line\n\n['http-logs'] | count";
    assert.deepEqual(shown(source), ['unused-directive "// aplomb-disable-next-line"']);
  });
});

describe('reports of diagnostics', () => {
  it('are the same until something else is to be said', () => {
    const reports = new DiagnosticReports();
    const first = reports.report(snapshotOf("['http-logs'] | where a"), undefined);
    assert.equal(first.kind, 'full');
    const same = reports.report(snapshotOf("['http-logs'] | where a "), first.resultId);
    assert.deepEqual(same, { kind: 'unchanged', resultId: first.resultId });
    const moved = reports.report(snapshotOf("['http-logs']  | where a"), first.resultId);
    assert.equal(moved.kind, 'full');
    assert.notEqual(moved.resultId, first.resultId);
  });

  it('are full for a client that knows none, or another than the last', () => {
    const reports = new DiagnosticReports();
    const snapshot = snapshotOf("['http-logs'] | where a");
    const { resultId } = reports.report(snapshot, undefined);
    assert.equal(reports.report(snapshot, undefined).kind, 'full');
    assert.equal(reports.report(snapshot, resultId).kind, 'full');
    assert.equal(reports.report(snapshot, 'of another server').kind, 'full');
  });
});

describe('who asks for diagnostics', () => {
  const client = (textDocument: object, workspace: object): ClientCapabilities => ({
    textDocument,
    workspace,
  });

  it('are clients that also ask again when the schema has changed', () => {
    const refreshing = { diagnostics: { refreshSupport: true } };
    assert.equal(pullsDiagnostics(client({ diagnostic: {} }, refreshing)), true);
    assert.equal(pullsDiagnostics(client({ diagnostic: {} }, {})), false);
    assert.equal(pullsDiagnostics(client({}, refreshing)), false);
    assert.equal(pullsDiagnostics({}), false);
  });
});

describe('a client that asks for diagnostics', { timeout: 60_000 }, () => {
  let session: Session;

  afterEach(async () => {
    session.connection.dispose();
    session.child.kill();
    await session.exited;
  });

  it('is told that it may, asks again when fields have come, and is sent nothing', async () => {
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

  it('hears that nothing has changed', async () => {
    session = new Session(true, true);
    await session.initialize();
    await session.open("['logs'] | whree status > 0");
    const { resultId } = await session.pull();
    await session.change("['logs'] | whree status > 0 ");
    assert.deepEqual(await session.pull(resultId), { kind: 'unchanged', resultId });
  });

  it('hears of other fields, and of other settings', async () => {
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

  it('gets nothing for a document that is not open', async () => {
    session = new Session(true, true);
    await session.initialize();
    assert.deepEqual(await session.pull(), { kind: 'full', items: [] });
  });

  it('is not told that it may when it cannot ask again', async () => {
    session = new Session();
    const { capabilities } = await session.initialize();
    assert.equal(capabilities.diagnosticProvider, undefined);
  });
});
