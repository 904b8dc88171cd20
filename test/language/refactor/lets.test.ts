/** Extracting a value or a table to a let, and inlining a let. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refactored, refused } from './marked.ts';

describe('extracting a value', () => {
  it('inserts a let before the statement', () => {
    const marked = `
logs | where _time > ago(1h) and status >= 500
                     ^^^^^^^`;
    assert.equal(
      refactored(marked, 'Extract value'),
      'let time = ago(1h);\nlogs | where _time > time and status >= 500',
    );
  });

  it('uses the innermost value at the cursor', () => {
    assert.equal(
      refactored('logs\n| where status >= 5$000', 'Extract value'),
      'let number = 500;\nlogs\n| where status >= number',
    );
    assert.equal(
      refactored('logs\n| where _time > a$0go(1h)', 'Extract value'),
      'let time = ago(1h);\nlogs\n| where _time > time',
    );
  });

  it('inserts the new let after a let that the value uses', () => {
    const marked = `
let hours = 2;
logs | where _time > ago(hours * 1h)
                     ^^^^^^^^^^^^^^^`;
    assert.equal(
      refactored(marked, 'Extract value'),
      'let hours = 2;\nlet time = ago(hours * 1h);\nlogs | where _time > time',
    );
  });

  it('chooses a name that no column or let already has', () => {
    assert.equal(
      refactored("let text = 'GET';\nlogs | where method in (text, 'HE$0AD')", 'Extract value'),
      "let text = 'GET';\nlet text2 = 'HEAD';\nlogs | where method in (text, text2)",
    );
    assert.equal(
      refactored('logs | extend took2 = took + 1$0h', 'Extract value'),
      'let duration2 = 1h;\nlogs | extend took2 = took + duration2',
    );
  });

  it('inserts the let before the entire statement if the value is in a subquery', () => {
    assert.equal(
      refactored('  users\n  | join (logs | where status > 4$000) on status', 'Extract value'),
      '  let number = 400;\n  users\n  | join (logs | where status > number) on status',
    );
  });

  it('is refused if the value depends on the row', () => {
    refused('logs | where strl$0en(method) > 3', 'Extract value');
    refused('logs | extend r = ra$0nd()', 'Extract value');
    refused('logs | summarize cou$0nt()', 'Extract value');
    refused('logs | summarize count() by b$0in_auto(_time)', 'Extract value');
  });

  it('is refused in arguments that must be constants, such as a row count', () => {
    refused('logs | take 1$00', 'Extract value');
    refused("logs | extend x = attributes['k$0ey']", 'Extract value');
    refused("logs | parse method with 'GE$0T' rest", 'Extract value');
    refused("logs | extend d = datetime_diff('ho$0ur', _time, _time)", 'Extract value');
    refused(
      "logs | extend d = dynamic({'a': 'b'})\n                                ^^^",
      'Extract value',
    );
    refused('let least = 5$000;\nlogs | where status > least', 'Extract value');
  });

  it('is refused if it would change the name of an output column', () => {
    refused('print to$0string(5)', 'Extract value');
    assert.equal(
      refactored('print five = to$0string(5)', 'Extract value'),
      'let text = tostring(5);\nprint five = text',
    );
  });

  it("isn't offered in a query with syntax errors", () => {
    refused('logs | where (status > 5$000', 'Extract');
  });
});

describe('extracting a table', () => {
  it('moves the stages up to the cursor into a let', () => {
    assert.equal(
      refactored('logs\n| where status$0 > 400\n| count', 'up to here'),
      'let rows = logs\n| where status > 400;\nrows\n| count',
    );
    assert.equal(
      refactored('logs | where status $0> 400 | count', 'up to here'),
      'let rows = logs | where status > 400;\nrows | count',
    );
  });

  it('moves a comment at the end of the last extracted stage', () => {
    assert.equal(
      refactored('logs\n| where status$0 > 400 // bad ones\n| count', 'up to here'),
      'let rows = logs\n| where status > 400; // bad ones\nrows\n| count',
    );
  });

  it('inserts the let before the entire statement if the table is in a subquery', () => {
    assert.equal(
      refactored('users | join (logs | where $0status > 400) on status | count', 'Extract query'),
      'let rows = logs | where status > 400;\nusers | join (rows) on status | count',
    );
  });

  it('inserts the new let before the let that contains the table', () => {
    assert.equal(
      refactored('let n = logs | whe$0re ok | count;\nn', 'up to here'),
      'let rows = logs | where ok;\nlet n = rows | count;\nn',
    );
  });

  it('is refused for the entire value of a let, and between a summarize by time and a limit', () => {
    refused('let n = logs | co$0unt;\nn', 'Extract query');
    refused(
      'logs | summarize c$0ount() by bin(_time, 1h), method | limit 3',
      'Extract query up to here',
    );
  });
});

describe('inlining a let', () => {
  it('replaces every use with the value and removes the statement', () => {
    assert.equal(
      refactored(
        'let le$0ast = 500;\nlogs | where status >= least or duration > least',
        'Inline let least (2 uses)',
      ),
      'logs | where status >= 500 or duration > 500',
    );
  });

  it('can start at a use of the let', () => {
    assert.equal(
      refactored("let m = 'GET';\n\nlogs\n| where method == $0m", 'Inline'),
      "logs\n| where method == 'GET'",
    );
  });

  it('adds parentheses only where precedence requires them', () => {
    const inlined = (value: string, use: string) =>
      refactored(`let $0v = ${value};\nlogs | extend x = ${use}`, 'Inline').replace(/^.* x = /, '');
    assert.equal(inlined('1 + 2', 'status * v'), 'status * (1 + 2)');
    assert.equal(inlined('1 + 2', 'status + v'), 'status + (1 + 2)');
    assert.equal(inlined('1 + 2', 'v + status'), '1 + 2 + status');
    assert.equal(inlined('1 * 2', 'v + status'), '1 * 2 + status');
    assert.equal(inlined('1 + 2', 'abs(v)'), 'abs(1 + 2)');
    assert.equal(inlined('-1', 'status - v'), 'status - -1');
    assert.equal(inlined('-1', '-v'), '-(-1)');
    assert.equal(inlined('1 + 2', 'status between (v .. 9)'), 'status between (1 + 2 .. 9)');
    assert.equal(inlined('1 + 2', 'status in (v, 9)'), 'status in (1 + 2, 9)');
    assert.equal(inlined('true or false', 'ok and v'), 'ok and (true or false)');
    assert.equal(inlined('true and false', 'ok or v'), 'ok or true and false');
    assert.equal(inlined('dynamic([1, 2])', 'v[0]'), 'dynamic([1, 2])[0]');
  });

  it('preserves the name of a column that was named after the let', () => {
    assert.equal(
      refactored("let stage = 'live';\nlogs | extend s$0tage", 'Inline'),
      "logs | extend stage = 'live'",
    );
    refused("let stage = 'live';\nlogs | distinct st$0age", 'Inline');
  });

  it('keeps the comments around the statement', () => {
    assert.equal(
      refactored('// the least\nlet le$0ast = 5; // of all\nlogs | where status > least', 'Inline'),
      '// the least\n// of all\nlogs | where status > 5',
    );
  });

  it('inlines a table, in parentheses if it is nested', () => {
    const text = 'let ba$0d = logs | where status > 400;\nbad\n| join bad on status\n| union bad';
    assert.equal(
      refactored(text, 'Inline let bad (3 uses)'),
      'logs | where status > 400\n| join (logs | where status > 400) on status\n' +
        '| union (logs | where status > 400)',
    );
    assert.equal(
      refactored('let ids = users | project id;\nlogs | where status in ($0ids)', 'Inline'),
      'logs | where status in (users | project id)',
    );
    assert.equal(
      refactored('let l$0 = logs;\nl | join l on status', 'Inline'),
      'logs | join logs on status',
    );
  });

  it('is refused if a name in the value would refer to a column where the value is inserted', () => {
    refused(
      'let least = 5;\nlet limi$0t2 = least + 1;\nlogs | extend least = 9 | where status > limit2',
      'Inline',
    );
    assert.equal(
      refactored(
        'let least = 5;\nlet limi$0t2 = least + 1;\nlogs | where status > limit2',
        'Inline',
      ),
      'let least = 5;\nlogs | where status > least + 1',
    );
  });

  it('is refused for a nondeterministic value and for an unused let', () => {
    refused('let r$0 = rand();\nlogs | where r > 0.5', 'Inline');
    refused('let unu$0sed = 1;\nlogs | count', 'Inline');
  });
});
