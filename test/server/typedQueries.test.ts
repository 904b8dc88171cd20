/**
 * Requests every feature at every keystroke of queries typed as in VS Code: one change per key, with closing
 * brackets and quotes inserted by the editor. No request fails, no error is logged, and the editor can show every
 * result, so for example no outline item has an empty name.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DocumentSymbol, Position, Range, SelectionRange } from 'vscode-languageserver';
import { LineTable } from '../../language/src/index.ts';
import * as protocol from '../../server/src/protocol.ts';
import { queries as usual } from '../language/queries.data.ts';
import { readGoldens } from '../local/planner/goldens.ts';
import { Session } from './session.ts';

const count = 300;
const share = process.env['APLOMB_LONG'] === '1' ? 1 : 20;
const longest = 200;

/** Beginnings of queries that are often left incomplete. */
const fragments = ["['']", '[""]', "['", 'let [""] = 1;', "let x = ['']", "// \n['a", "\n['"];

/** Returns queries of every area of the language. */
function corpus(): readonly string[] {
  const goldens = readGoldens().flatMap((file) => file.goldens.map(({ query }) => query));
  const known = goldens.filter(({ length }) => length <= longest);
  const step = Math.max(1, Math.floor(known.length / (count - usual.length)));
  const all = [...usual, ...known.filter((_, i) => i % step === 0)].slice(0, count);
  return [...fragments, ...all.filter((_, i) => i % share === 0)];
}

const closing: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  "'": "'",
  '"': '"',
};

interface Key {
  readonly text: string;
  readonly at: number;
  /**
   * The text that the key inserts; empty if the key only moves the cursor over a closing character.
   */
  readonly inserted: string;
}

/**
 * Yields the text before each key and the key's change, with closing characters inserted as in the editor.
 */
function* keysOf(query: string): Generator<Key> {
  let text = '';
  let at = 0;
  const open: string[] = [];
  for (const key of query) {
    const inString = open.at(-1) === "'" || open.at(-1) === '"';
    if (open.at(-1) === key && text[at] === key) {
      open.pop();
      yield { text, at, inserted: '' };
      at++;
      continue;
    }
    const close = inString ? undefined : closing[key];
    const inserted = key + (close ?? '');
    if (close !== undefined) open.push(close);
    yield { text, at, inserted };
    text = text.slice(0, at) + inserted + text.slice(at);
    at += key.length;
  }
}

describe('typing a query key by key', { timeout: 20 * 60_000 }, () => {
  const session = new Session();
  const errors: string[] = [];

  before(async () => {
    session.connection.onNotification('window/logMessage', ({ message }: { message: string }) => {
      errors.push(message);
    });
    session.connection.onRequest(protocol.workspaceFilesRequest, () => ({ files: [] }));
    session.settings = {
      'aplomb.codeLens.runToHere': true,
      'aplomb.inlayHints.columnTypes': true,
      'aplomb.inlayHints.resultColumns': true,
    };
    await session.initialize();
  });
  after(async () => {
    session.connection.dispose();
    session.child.kill();
    await session.exited;
  });

  it('produces valid responses from every language feature', async () => {
    let document = 0;
    for (const query of corpus()) {
      const uri = `file:///typed-${document++}.apl`;
      const textDocument = { uri };
      let version = 1;
      const { connection } = session;
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'axiom-apl', version, text: '' },
      });
      for (const { text, at, inserted } of keysOf(query)) {
        const key = inserted.slice(0, 1);
        const place = new LineTable(text).positionAt(at);
        const now = text.slice(0, at) + inserted + text.slice(at);
        if (inserted !== '') {
          await connection.sendNotification('textDocument/didChange', {
            textDocument: { uri, version: ++version },
            contentChanges: [
              { range: { start: place, end: place }, rangeLength: 0, text: inserted },
            ],
          });
        }
        const lines = new LineTable(now);
        const cursor = lines.positionAt(at + (inserted === '' ? 1 : key.length));
        await answersAll(textDocument, lines, now, cursor).catch((error: unknown) => {
          throw new Error(`in ${JSON.stringify(now)} at ${JSON.stringify(cursor)}`, {
            cause: error,
          });
        });
        assert.deepEqual(errors, [], JSON.stringify(now));
      }
      await connection.sendNotification('textDocument/didClose', { textDocument });
    }
  });

  /** Sends the requests of VS Code concurrently, as VS Code does, and checks the results. */
  async function answersAll(
    textDocument: { uri: string },
    lines: LineTable,
    text: string,
    position: Position,
  ): Promise<void> {
    const ask = <Answer = unknown>(method: string, params: object = {}): Promise<Answer> =>
      session.connection.sendRequest(method, { textDocument, ...params });
    const range = { start: { line: 0, character: 0 }, end: lines.positionAt(text.length) };
    const here = { start: position, end: position };
    const options = { tabSize: 2, insertSpaces: true };
    const [symbols, selections, workspaceSymbols, lenses] = await Promise.all([
      ask<DocumentSymbol[]>('textDocument/documentSymbol'),
      ask<SelectionRange[]>('textDocument/selectionRange', { positions: [position] }),
      ask<{ name: string }[]>('workspace/symbol', { query: '' }),
      ask<unknown[]>('textDocument/codeLens'),
      ask('textDocument/completion', { position, context: { triggerKind: 1 } }),
      ask('textDocument/hover', { position }),
      ask('textDocument/signatureHelp', { position }),
      ask('textDocument/documentHighlight', { position }),
      ask('textDocument/definition', { position }),
      ask('textDocument/references', { position, context: { includeDeclaration: true } }),
      ask('textDocument/prepareRename', { position }).catch(refusal),
      ask('textDocument/rename', { position, newName: 'renamed' }).catch(refusal),
      ask('textDocument/codeAction', { range: here, context: { diagnostics: [] } }),
      ask('textDocument/documentLink'),
      ask('textDocument/foldingRange'),
      ask('textDocument/formatting', { options }),
      ask('textDocument/rangeFormatting', { range, options }),
      ask('textDocument/onTypeFormatting', { position, ch: '|', options }),
      ask('textDocument/inlayHint', { range }),
      ask('textDocument/semanticTokens/full'),
      ask('textDocument/semanticTokens/range', { range }),
      ask('textDocument/diagnostic'),
      ask(protocol.queryAtRequest, { uri: textDocument.uri, position }),
      ask(protocol.queryUpToRequest, { uri: textDocument.uri, position }),
    ]);
    assert.ok(Array.isArray(lenses));
    for (const symbol of symbols) shows(symbol, lines);
    for (const { name } of workspaceSymbols) assert.notEqual(name.trim(), '');
    for (let one = selections[0]; one?.parent; one = one.parent)
      assert.ok(contains(one.parent.range, one.range, lines));
  }

  /**
   * Asserts the editor's requirements for an outline item; otherwise the editor rejects the entire outline.
   */
  function shows(
    { name, range, selectionRange, children }: DocumentSymbol,
    lines: LineTable,
  ): void {
    assert.notEqual(name.trim(), '');
    assert.ok(contains(range, selectionRange, lines), name);
    for (const child of children ?? []) shows(child, lines);
  }
});

/** Asserts that a refused rename has a reason as its message. */
function refusal(error: Error): void {
  assert.match(error.message, /^\S.*\.$/s);
}

function contains(outer: Range, inner: Range, lines: LineTable): boolean {
  return (
    lines.offsetAt(outer.start) <= lines.offsetAt(inner.start) &&
    lines.offsetAt(inner.end) <= lines.offsetAt(outer.end)
  );
}
