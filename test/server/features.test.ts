/** The language server's features over marked text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CompletionItem, MarkupContent } from 'vscode-languageserver';
import { completion } from '../../server/src/features/completion.ts';
import { resolveCompletion } from '../../server/src/features/completionResolve.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { hover } from '../../server/src/features/hover.ts';
import { queryAt, titleOf } from '../../server/src/features/queryAt.ts';
import { semanticTokens, semanticTokensLegend } from '../../server/src/features/semanticTokens.ts';
import { applied, cursor, shownDiagnostic, snapshotOf, textAt } from './marked.ts';

function complete(marked: string, known?: Parameters<typeof snapshotOf>[1]): CompletionItem[] {
  const { text, offset } = cursor(marked);
  const { items } = completion(snapshotOf(text, known), offset);
  return items.sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1));
}

function labels(marked: string): string[] {
  return complete(marked).map((item) => item.label);
}

describe('diagnostics', () => {
  const shown = (text: string) =>
    diagnostics(snapshotOf(text)).map((diagnostic) => shownDiagnostic(text, diagnostic));

  it('underlines a misspelt function, column, operator and dataset', () => {
    assert.deepEqual(shown("['http-logs'] | summarize coutn()"), ['unknown-function "coutn"']);
    assert.deepEqual(shown("['http-logs'] | where statsu == 200"), ['unknown-column "statsu"']);
    assert.deepEqual(shown("['http-logs'] | were status == 200"), ['unknown-operator "were"']);
    assert.deepEqual(shown("['http-log'] | count"), ['unknown-dataset "[\'http-log\']"']);
  });

  it('offers what was meant', () => {
    const [found] = diagnostics(snapshotOf("['http-logs'] | summarize coutn()"));
    assert.match(String(found?.message), /count/);
  });

  it('places problems of the second query where they stand', () => {
    const text = "['http-logs'] | count\n\n// broken\n['http-logs']\n| where statsu > 1";
    const [found] = diagnostics(snapshotOf(text));
    assert.equal(found?.range.start.line, 4);
    assert.equal(textAt(text, found?.range ?? assert.fail()), 'statsu');
  });

  it('says nothing of what it cannot know', () => {
    const text = "['nowhere'] | where anything > 1 | join (other) on id";
    assert.deepEqual(diagnostics(snapshotOf(text, { datasets: [] })), []);
  });
});

describe('completion', () => {
  it('offers the fields of the dataset with type and unit after where', () => {
    const items = complete("['http-logs'] | where $0");
    const duration = items.find((item) => item.label === 'duration');
    assert.equal(duration?.labelDetails?.description, 'real, ms');
    assert.ok(
      items.findIndex((item) => item.label === 'status') <
        items.findIndex((item) => item.label === 'strlen'),
    );
  });

  it('brackets a name that needs it', () => {
    const { text } = cursor("['http-logs'] | where geo$0");
    const city = complete("['http-logs'] | where geo$0").find((item) => item.label === 'geo.city');
    assert.equal(applied(text, city ?? assert.fail()), "['http-logs'] | where ['geo.city']");
  });

  it('brackets a dotted name that was begun without brackets', () => {
    const { text } = cursor("['http-logs'] | where geo.ci$0");
    const city = complete("['http-logs'] | where geo.ci$0").find((item) => item.label === 'city');
    assert.equal(applied(text, city ?? assert.fail()), "['http-logs'] | where ['geo.city']");
  });

  it('offers operators after a pipe and nothing else', () => {
    const found = labels("['http-logs'] | $0");
    assert.ok(found.includes('project-away') && found.includes('summarize'));
    assert.ok(!found.includes('status') && !found.includes('strlen') && !found.includes('print'));
  });

  it('replaces the whole of a half-typed operator with a dash', () => {
    const { text } = cursor("['http-logs'] | project-a$0");
    const away = complete("['http-logs'] | project-a$0").find(
      (item) => item.label === 'project-away',
    );
    assert.match(applied(text, away ?? assert.fail()), /\| project-away /);
  });

  it('offers datasets and views at the start of a query, in an empty document too', () => {
    for (const marked of ['$0', '// first\n$0', "['http-logs'] | count\n\n$0"]) {
      const found = labels(marked);
      assert.ok(
        found.includes('http-logs') && found.includes('traces') && found.includes('print'),
        marked,
      );
    }
    const { text } = cursor('http$0');
    const dataset = complete('http$0').find((item) => item.label === 'http-logs');
    assert.equal(applied(text, dataset ?? assert.fail()), "['http-logs']");
  });

  it('offers a dataset inside brackets that were already opened', () => {
    const { text } = cursor("['ht$0");
    const dataset = complete("['ht$0").find((item) => item.label === 'http-logs');
    assert.equal(applied(text, dataset ?? assert.fail()), "['http-logs']");
  });

  it('offers the columns that a stage leaves, not those before it', () => {
    const found = labels("['http-logs'] | summarize hits = count() by method | where $0");
    assert.ok(found.includes('hits') && found.includes('method'));
    assert.ok(!found.includes('status'));
  });

  it('keeps offering columns behind a broken stage', () => {
    const found = labels("['http-logs'] | where status == == | extend x = 1 | where $0");
    assert.ok(found.includes('status') && found.includes('x'));
  });

  it('offers aggregates in summarize and not in where', () => {
    assert.ok(labels("['http-logs'] | summarize $0").includes('dcount'));
    assert.ok(!labels("['http-logs'] | where $0").includes('dcount'));
  });

  it('offers operators for text behind text, and not behind a number', () => {
    assert.ok(labels("['http-logs'] | where method $0").includes('contains'));
    assert.ok(!labels("['http-logs'] | where status $0").includes('contains'));
  });

  it('offers nothing in a comment and in plain text', () => {
    assert.deepEqual(labels("['http-logs'] // wh$0"), []);
    assert.deepEqual(labels("['http-logs'] | extend a = 'wh$0'"), []);
  });

  /** The text after the item of that label was chosen at the mark. */
  function chosen(marked: string, label: string): string {
    const found = complete(marked).find((item) => item.label === label);
    return applied(cursor(marked).text, found ?? assert.fail(`no ${label}`));
  }

  it('puts no second brackets behind a function and no second operand behind an operator', () => {
    assert.equal(
      chosen("['http-logs'] | where str$0len(method) > 1", 'strlen'),
      "['http-logs'] | where strlen(method) > 1",
    );
    assert.equal(chosen("['http-logs'] | where st$0", 'strlen'), "['http-logs'] | where strlen()");
    assert.equal(
      chosen("['http-logs'] | wh$0 status == 1\n| count", 'where'),
      "['http-logs'] | where status == 1\n| count",
    );
    assert.notEqual(
      chosen("['http-logs'] | wh$0 | count", 'where'),
      "['http-logs'] | where | count",
    );
  });

  it('offers statements where a query starts and words that are values where one stands', () => {
    for (const marked of ['$0', 'let n = 1; $0', '// first\n\n$0\n\ntraces']) {
      const found = labels(marked);
      assert.ok(found.includes('let') && found.includes('declare'), marked);
    }
    assert.ok(!labels("['http-logs'] | join ($0").includes('let'));
    const found = labels("['http-logs'] | where status == $0");
    for (const label of ['true', 'null', 'datetime', 'dynamic']) assert.ok(found.includes(label));
  });

  it('offers both sides of a join in its conditions, a shared column once', () => {
    const found = labels("['http-logs'] | join (['http-logs'] | extend mine = 1) on $0");
    assert.equal(found.filter((label) => label === 'status').length, 1);
    assert.ok(found.includes('mine') && found.includes('$left') && found.includes('$right'));
  });

  it('fills in the documentation of an item that is looked at', () => {
    const strlen = complete("['http-logs'] | where $0").find((item) => item.label === 'strlen');
    const resolved = resolveCompletion(strlen ?? assert.fail());
    assert.match((resolved.documentation as MarkupContent).value, /strlen\(/);
  });
});

describe('hover', () => {
  function shown(marked: string): string {
    const { text, offset } = cursor(marked);
    const found = hover(snapshotOf(text), offset);
    return (found?.contents as MarkupContent | undefined)?.value ?? '';
  }

  it('shows a function with its signature, a sentence and an example', () => {
    assert.match(shown("['http-logs'] | where str$0len(method) > 3"), /strlen\(.*: string\): long/);
  });

  it('shows an operator with the columns that flow in and out', () => {
    const text = shown("['http-logs'] | summ$0arize hits = count() by method");
    assert.match(text, /In: .*`status` long/);
    assert.match(text, /Out: .*`hits` long/);
  });

  it('shows a column with its type, unit and description', () => {
    const text = shown("['http-logs'] | where dur$0ation > 3");
    assert.match(text, /duration: real, ms/);
    assert.match(text, /Time to the last byte/);
  });

  it('shows a dataset and how many fields it has', () => {
    assert.match(shown("['http-$0logs'] | count"), /7 fields/);
  });

  it('shows nothing on white space', () => {
    assert.equal(shown("['http-logs'] $0 | count"), '');
  });
});

describe('the query at a position', () => {
  const text = "// Errors by method\n['http-logs']\n| where status >= 500\n\n\n['traces'] | count";

  it('is the one around the cursor, with the comment above as its title', () => {
    const [found] = queryAt(snapshotOf(text), { uri: '', position: { line: 2, character: 4 } });
    assert.equal(found?.title, 'Errors by method');
    assert.match(found?.text ?? '', /status >= 500$/);
  });

  it('is the one above on the line right below it, and none further away', () => {
    assert.equal(
      queryAt(snapshotOf(text), { uri: '', position: { line: 3, character: 0 } }).length,
      1,
    );
    assert.equal(
      queryAt(snapshotOf('\n\n\n'), { uri: '', position: { line: 1, character: 0 } }).length,
      0,
    );
  });

  it('are all of them without a position', () => {
    assert.deepEqual(
      queryAt(snapshotOf(text), { uri: '' }).map((query) => query.title),
      ['Errors by method', "['traces'] | count"],
    );
  });

  it('has a short title for a long first line', () => {
    assert.equal(titleOf(`print x = "${'y'.repeat(500)}"`).length, 80);
  });
});

describe('semantic tokens', () => {
  it('colours names by what they mean', () => {
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
