/**
 * The language server as its own process: real messages, and a client that answers what the server
 * asks for.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { QueryAtResult } from '../../server/src/protocol.ts';
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

  it('says what it can do', async () => {
    const { capabilities } = await session.initialize();
    assert.equal(capabilities.hoverProvider, true);
    assert.equal(capabilities.completionProvider?.resolveProvider, true);
  });

  it('publishes problems of the syntax, then those of the fields that it asked for', async () => {
    await session.initialize();
    await session.open("['logs'] | where stats == 200 | whree status > 0");
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

  it('offers values of a result, and forgets them with the deployment they came from', async () => {
    await session.initialize();
    await session.open("['logs'] | where status == ");
    const params: protocol.ValuesSeenParams = {
      query: "['logs'] | take 5",
      columns: [{ name: 'status', values: [200, 404] }],
    };
    await session.connection.sendNotification(protocol.valuesSeenNotification, params);
    // The notification asks for the fields first, and requests do not wait for it.
    let labels: string[] = [];
    for (let tries = 0; tries < 100 && !labels.includes('404'); tries++) {
      labels = await session.completion(0, 27);
    }
    assert.ok(labels.includes('200') && labels.includes('404'));
    await session.connection.sendNotification(protocol.schemaChangedNotification, {});
    assert.ok(!(await session.completion(0, 27)).includes('404'));
  });

  it('clears the problems of a document that is closed', async () => {
    await session.initialize();
    await session.open('logs | whree status > 0');
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

  it('answers a request that makes a feature fail with nothing, and logs the error once', async () => {
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
    assert.deepEqual(
      logged.map((message) => message.replace(/:.*/s, '')),
      ['onHover', 'languages.semanticTokens.on', 'languages.diagnostics.on'],
    );
  });

  it('answers positions far outside of a document, and not a request that it does not know', async () => {
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
