/**
 * The language server in a separate process: real messages, and a client that responds to the server's requests.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FollowPlan, QueryAtResult } from '../../server/src/protocol.ts';
import * as protocol from '../../server/src/protocol.ts';
import { Session, uri } from './session.ts';

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

  it('reports its capabilities', async () => {
    const { capabilities } = await session.initialize();
    assert.equal(capabilities.hoverProvider, true);
    assert.equal(capabilities.completionProvider?.resolveProvider, true);
  });

  it('requests the schema and publishes unknown columns and syntax problems', async () => {
    await session.initialize();
    await session.open("['logs'] | where stats == 200 | whree status > 0");
    await session.published('unknown-column', 'unknown-operator');
    assert.deepEqual([...session.asked].sort(), ['datasets', 'logs']);
    await session.change("['logs'] | where status == 200");
    await session.published();
    await session.change("['lgos'] | count");
    await session.published('unknown-dataset');
  });

  it('delays a completion until requested fields arrive', async () => {
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

  it('offers completion items without fields if the client never sends the fields', async () => {
    await session.initialize();
    session.gate = new Promise(() => undefined);
    await session.open("['logs'] | where ");
    const labels = await session.completion(0, 17);
    assert.ok(labels.includes('strlen') && !labels.includes('status'));
  });

  it('discards cached fields after a schema change and publishes the new problems', async () => {
    await session.initialize();
    await session.open("['logs'] | where level == 1");
    await session.published('unknown-column');
    session.fields = ['level'];
    await session.connection.sendNotification(protocol.schemaChangedNotification, {});
    await session.published();
    assert.ok((await session.completion(0, 17)).includes('level'));
  });

  it('offers values seen in a result until the schema changes', async () => {
    await session.initialize();
    await session.open("['logs'] | where status == ");
    const params: protocol.ValuesSeenParams = {
      query: "['logs'] | take 5",
      columns: [{ name: 'status', values: [200, 404] }],
    };
    await session.connection.sendNotification(protocol.valuesSeenNotification, params);
    // The server first requests the fields for the notification, and completion requests don't wait for that.
    let labels: string[] = [];
    for (let tries = 0; tries < 100 && !labels.includes('404'); tries++) {
      labels = await session.completion(0, 27);
    }
    assert.ok(labels.includes('200') && labels.includes('404'));
    await session.connection.sendNotification(protocol.schemaChangedNotification, {});
    assert.ok(!(await session.completion(0, 27)).includes('404'));
  });

  it('clears the problems of a closed document', async () => {
    await session.initialize();
    await session.open('logs | whree status > 0');
    await session.published('unknown-operator');
    await session.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await session.published();
    assert.deepEqual(await session.completion(0, 7), []);
  });

  it('returns empty results for unknown documents', async () => {
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

  it('returns an empty result if a feature throws, and logs each error once', async () => {
    await session.initialize();
    await session.open('logs');
    const logged: string[] = [];
    session.connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      logged.push(message);
    });
    const broken = (method: string) => session.connection.sendRequest(method, {});
    assert.equal(await broken('textDocument/hover'), null);
    assert.equal(await broken('textDocument/hover'), null);
    assert.deepEqual(await broken('textDocument/semanticTokens/full'), { data: [] });
    assert.deepEqual(await broken('textDocument/diagnostic'), { kind: 'full', items: [] });
    assert.equal(
      (await session.connection.sendRequest<FollowPlan>(protocol.followPlanRequest, {})).kind,
      'rows',
    );
    assert.deepEqual(
      logged.map((message) => message.replace(/:.*/s, '')),
      [
        'onHover',
        'languages.semanticTokens.on',
        'languages.diagnostics.on',
        protocol.followPlanRequest,
      ],
    );
  });

  it('clamps positions beyond the end of the document and rejects unknown requests', async () => {
    await session.initialize();
    await session.open('logs\n| take 5');
    const position = { line: 5_000, character: 5_000 };
    const found = await session.connection.sendRequest<QueryAtResult>(protocol.queryAtRequest, {
      uri,
      position,
    });
    assert.equal(found[0]?.text, 'logs\n| take 5');
    await assert.rejects(session.connection.sendRequest('aplomb/unheardOf', {}));
    const name = await session.connection.sendRequest(protocol.quoteNameRequest, { name: 'a b' });
    assert.equal(name, "['a b']");
  });

  it("continues if the client rejects the server's requests", async () => {
    const refusing = new Session(false);
    refusing.fields = ['level'];
    await refusing.initialize();
    await refusing.open("['logs'] | where stats == 200");
    await refusing.published('unknown-column');
    assert.ok((await refusing.completion(0, 17)).includes('level'));
    refusing.child.disconnect();
    await refusing.exited;
  });

  it('applies changed settings and replaces invalid values with defaults', async () => {
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

  it('exits with code 0 after shutdown and exit', async () => {
    await session.initialize();
    await session.open('logs');
    await session.connection.sendRequest('shutdown');
    await session.connection.sendNotification('exit');
    assert.equal(await session.exited, 0);
  });

  it('exits if the client disconnects', async () => {
    await session.initialize();
    session.child.disconnect();
    await session.exited;
  });
});
