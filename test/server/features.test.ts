/** The language server's features over marked text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { queryAt } from '../../server/src/features/queryAt.ts';
import { titleOf } from '../../server/src/features/queryTitle.ts';
import { semanticTokens, semanticTokensLegend } from '../../server/src/features/semanticTokens.ts';
import { shownDiagnostic, snapshotOf, textAt } from './marked.ts';

describe('diagnostics', () => {
  const shown = (text: string) =>
    diagnostics(snapshotOf(text)).map((diagnostic) => shownDiagnostic(text, diagnostic));

  it('underline a misspelled function, column, operator and dataset', () => {
    assert.deepEqual(shown("['http-logs'] | summarize coutn()"), ['unknown-function "coutn"']);
    assert.deepEqual(shown("['http-logs'] | where statsu == 200"), ['unknown-column "statsu"']);
    assert.deepEqual(shown("['http-logs'] | were status == 200"), ['unknown-operator "were"']);
    assert.deepEqual(shown("['http-log'] | count"), ['unknown-dataset "[\'http-log\']"']);
  });

  it('suggest the closest name', () => {
    const [found] = diagnostics(snapshotOf("['http-logs'] | summarize coutn()"));
    assert.match(String(found?.message), /count/);
  });

  it('have the correct range in the second query of a document', () => {
    const text = "['http-logs'] | count\n\n// broken\n['http-logs']\n| where statsu > 1";
    const [found] = diagnostics(snapshotOf(text));
    assert.equal(found?.range.start.line, 4);
    assert.equal(textAt(text, found?.range ?? assert.fail()), 'statsu');
  });

  it("don't report unknown names without a schema", () => {
    const text = "['nowhere'] | where anything > 1 | join (other) on id";
    assert.deepEqual(diagnostics(snapshotOf(text, { datasets: [] })), []);
  });
});

describe('the query at a position', () => {
  const text = "// Errors by method\n['http-logs']\n| where status >= 500\n\n\n['traces'] | count";

  it('is found around the cursor and has the comment above it as its title', () => {
    const [found] = queryAt(snapshotOf(text), { uri: '', position: { line: 2, character: 4 } });
    assert.equal(found?.title, 'Errors by method');
    assert.match(found?.text ?? '', /status >= 500$/);
  });

  it('is found on the line directly below the query, but not in a blank document', () => {
    assert.equal(
      queryAt(snapshotOf(text), { uri: '', position: { line: 3, character: 0 } }).length,
      1,
    );
    assert.equal(
      queryAt(snapshotOf('\n\n\n'), { uri: '', position: { line: 1, character: 0 } }).length,
      0,
    );
  });

  for (const [stated, query] of [
    [false, 'logs'],
    [false, 'logs | where a > 1 | extend b = 2 | sort by a | take 5'],
    [false, 'logs | project-away a | project-rename c = b | project-keep c'],
    [false, 'let t = logs | where a > 1; t | take 5'],
    [false, 'union logs, traces | where a > 1'],
    [true, 'logs | project a, _time'],
    [true, 'logs | project-reorder a | take 5'],
    [true, 'logs | where a > 1 | summarize count() by bin(_time, 1h)'],
    [true, 'let t = logs | project a, _time; t | take 5'],
    [true, 'let t = (logs | distinct a); (t) | take 5'],
    [true, 'datatable (a: long, _time: datetime) [1, datetime(2026-01-01)]'],
    [true, 'print a = 1, _time = now()'],
  ] as const)
    it(`${stated ? 'specifies' : 'does not specify'} its column order: ${query}`, () => {
      const [found] = queryAt(snapshotOf(query), { uri: '' });
      assert.equal(found?.facts.statesColumnOrder, stated);
    });

  it('defaults to all queries of the document if no position is given', () => {
    assert.deepEqual(
      queryAt(snapshotOf(text), { uri: '' }).map((query) => query.title),
      ['Errors by method', 'traces | count'],
    );
  });

  it('has a title with its dataset and stages, but not its lets, if it has no comment', () => {
    const lets = 'let least = 500;\nlet all = (logs | take 5);\n';
    assert.equal(
      titleOf(`${lets}['http-logs'] // the requests\n| where a >= least\n| count`),
      'http-logs | where a >= least | count',
    );
    const long = `| where a == '${'x'.repeat(80)}'\n| summarize count() by b\n| count`;
    assert.equal(titleOf(`['http-logs']\n${long}`), 'http-logs | where … | summarize … | count');
    assert.equal(titleOf("['it\\'s'] | count"), "['it\\'s'] | count");
    assert.equal(titleOf('let least = 500;'), 'let least = 500;');
    assert.equal(titleOf('| count'), '| count');
    assert.equal(titleOf(''), 'query');
    assert.equal(titleOf(`${lets}logs${' | count'.repeat(2_000)}`).length, 80);
  });

  it('has a title of at most 80 characters', () => {
    assert.equal(titleOf(`print x = "${'y'.repeat(500)}"`).length, 80);
  });
});

describe('semantic tokens', () => {
  it('mark names by their kind', () => {
    const text = "let least = 500;\n['http-logs'] | where status >= least and strlen(method) > 1";
    const { data } = semanticTokens(snapshotOf(text));
    const found: string[] = [];
    const lines = text.split('\n');
    let line = 0;
    let character = 0;
    for (let i = 0; i < data.length; i += 5) {
      const [down, right, length, type] = data.slice(i, i + 4) as [number, number, number, number];
      line += down;
      character = down === 0 ? character + right : right;
      found.push(
        `${semanticTokensLegend.tokenTypes[type]} ${lines[line]?.slice(character, character + length)}`,
      );
    }
    for (const expected of [
      "class ['http-logs']",
      'keyword where',
      'property status',
      'variable least',
      'function strlen',
      'property method',
    ])
      assert.ok(found.includes(expected), `${expected} in ${found.join(', ')}`);
  });
});
