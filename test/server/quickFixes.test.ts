// Quick fixes: the actions offered at a problem, and the text after one is applied.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodeAction, CodeActionContext } from 'vscode-languageserver';
import { LineTable } from '../../language/src/index.ts';
import { codeActions } from '../../server/src/features/codeActions.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { defaultSettings } from '../../server/src/settings.ts';
import { cursor, snapshotOf } from './marked.ts';

/** Returns the actions at `$0` and the text without the mark. */
function at(marked: string, context: Partial<CodeActionContext> = {}) {
  const { text, offset } = cursor(marked);
  const snapshot = snapshotOf(text);
  const position = snapshot.lines.positionAt(offset);
  const params = {
    range: { start: position, end: position },
    context: { diagnostics: diagnostics(snapshot), only: ['quickfix'], ...context },
  };
  const actions = codeActions(snapshot, params, defaultSettings);
  return { text, actions, titles: actions.map(({ title }) => title) };
}

function chosen(text: string, action: CodeAction | undefined): string {
  assert.ok(action?.edit?.changes, 'the action has an edit');
  const lines = new LineTable(text);
  const edits = Object.values(action.edit.changes).flat();
  edits.sort((a, b) => lines.offsetAt(b.range.start) - lines.offsetAt(a.range.start));
  let result = text;
  for (const { range, newText } of edits)
    result =
      result.slice(0, lines.offsetAt(range.start)) +
      newText +
      result.slice(lines.offsetAt(range.end));
  return result;
}

/** Returns the text after the first action at `$0`. */
function mended(marked: string): string {
  const { text, actions } = at(marked);
  return chosen(text, actions[0]);
}

/** Returns the text after the action with that title. */
function textAfter(marked: string, title: string): string {
  const { text, actions, titles } = at(marked);
  const action = actions.find((one) => one.title === title);
  assert.ok(action, `${title} is not among ${titles.join('; ')}`);
  return chosen(text, action);
}

describe('an unknown name', () => {
  it('has a preferred fix if there is only one suggestion', () => {
    const { text, actions } = at("['http-logs'] | summarize co$0utn()");
    assert.equal(chosen(text, actions[0]), "['http-logs'] | summarize count()");
    assert.equal(actions[0]?.isPreferred, true);
    assert.equal(actions[0]?.diagnostics?.[0]?.code, 'unknown-function');
  });

  it('has several fixes and no preferred fix if several names are similar', () => {
    const { titles, actions } = at("['http-logs'] | extend a = url_eco$0de(method)");
    assert.deepEqual(titles, ["Replace with 'url_encode'", "Replace with 'url_decode'"]);
    assert.ok(actions.every(({ isPreferred }) => isPreferred !== true));
  });

  it('is replaced by the closest name of a column, dataset or operator', () => {
    assert.equal(
      mended("['http-logs'] | where stauts$0 == 200"),
      "['http-logs'] | where status == 200",
    );
    assert.equal(mended("['http-log$0'] | count"), "['http-logs'] | count");
    assert.equal(
      mended("['http-logs'] | summarise$0 count()"),
      "['http-logs'] | summarize count()",
    );
    assert.equal(
      mended("['http-logs'] | where method containz$0 'x'"),
      "['http-logs'] | where method contains 'x'",
    );
  });

  it('gets brackets if it is a dotted column name', () => {
    assert.equal(
      mended("['http-logs'] | where geo.ci$0ty == 'Lisbon'"),
      "['http-logs'] | where ['geo.city'] == 'Lisbon'",
    );
  });

  it('can be added to the earlier project that dropped the column', () => {
    assert.equal(
      mended("['http-logs'] | project status | where met$0hod == 'GET'"),
      "['http-logs'] | project status, method | where method == 'GET'",
    );
    assert.equal(
      mended("['http-logs'] | project status | where geo.ci$0ty == 'Lisbon'"),
      "['http-logs'] | project status, ['geo.city'] | where ['geo.city'] == 'Lisbon'",
    );
  });
});

describe('a syntax error', () => {
  const cases: readonly (readonly [what: string, broken: string, whole: string])[] = [
    [
      'a missing closing parenthesis at the end',
      "['http-logs'] | where (status == 200$0",
      "['http-logs'] | where (status == 200)",
    ],
    [
      'a missing closing parenthesis before a pipe',
      "['http-logs'] | summarize count$0( | take 3",
      "['http-logs'] | summarize count() | take 3",
    ],
    [
      'a missing closing quote',
      "['http-logs'] | where method == 'GET$0",
      "['http-logs'] | where method == 'GET'",
    ],
    [
      'a missing closing quote inside parentheses',
      "['http-logs'] | where (method == 'GET$0)",
      "['http-logs'] | where (method == 'GET')",
    ],
    [
      'a missing comma',
      "['http-logs'] | project status met$0hod",
      "['http-logs'] | project status, method",
    ],
    [
      'a missing semicolon',
      "let a = 1\n$0['http-logs'] | take a",
      "let a = 1;\n['http-logs'] | take a",
    ],
    [
      'a missing pipe',
      "['http-logs'] where$0 status == 200",
      "['http-logs'] | where status == 200",
    ],
    ['a missing keyword', "['http-logs'] | sort status$0", "['http-logs'] | sort by status"],
    ['an extra pipe', "['http-logs'] |$0 | take 3", "['http-logs'] | take 3"],
    ['an extra parenthesis', "['http-logs'] | take 3)$0", "['http-logs'] | take 3"],
    [
      '= instead of ==',
      "['http-logs'] | where status =$0 200",
      "['http-logs'] | where status == 200",
    ],
    [
      '&& instead of and',
      "['http-logs'] | where status > 1 &&$0 status < 9",
      "['http-logs'] | where status > 1 and status < 9",
    ],
    [
      'a dataset name without brackets and quotes',
      'http-log$0s | take 3',
      "['http-logs'] | take 3",
    ],
    [
      'curly quotes',
      "['http-logs'] | where method == “GE$0T”",
      '[\'http-logs\'] | where method == "GET"',
    ],
    ['an array outside dynamic()', 'print a = [$01, 2]', 'print a = dynamic([1, 2])'],
    ['an expression without print', "strlen('a$0')", "print strlen('a')"],
    [
      'not without parentheses',
      "['http-logs'] | where no$0t status == 200 and method == 'GET'",
      "['http-logs'] | where not(status == 200) and method == 'GET'",
    ],
  ];
  for (const [what, broken, whole] of cases) {
    it(`is fixed: ${what}`, () => assert.equal(mended(broken), whole));
  }

  it('offers no insertion if no single insertion makes the query valid', () => {
    const { titles } = at("['http-logs'] | where status == 200 ) ( == $0");
    assert.deepEqual(
      titles.filter((title) => title.startsWith('Insert')),
      [],
    );
  });
});

describe('a Kusto construct', () => {
  it('is renamed to its APL equivalent', () => {
    assert.equal(
      mended("['http-logs'] | filt$0er status == 200"),
      "['http-logs'] | where status == 200",
    );
    assert.equal(
      mended("['http-logs'] | extend a = lowe$0r(method)"),
      "['http-logs'] | extend a = tolower(method)",
    );
  });

  it('is rewritten as equivalent conditions', () => {
    assert.equal(
      mended("['http-logs'] | where status !betw$0een (400 .. 499)"),
      "['http-logs'] | where not(status between (400 .. 499))",
    );
    assert.equal(
      mended("['http-logs'] | where method has_al$0l ('a', 'b') and status == 1"),
      "['http-logs'] | where (method has 'a' and method has 'b') and status == 1",
    );
  });

  it('is removed if APL needs no replacement', () => {
    assert.equal(
      mended("['http-logs']\n| summarize count() by bin_auto(_time)\n| rende$0r timechart"),
      "['http-logs']\n| summarize count() by bin_auto(_time)",
    );
  });

  it("is rewritten without an argument that APL doesn't support", () => {
    assert.equal(
      mended("['http-logs'] | extend a = split(method, ',', 1$0)"),
      "['http-logs'] | extend a = split(method, ',')[1]",
    );
    assert.equal(
      mended("['http-logs'] | summarize dcount(method, 4$0)"),
      "['http-logs'] | summarize dcount(method)",
    );
  });

  it('has no fix if there is no equivalent', () => {
    const { titles } = at("['http-logs'] | facet$0 by status");
    assert.deepEqual(titles, []);
  });
});

describe('fixing all problems', () => {
  const broken =
    "['http-logs'] | where geo.ci$0ty == 'a' or geo.city == 'b'\n\n['http-logs'] | project geo.city";
  const whole =
    "['http-logs'] | where ['geo.city'] == 'a' or ['geo.city'] == 'b'\n\n['http-logs'] | project ['geo.city']";

  it('fixes every problem of one code in the file', () => {
    assert.equal(textAfter(broken, 'Fix all 3 dotted-column problems in this file'), whole);
  });

  it('is offered as one action on save and ignores uncertain fixes', () => {
    const { text, actions } = at(broken, { only: ['source.fixAll'] });
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      ['source.fixAll.axiom-apl'],
    );
    assert.equal(chosen(text, actions[0]), whole);
    assert.deepEqual(at("['http-logs'] | take $01", { only: ['source'] }).actions, []);
  });

  it('is offered only for source actions', () => {
    const kinds = (only: string[]) => at(broken, { only }).actions.map(({ kind }) => kind);
    assert.ok(kinds(['source']).every((kind) => kind === 'source.fixAll.axiom-apl'));
    assert.ok(kinds(['quickfix']).every((kind) => kind === 'quickfix'));
    assert.ok(kinds(['refactor']).every((kind) => kind?.startsWith('refactor')));
    assert.ok(kinds(['']).length > kinds(['quickfix']).length);
  });
});

describe('suppressing a problem', () => {
  const broken = "['http-logs']\n  | sample 10$00\n  | take 3";

  it("adds a comment above the line with the line's indentation", () => {
    assert.equal(
      textAfter(broken, 'Suppress sample-ratio for this line'),
      "['http-logs']\n  // aplomb-disable-next-line sample-ratio\n  | sample 100\n  | take 3",
    );
  });

  it('removes all problems with that code from the line, including on the first line of a query', () => {
    for (const marked of [broken, "['http-logs'] | sample 10$00 | take 3"]) {
      const silent = snapshotOf(textAfter(marked, 'Suppress sample-ratio for this line'));
      assert.deepEqual(diagnostics(silent), []);
    }
  });

  it('adds the code to an existing comment', () => {
    assert.equal(
      textAfter(
        "['http-logs']\n  // aplomb-disable-next-line never-equal\n  | sample 10$00",
        'Suppress sample-ratio for this line',
      ),
      "['http-logs']\n  // aplomb-disable-next-line never-equal, sample-ratio\n  | sample 100",
    );
  });

  it('adds the code ahead of the reason', () => {
    assert.equal(
      textAfter(
        "['http-logs']\n  // aplomb-disable-next-line never-equal -- old data\n  | sample 10$00",
        'Suppress sample-ratio for this line',
      ),
      "['http-logs']\n  // aplomb-disable-next-line never-equal, sample-ratio -- old data\n  | sample 100",
    );
  });

  it("isn't offered for an error", () => {
    const { titles } = at("['http-logs'] | summarize co$0utn()");
    assert.deepEqual(titles, ["Replace with 'count'"]);
  });

  it('offers only to remove the comment if the comment itself is the problem', () => {
    const idle = "['http-logs']\n// aplomb-disable-next-line sample-r$0atio\n| take 3";
    assert.deepEqual(at(idle).titles, ['Remove comment']);
    assert.equal(mended(idle), "['http-logs']\n| take 3");
  });

  it('offers to correct a misspelled code, including outside queries', () => {
    const wrong = "// aplomb-disable-file sample-rati$0oo\n\n['http-logs'] | take 3";
    assert.equal(mended(wrong), "// aplomb-disable-file sample-ratio\n\n['http-logs'] | take 3");
  });

  it('is offered after all fixes', () => {
    assert.deepEqual(at(broken).titles, [
      "Replace with 'take'",
      'Suppress sample-ratio for this line',
    ]);
    assert.equal(mended(broken), "['http-logs']\n  | take 100\n  | take 3");
  });
});

describe('a position without a problem', () => {
  it('has no quick fix', () => {
    assert.deepEqual(at("['http-logs'] | ta$0ke 1\n| summarize coutn()").actions, []);
    assert.deepEqual(at('$0').actions, []);
  });
});
