/**
 * Outline, folding, selection, highlights, definition, references, rename and links as sent to the editor.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DocumentSymbol, type Range, ResponseError, SymbolKind } from 'vscode-languageserver';
import { definition } from '../../server/src/features/definition.ts';
import { documentLinks } from '../../server/src/features/documentLinks.ts';
import { documentSymbols } from '../../server/src/features/documentSymbols.ts';
import { foldingRanges } from '../../server/src/features/folding.ts';
import { highlights } from '../../server/src/features/highlights.ts';
import {
  datasetReferences,
  datasetUnder,
  references,
} from '../../server/src/features/references.ts';
import { preparedRename, rename } from '../../server/src/features/rename.ts';
import { selectionRange } from '../../server/src/features/selectionRanges.ts';
import { workspaceSymbols } from '../../server/src/features/workspaceSymbols.ts';
import { WorkspaceFile, WorkspaceFiles } from '../../server/src/workspaceFiles.ts';
import { cursor, snapshotOf, textAt } from './marked.ts';

const two = `// Slow requests
['http-logs']
| where duration > 100
| summarize count() by method

// see https://example.com/runbook
let n = 5;
traces
| take n
`;

describe('document symbols', () => {
  it('name each query by the comment above it and contain its stages', () => {
    const symbols = documentSymbols(snapshotOf(two));
    const shown = (symbol: DocumentSymbol): unknown[] => [
      `${symbol.name} (${symbol.detail})`,
      ...(symbol.children ?? []).map(({ name, detail }) => `${name} (${detail})`),
    ];
    assert.deepEqual(symbols.map(shown), [
      [
        "Slow requests (['http-logs'])",
        "['http-logs'] ()",
        'where (duration > 100)',
        'summarize (count() by method)',
      ],
      ['see https://example.com/runbook (traces)', 'n (5)', 'traces ()', 'take (n)'],
    ]);
    assert.deepEqual(
      symbols.map(({ kind }) => kind),
      [SymbolKind.Function, SymbolKind.Function],
    );
  });

  it('have ranges that contain their names and children', () => {
    const snapshot = snapshotOf(two);
    const check = (symbols: readonly DocumentSymbol[], outer: Range): void => {
      for (const symbol of symbols) {
        const [from, to] = offsets(snapshot, outer);
        const [start, end] = offsets(snapshot, symbol.range);
        const [name, nameEnd] = offsets(snapshot, symbol.selectionRange);
        assert.ok(from <= start && start <= name && nameEnd <= end && end <= to, symbol.name);
        check(symbol.children ?? [], symbol.range);
      }
    };
    const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    check(documentSymbols(snapshot), all);
    const [, second] = documentSymbols(snapshot);
    assert.equal(second?.range.start.line, 5);
    assert.equal(second?.selectionRange.start.line, 6);
  });

  it("don't repeat the source as the detail if the name contains it", () => {
    const [one] = documentSymbols(snapshotOf("['http-logs'] | count"));
    assert.deepEqual([one?.name, one?.detail], ['http-logs | count', '']);
    assert.deepEqual(documentSymbols(snapshotOf('// only a comment')), []);
  });
});

function offsets(snapshot: ReturnType<typeof snapshotOf>, { start, end }: Range): [number, number] {
  return [snapshot.lines.offsetAt(start), snapshot.lines.offsetAt(end)];
}

describe('folding', () => {
  /** Returns folds as `first-last kind`, with 1-based lines. */
  const folds = (text: string) =>
    foldingRanges(snapshotOf(text)).map(
      ({ startLine, endLine, kind }) => `${startLine + 1}-${endLine + 1} ${kind ?? 'code'}`,
    );

  it('covers queries without the comments above them, and comment blocks', () => {
    assert.deepEqual(folds('// one\n// two\nlogs\n| where a\n| count\n\ntraces\n| count'), [
      '1-2 comment',
      '3-5 code',
      '7-8 code',
    ]);
  });

  it('keeps the closing bracket of subqueries and long lists visible', () => {
    assert.deepEqual(
      folds('logs\n| join (\n  traces\n  | where a\n) on b\n| where x in (\n  1,\n  2)'),
      ['1-8 code', '2-4 code', '6-8 code'],
    );
    assert.deepEqual(folds('datatable (a:long) [\n  1,\n  2,\n]'), ['1-4 code']);
  });

  it('covers stages and statements of several lines', () => {
    assert.deepEqual(
      folds(
        'let a = 1;\nlet t = logs\n  | count;\nt\n| summarize\n    count()\n    by b\n| take 5',
      ),
      ['1-8 code', '2-3 code', '4-8 code', '5-7 code'],
    );
  });

  it('covers regions, including nested regions and regions across queries', () => {
    const text =
      '// #region errors\nlogs\n| count\n\n//#region inner\n// note\n// more\n// #endregion\ntraces\n| count\n// #endregion\n// endregion';
    assert.deepEqual(folds(text), [
      '1-11 region',
      '2-3 code',
      '5-8 region',
      '6-7 comment',
      '9-10 code',
    ]);
  });

  it('ignores single lines and accepts every line ending', () => {
    assert.deepEqual(folds('logs | where (a) | count'), []);
    assert.deepEqual(folds('// a\r\n// b\r\nlogs\r\n| count'), ['1-2 comment', '3-4 code']);
    assert.deepEqual(folds('// a\r// b\rlogs\r| count'), ['1-2 comment', '3-4 code']);
    assert.deepEqual(folds(''), []);
  });
});

describe('selection ranges', () => {
  it('expand from the word to the query and the document', () => {
    const { text, offset } = cursor(two.replace('duration >', 'dur$0ation >'));
    const snapshot = snapshotOf(text);
    const texts: string[] = [];
    let range = selectionRange(snapshot, snapshot.lines.positionAt(offset));
    for (;;) {
      texts.push(textAt(text, range.range));
      if (range.parent === undefined) break;
      range = range.parent;
    }
    assert.deepEqual(texts.slice(0, 4), [
      'duration',
      'duration > 100',
      'where duration > 100',
      '| where duration > 100',
    ]);
    assert.ok(texts.at(-2)?.startsWith('// Slow') && texts.at(-2)?.endsWith('by method'));
    assert.equal(texts.at(-1), text);
  });

  it('cover the entire document if the cursor is between queries or the document is empty', () => {
    const snapshot = snapshotOf('logs\n\n\n\ntraces');
    assert.deepEqual(selectionRange(snapshot, { line: 2, character: 0 }), {
      range: { start: { line: 0, character: 0 }, end: { line: 4, character: 6 } },
    });
    const empty = { line: 0, character: 0 };
    assert.deepEqual(selectionRange(snapshotOf(''), empty), {
      range: { start: empty, end: empty },
    });
  });
});

/** Returns each range as its line and text. */
function places(text: string, found: readonly { range: Range }[]): string[] {
  return found.map(({ range }) => `${range.start.line} ${textAt(text, range)}`);
}

describe('highlights', () => {
  const shown = (marked: string) => {
    const { text, offset } = cursor(marked);
    return places(text, highlights(snapshotOf(text), offset));
  };

  it('cover the occurrences of a name only within its query', () => {
    assert.deepEqual(shown('traces | extend x = 1\n\ntraces\n| extend x = 2\n| where $0x > 1'), [
      '3 x',
      '4 x',
    ]);
  });

  it('distinguish writes from reads', () => {
    const { text, offset } = cursor('traces | extend x$0 = 1 | where x > 1');
    assert.deepEqual(
      highlights(snapshotOf(text), offset).map(({ kind }) => kind),
      [3, 2],
    );
  });

  it('cover all keywords of the operator at the cursor', () => {
    assert.deepEqual(shown('traces | summar$0ize count() by span'), ['0 summarize', '0 by']);
    assert.deepEqual(shown('traces | join kind=inner (traces) o$0n span'), [
      '0 join',
      '0 kind',
      '0 on',
    ]);
    assert.deepEqual(shown('traces | count // summar$0ize'), []);
  });
});

describe('go to definition', () => {
  it('returns the position in the document where a column is defined', () => {
    const { text, offset } = cursor('traces | count\n\ntraces\n| extend x = 2\n| where $0x > 1');
    const found = definition(snapshotOf(text), offset);
    assert.deepEqual(places(text, found), ['3 x']);
    assert.equal(found[0]?.uri, 'file:///query.apl');
  });

  it('returns nothing for a field or outside queries', () => {
    const { text, offset } = cursor('traces | where spa$0n == 1');
    assert.deepEqual(definition(snapshotOf(text), offset), []);
    assert.deepEqual(definition(snapshotOf('\n\n'), 1), []);
  });
});

describe('references', () => {
  it('omit the declaration if it is not requested', () => {
    const { text, offset } = cursor('let n$0 = 1; traces | take n');
    const snapshot = snapshotOf(text);
    assert.deepEqual(places(text, references(snapshot, offset, true)), ['0 n', '0 n']);
    assert.equal(references(snapshot, offset, false).length, 1);
  });

  it('include uses of a dataset in open documents and closed files, regardless of quotes', () => {
    const { text, offset } = cursor('[\'http$0-logs\'] | count\n\n["http-logs"] | take 1');
    const snapshot = snapshotOf(text);
    const dataset = datasetUnder(snapshot, offset);
    assert.equal(dataset, 'http-logs');
    const file = new WorkspaceFile(
      'file:///other.apl',
      1,
      "// http-logs in a comment\ntraces\n\nunion traces, ['http-logs']\n\nlet a = 'http-logs'; traces",
    );
    const found = datasetReferences(dataset ?? '', [snapshot], [file]);
    assert.deepEqual(
      found.map(({ uri, range }) => `${uri.slice(8)} ${range.start.line}:${range.start.character}`),
      ['query.apl 0:0', 'query.apl 2:0', 'other.apl 3:14'],
    );
    assert.equal(datasetUnder(snapshot, text.indexOf('count')), undefined);
  });

  it('include uses of a dataset missing from the schema', () => {
    const snapshot = snapshotOf("['no such'] | join (['no such'] | take 1) on x");
    assert.equal(datasetUnder(snapshot, 3), 'no such');
    assert.equal(datasetReferences('no such', [snapshot], []).length, 2);
  });

  it('exclude a let table with the same name as a dataset', () => {
    const snapshot = snapshotOf('traces | count');
    const file = new WorkspaceFile(
      'file:///o.apl',
      1,
      'let traces = other | take 1; traces | count',
    );
    assert.equal(datasetReferences('traces', [snapshot], [file]).length, 1);
  });
});

describe('rename', () => {
  it('edits the query in its document', () => {
    const { text, offset } = cursor(
      'traces | extend x = 1\n\ntraces\n| extend x = 2\n| where $0x > 1',
    );
    const snapshot = snapshotOf(text);
    assert.deepEqual(preparedRename(snapshot, offset), {
      range: { start: { line: 4, character: 8 }, end: { line: 4, character: 9 } },
      placeholder: 'x',
    });
    const edit = rename(snapshot, offset, 'a b');
    assert.ok(!('refusal' in edit));
    assert.deepEqual(
      edit.changes?.[snapshot.uri]?.map(({ range, newText }) => `${range.start.line} ${newText}`),
      ["3 ['a b']", "4 ['a b']"],
    );
  });

  it('offers the name without its quotes', () => {
    const { text, offset } = cursor("traces | extend ['a b'$0] = 1");
    const prepared = preparedRename(snapshotOf(text), offset);
    assert.ok('placeholder' in prepared);
    assert.equal(prepared.placeholder, 'a b');
    assert.equal(textAt(text, prepared.range), "['a b']");
  });

  it('is refused with a message if no column or let is at the cursor', () => {
    const snapshot = snapshotOf('traces | where span == 1');
    for (const offset of [0, 10, 16, 24])
      assert.ok('refusal' in preparedRename(snapshot, offset), `${offset}`);
    assert.deepEqual(rename(snapshotOf('\n\n'), 1, 'x'), { refusal: 'There is no query here.' });
  });
});

describe('document links', () => {
  it('are found in queries, and in comments between and after queries', () => {
    const text =
      "// https://a.test/1\n\nlogs // https://a.test/2\n\nexternaldata (a:long) ['https://a.test/3']\n\n// https://a.test/4";
    const found = documentLinks(snapshotOf(text));
    assert.deepEqual(places(text, found), [
      '0 https://a.test/1',
      '2 https://a.test/2',
      '4 https://a.test/3',
      '6 https://a.test/4',
    ]);
    assert.deepEqual(
      found.map(({ target }) => target),
      ['1', '2', '3', '4'].map((n) => `https://a.test/${n}`),
    );
  });
});

describe('workspace symbols', () => {
  const files = [
    new WorkspaceFile('file:///b.apl', 1, '// Failed logins\nlogs\n| count\n\n// Slow pages\nlogs'),
    new WorkspaceFile('file:///c.apl', 1, ''),
  ];
  const names = (wanted: string) =>
    workspaceSymbols(wanted, [snapshotOf(two)], files).map(({ name }) => name);

  it('list the queries of open documents and closed files by title', () => {
    assert.deepEqual(names(''), [
      'Slow requests',
      'see https://example.com/runbook',
      'Failed logins',
      'Slow pages',
    ]);
    const untitled = new WorkspaceFile('file:///d.apl', 1, "let n = 5;\n['http-logs'] | take n");
    const [named] = workspaceSymbols('http', [], [untitled]);
    assert.equal(named?.name, 'http-logs | take n');
    const [outlined] = documentSymbols(snapshotOf(untitled.text));
    assert.deepEqual([outlined?.name, outlined?.detail], ['http-logs | take n', '']);
    const [found] = workspaceSymbols('failed', [], files);
    assert.deepEqual(found?.location, {
      uri: 'file:///b.apl',
      range: { start: { line: 0, character: 0 }, end: { line: 2, character: 7 } },
    });
  });

  it('match if their title contains the typed letters in order', () => {
    assert.deepEqual(names('slpag'), ['Slow pages']);
    assert.deepEqual(names('SLOW '), ['Slow requests', 'Slow pages']);
    assert.deepEqual(names('wols'), []);
  });

  it('are limited to 500 results', () => {
    const many = new WorkspaceFile('file:///m.apl', 1, 'logs\n\n'.repeat(3_000));
    assert.equal(workspaceSymbols('', [], [many]).length, 500);
  });
});

describe('workspace files', () => {
  it('are cached by version and replaced after a change', async () => {
    const files = new WorkspaceFiles();
    const asked: Record<string, number>[] = [];
    let answer: { uri: string; version: number; text?: string }[] = [];
    const ask = async ({ known }: { known: Record<string, number> }) => {
      asked.push(known);
      return { files: answer };
    };
    const none = () => false;
    answer = [
      { uri: 'a', version: 1, text: 'logs' },
      { uri: 'b', version: 2, text: 'traces' },
    ];
    const [first] = await files.current(ask, none);
    answer = [
      { uri: 'a', version: 1 },
      { uri: 'b', version: 3, text: 'other' },
    ];
    const second = await files.current(ask, none);
    assert.equal(second[0], first);
    assert.equal(second[1]?.text, 'other');
    answer = [
      { uri: 'b', version: 3 },
      { uri: 'never told', version: 1 },
    ];
    assert.deepEqual(
      (await files.current(ask, none)).map(({ uri }) => uri),
      ['b'],
    );
    assert.deepEqual(asked, [{}, { a: 1, b: 2 }, { a: 1, b: 3 }]);
  });

  it('remain cached if the client fails, except files that have been opened', async () => {
    const files = new WorkspaceFiles();
    await files.current(
      async () => ({ files: [{ uri: 'a', version: 1, text: '' }] }),
      () => false,
    );
    const failing = () => Promise.reject(new ResponseError(1, 'no'));
    assert.equal((await files.current(failing, () => false)).length, 1);
    assert.deepEqual(await files.current(failing, (uri) => uri === 'a'), []);
  });
});
