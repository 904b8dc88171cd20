/** Queries in the fenced code blocks of Markdown, and nothing outside them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SourceText } from '../../language/src/index.ts';
import { Documents, type Snapshot } from '../../server/src/documents.ts';
import { codeLenses } from '../../server/src/features/codeLens.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { hover } from '../../server/src/features/hover.ts';
import { queryAt } from '../../server/src/features/queryAt.ts';
import { fencesOf } from '../../server/src/fences.ts';
import { markdownId } from '../../server/src/sourceDocument.ts';
import { schema } from './marked.ts';

const uri = 'file:///notes.md';

function markdown(text: string, version = 1, documents = new Documents()): Snapshot {
  const document = { uri, version, languageId: markdownId, text: new SourceText(text) };
  return documents.snapshot(document, schema);
}

/** Returns the contents of the code blocks. */
function blocks(text: string): string[] {
  return fencesOf(text).map(({ start, end }) => JSON.stringify(text.slice(start, end)));
}

const notes = [
  '# Notes',
  '',
  '| a | b |',
  '',
  '```apl',
  "['http-logs']",
  '| where statu > 1',
  '```',
  'print 1',
  '~~~kusto title="x"',
  'T | mv-apply x on (take 1) | whree',
  '~~~',
  '',
  '```apl',
  '| count',
  '```',
].join('\n');

describe('fenced blocks', () => {
  it('are recognized for APL and Kusto by the first word of the info string', () => {
    assert.deepEqual(blocks('```apl\nprint 1\n```\n'), ['"print 1"']);
    assert.deepEqual(blocks('~~~ Kusto\r\nT\r\n~~~'), ['"T\\r"']);
    assert.deepEqual(blocks('```{.apl .numbers}\nx\n```'), ['"x"']);
    assert.deepEqual(blocks('```axiom-apl\nx\n```'), ['"x"']);
    assert.deepEqual(blocks('```aplomb\nx\n```\n```js\napl\n```\n``` apl`\n'), []);
  });

  it('end at a fence at least as long as the opening fence, or at the end of the document', () => {
    assert.deepEqual(blocks('````apl\na\n```\nb\n`````\nc'), ['"a\\n```\\nb"']);
    assert.deepEqual(blocks('```apl\na\n~~~\nb'), ['"a\\n~~~\\nb"']);
    assert.deepEqual(blocks('```apl\n```\n'), ['""']);
    assert.deepEqual(blocks('````md\n```apl\na\n```\n````\n'), []);
  });
});

describe('a Markdown document', () => {
  it('has a Run lens above each query in its blocks', () => {
    const lenses = codeLenses(markdown(notes), { runLens: true, stageLens: false });
    assert.deepEqual(
      lenses.map(({ range }) => range.start.line),
      [5, 10, 14],
    );
  });

  it('reports problems in APL and Kusto blocks, except in blocks with a partial query', () => {
    const found = diagnostics(markdown(notes));
    assert.deepEqual(
      found.map(({ code, range }) => `${code} ${range.start.line}:${range.start.character}`),
      [
        'unknown-column 6:8',
        'unknown-dataset 10:0',
        'kusto-operator 10:4',
        'unknown-operator 10:29',
        'expected-expression 10:34',
      ],
    );
  });

  it('supports hover and running queries only inside blocks', () => {
    const snapshot = markdown(notes);
    assert.ok(hover(snapshot, notes.indexOf('where')));
    assert.equal(hover(snapshot, notes.indexOf('print 1') + 2), undefined);
    const at = (part: string) => {
      const position = snapshot.lines.positionAt(notes.indexOf(part));
      return queryAt(snapshot, { uri, position }).map(({ text }) => text);
    };
    assert.deepEqual(at('statu'), ["['http-logs']\n| where statu > 1"]);
    assert.deepEqual(at('print 1'), []);
    assert.ok(snapshot.isCode(notes.indexOf('statu')));
    assert.ok(!snapshot.isCode(notes.indexOf('| a')));
  });

  it('treats blocks as separate queries, even after an unclosed parenthesis', () => {
    const text = '```apl\nprint (1\n```\n```apl\n| take 1\n```\n';
    assert.equal(markdown(text).queries.length, 2);
  });

  it('keeps the analysis of a block when another block is edited', () => {
    const documents = new Documents();
    const before = markdown(notes, 1, documents);
    diagnostics(before);
    const after = markdown(`Above\n${notes.replace('take 1', 'take 2')}`, 2, documents);
    assert.equal(after.queries[0]?.analysis, before.queries[0]?.analysis);
    assert.notEqual(after.queries[1]?.analysis, before.queries[1]?.analysis);
    assert.equal(diagnostics(after)[0]?.range.start.line, 7);
  });
});
