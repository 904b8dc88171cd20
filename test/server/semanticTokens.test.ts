/** Semantic tokens of changing documents: tokens cached per query, and the contents of deltas. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SemanticTokensEdit } from 'vscode-languageserver';
import { SemanticTokensBuilder } from 'vscode-languageserver';
import { SourceText } from '../../language/src/index.ts';
import { Documents, type Snapshot } from '../../server/src/documents.ts';
import {
  SentTokens,
  semanticTokens,
  semanticTokensLegend,
} from '../../server/src/features/semanticTokens.ts';
import { queries } from '../language/queries.data.ts';
import { mutate, seeded } from '../language/random.ts';
import { schema, snapshotOf } from './marked.ts';

/** Returns each token as its type and text. */
function shown({ text, lines }: Snapshot, data: readonly number[]): string[] {
  const found: string[] = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i < data.length; i += 5) {
    const [down, right, length, type] = data.slice(i, i + 4) as [number, number, number, number];
    line += down;
    character = down === 0 ? character + right : right;
    const at = lines.offsetAt({ line, character });
    found.push(`${semanticTokensLegend.tokenTypes[type]} ${text.slice(at, at + length)}`);
  }
  return found;
}

function tokens(text: string): string[] {
  const snapshot = snapshotOf(text);
  return shown(snapshot, semanticTokens(snapshot).data);
}

/** Applies the edits of a delta to token data, as an editor does. */
function applied(data: readonly number[], edits: readonly SemanticTokensEdit[]): number[] {
  const result = [...data];
  for (const { start, deleteCount, data: added = [] } of [...edits].reverse())
    result.splice(start, deleteCount, ...added);
  return result;
}

describe('semantic tokens', () => {
  it('mark names by their kind', () => {
    assert.deepEqual(
      tokens("let least = 5;\n['http-logs'] | where status >= least and strlen(method) > 1"),
      [
        'variable least',
        "class ['http-logs']",
        'keyword where',
        'property status',
        'variable least',
        'function strlen',
        'property method',
      ],
    );
  });

  it('have correct positions in later queries, including on the same line', () => {
    const text = "['traces'] | count;  ['http-logs'] | where status > 1\n\n  ['traces']\n| take 1";
    assert.deepEqual(tokens(text), [
      "class ['traces']",
      'keyword count',
      "class ['http-logs']",
      'keyword where',
      'property status',
      "class ['traces']",
      'keyword take',
    ]);
  });

  it('cover every query that overlaps the requested range', () => {
    const text = "['traces'] | count\n\n['http-logs'] | take 1\n\n['traces'] | take 2";
    const snapshot = snapshotOf(text);
    const start = text.indexOf('http');
    assert.deepEqual(shown(snapshot, semanticTokens(snapshot, { start, end: start + 3 }).data), [
      "class ['http-logs']",
      'keyword take',
    ]);
  });

  it('match the encoding of SemanticTokensBuilder', () => {
    const snapshot = snapshotOf(queries.join('\n\n'));
    const { data } = semanticTokens(snapshot);
    const builder = new SemanticTokensBuilder();
    let line = 0;
    let character = 0;
    for (let i = 0; i < data.length; i += 5) {
      const [down, right, length, type, modifiers] = data.slice(i, i + 5) as number[];
      line += down as number;
      character = down === 0 ? character + (right as number) : (right as number);
      builder.push(line, character, length as number, type as number, modifiers as number);
    }
    assert.deepEqual(builder.build().data, data);
  });
});

describe('semantic token deltas', () => {
  it('reproduce all tokens after random edits', () => {
    const random = seeded(11);
    const edits = process.env.APLOMB_LONG === undefined ? 300 : 3_000;
    const documents = new Documents();
    const sent = new SentTokens();
    const uri = 'file:///edits.apl';
    let text = queries.join('\n\n');
    const at = (version: number) => {
      const document = { uri, version, text: new SourceText(text) };
      return semanticTokens(documents.snapshot(document, schema)).data;
    };
    let { resultId: id = '', data: held } = sent.whole(uri, at(0));
    for (let version = 1; version <= edits; version++) {
      // Text that stays broken has few tokens left.
      text = version % 40 === 0 ? queries.join('\n\n') : mutate(random, text);
      const answer = sent.since(uri, id, at(version));
      assert.ok('edits' in answer && answer.resultId !== undefined);
      held = applied(held, answer.edits);
      id = answer.resultId;
      assert.deepEqual(held, semanticTokens(snapshotOf(text)).data, text);
    }
  });

  it('contain few edits after a small change and none without a change', () => {
    const sent = new SentTokens();
    const text = queries.join('\n\n');
    const whole = sent.whole('a', semanticTokens(snapshotOf(text)).data);
    const longer = text.replace(
      '| where status >= 500 |',
      '| where status >= 500 and status < 600 |',
    );
    const delta = sent.since('a', whole.resultId ?? '', semanticTokens(snapshotOf(longer)).data);
    assert.ok('edits' in delta);
    assert.ok(delta.edits.flatMap(({ data = [] }) => data).length <= 20, JSON.stringify(delta));
    const same = sent.since('a', delta.resultId ?? '', semanticTokens(snapshotOf(longer)).data);
    assert.ok('edits' in same && same.edits.length === 0);
  });

  it('become full responses if the previous result is unknown or the document was closed', () => {
    const sent = new SentTokens();
    const first = sent.whole('a', [0, 0, 1, 0, 0]);
    assert.ok('data' in sent.since('a', 'other', [0, 0, 1, 0, 0]));
    sent.forget('a');
    assert.ok('data' in sent.since('a', first.resultId ?? '', []));
  });

  it('reuse the analyses of unedited queries', () => {
    const documents = new Documents();
    const texts = ['print 1\n\nprint 2\n\nprint 3', 'print 1\n\nprint 22\n\nprint 3'];
    const [before, after] = texts.map((text, version) =>
      documents.snapshot({ uri: 'a', version, text: new SourceText(text) }, schema),
    );
    assert.equal(before?.queries[0]?.analysis, after?.queries[0]?.analysis);
    assert.equal(before?.queries[2]?.analysis, after?.queries[2]?.analysis);
    assert.notEqual(before?.queries[1]?.analysis, after?.queries[1]?.analysis);
  });
});
