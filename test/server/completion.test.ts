/** Completion over marked text: the items, their order, and the text after one is accepted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type CompletionItem, CompletionItemKind, type MarkupContent } from 'vscode-languageserver';
import { proseOf, shapes } from '../../language/src/editing.ts';
import { analyze, operators, quoteText } from '../../language/src/index.ts';
import { completion, withEdits } from '../../server/src/features/completion.ts';
import { resolveCompletion, withoutPlaces } from '../../server/src/features/completionResolve.ts';
import type { SeenValue } from '../../server/src/protocol.ts';
import { ValuesSeen } from '../../server/src/valuesSeen.ts';
import { applied, cursor, schema, snapshotOf } from './marked.ts';

type Options = Parameters<typeof completion>[2];

/** Returns the items at the mark, sorted as in a list before anything is typed. */
function complete(marked: string, options?: Options): CompletionItem[] {
  const { text, offset } = cursor(marked);
  const { items } = withEdits(completion(snapshotOf(text), offset, options));
  const order = (item: CompletionItem) => (item.sortText ?? item.label).toLowerCase();
  return items.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}

function labels(marked: string, options?: Options): string[] {
  return complete(marked, options).map((item) => item.label);
}

/** Returns options with field values that earlier results contained. */
function seenIn(query: string, columns: Readonly<Record<string, SeenValue[]>>): Options {
  const seen = new ValuesSeen();
  const params = Object.entries(columns).map(([name, values]) => ({ name, values }));
  seen.add({ query, columns: params }, schema);
  return { seen };
}

/** Returns the text after the first item with that label is accepted at the mark. */
function chosen(marked: string, label: string, options?: Options): string {
  const found = complete(marked, options).find((item) => item.label === label);
  return applied(cursor(marked).text, found ?? assert.fail(`no ${label}`));
}

describe('completion', () => {
  it("offers a dataset's fields with type and unit after where, ahead of functions", () => {
    const items = complete("['http-logs'] | where $0");
    const duration = items.find((item) => item.label === 'duration');
    assert.equal(duration?.labelDetails?.description, 'real, ms');
    assert.ok(
      items.findIndex((item) => item.label === 'status') <
        items.findIndex((item) => item.label === 'strlen'),
    );
  });

  it('offers numbers but no functions for row counts and ratios', () => {
    for (const operator of ['take', 'limit', 'top'])
      assert.deepEqual(labels(`['http-logs'] | ${operator} $0`), ['10', '100', '1000']);
    assert.deepEqual(labels("['http-logs'] | sample $0"), ['0.1', '0.01', '0.001']);
    assert.deepEqual(labels("let most = 5; ['http-logs'] | take $0").slice(-1), ['most']);
  });

  it('offers a time bin first after `by` if the table has a time column and the stage has no time bin yet', () => {
    const first = (query: string) => labels(`['http-logs'] | ${query}`)[0];
    assert.equal(first('summarize count() by $0'), 'bin_auto(_time)');
    assert.equal(first('summarize count() by method, $0'), 'bin_auto(_time)');
    for (const other of [
      'summarize count() by bin_auto(_time), $0',
      'summarize count() by bin(_time, 1h), $0',
      'project status | summarize count() by $0',
    ])
      assert.ok(!labels(`['http-logs'] | ${other}`).includes('bin_auto(_time)'), other);
  });

  it('offers columns of the compared type first', () => {
    for (const [query, fitting, other] of [
      ['where $0 >= 500', 'status', 'method'],
      ['where $0 == "GET"', 'method', 'duration'],
      ["where $0 in ('GET', 'PUT')", 'method', 'duration'],
      ['where $0 contains word', 'method', 'duration'],
      ['where $0 > ago(1h)', '_time', 'duration'],
      ['where $0 > datetime(2026-01-01)', '_time', 'duration'],
      ['where $0 between (1 .. 5)', 'status', 'method'],
      ['where $0 > -1.5', 'duration', 'method'],
      ['where $0 !has_cs word', 'method', 'duration'],
      ['where $0 matches regex pattern', 'method', 'duration'],
      ['where status > 1 and $0 == "x"', 'method', 'duration'],
    ] as const) {
      const found = labels(`['http-logs'] | ${query}`);
      const places = [fitting, other].map((name) => found.indexOf(name));
      assert.ok(places[0] !== -1 && places[0]! < places[1]!, `${query}: ${found.slice(0, 12)}`);
    }
  });

  it('offers common widths for time bins and steps, and common timespans for ago()', () => {
    const widths = ['1m', '5m', '15m', '1h', '1d'];
    const bin = "['http-logs'] | summarize count() by bin(_time, $0)";
    assert.deepEqual(labels(bin).slice(0, 5), widths);
    assert.equal(chosen(bin, '5m'), "['http-logs'] | summarize count() by bin(_time, 5m)");
    const step = "['http-logs'] | make-series count() on _time step $0";
    assert.deepEqual(labels(step).slice(0, 5), widths);
    assert.equal(labels("['http-logs'] | where _time > ago($0)")[0], '15m');
    for (const other of ['bin(duration, $0)', 'bin(_time, 1h + $0)', 'bin(_time, ($0))'])
      assert.ok(!labels(`['http-logs'] | summarize count() by ${other}`).includes('5m'), other);
  });

  it('offers ago and now first in a time comparison', () => {
    for (const place of ['> $0', 'between ($0', 'between (ago(1h) .. $0'])
      assert.deepEqual(
        labels(`['http-logs'] | where _time ${place}`).slice(0, 2),
        ['ago', 'now'],
        place,
      );
  });

  it('offers nothing for a new name or a datetime literal', () => {
    for (const marked of [
      'union withsource=$0',
      "['http-logs'] | mv-expand with_itemindex=$0",
      "['http-logs'] | extend at = datetime($0)",
    ])
      assert.deepEqual(labels(marked), [], marked);
  });

  it("offers keywords first after an operand, but `and` and `or` last if the expression isn't a condition", () => {
    const first = (marked: string) => labels(`['http-logs'] | ${marked}`)[0];
    assert.equal(first('summarize count() $0'), 'by');
    assert.equal(first('summarize n = count() $0'), 'by');
    assert.equal(first('top 5 $0'), 'by');
    assert.equal(first('sort by status $0'), 'asc');
    assert.equal(first('parse method $0'), 'with');
    assert.deepEqual(labels("['http-logs'] | extend x = status $0").slice(-2), ['and', 'or']);
    assert.equal(first('where status == 5 $0'), 'and');
  });

  it("doesn't offer a let inside its own value", () => {
    assert.ok(!labels('let most = $0').includes('most'));
    assert.ok(!labels('let most = 5 + $0').includes('most'));
    assert.ok(labels('let most = 5; let least = $0').includes('most'));
  });

  it('quotes a column name that contains a dot', () => {
    const { text } = cursor("['http-logs'] | where geo$0");
    const city = complete("['http-logs'] | where geo$0").find((item) => item.label === 'geo.city');
    assert.equal(applied(text, city ?? assert.fail()), "['http-logs'] | where ['geo.city']");
  });

  it('quotes a dotted name that was started without quotes', () => {
    const { text } = cursor("['http-logs'] | where geo.ci$0");
    const city = complete("['http-logs'] | where geo.ci$0").find((item) => item.label === 'city');
    assert.equal(applied(text, city ?? assert.fail()), "['http-logs'] | where ['geo.city']");
  });

  it('offers only operators after a pipe', () => {
    const found = labels("['http-logs'] | $0");
    assert.ok(found.includes('project-away') && found.includes('summarize'));
    assert.ok(!found.includes('status') && !found.includes('strlen') && !found.includes('print'));
  });

  it('replaces an entire partially typed operator that contains a dash', () => {
    const { text } = cursor("['http-logs'] | project-a$0");
    const away = complete("['http-logs'] | project-a$0").find(
      (item) => item.label === 'project-away',
    );
    assert.match(applied(text, away ?? assert.fail()), /\| project-away /);
  });

  it('offers datasets at the start of a query, including in an empty document', () => {
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

  it('closes the bracket of a partially typed dataset', () => {
    const { text } = cursor("['ht$0");
    const dataset = complete("['ht$0").find((item) => item.label === 'http-logs');
    assert.equal(applied(text, dataset ?? assert.fail()), "['http-logs']");
  });

  it('offers only the columns that the preceding stage outputs', () => {
    const found = labels("['http-logs'] | summarize hits = count() by method | where $0");
    assert.ok(found.includes('hits') && found.includes('method'));
    assert.ok(!found.includes('status'));
  });

  it('offers columns after a broken stage', () => {
    const found = labels("['http-logs'] | where status == == | extend x = 1 | where $0");
    assert.ok(found.includes('status') && found.includes('x'));
  });

  it('offers aggregates in summarize and not in where', () => {
    assert.ok(labels("['http-logs'] | summarize $0").includes('dcount'));
    assert.ok(!labels("['http-logs'] | where $0").includes('dcount'));
  });

  it('offers string operators after a string and not after a number', () => {
    assert.ok(labels("['http-logs'] | where method $0").includes('contains'));
    const behindNumber = labels("['http-logs'] | where status $0");
    for (const label of ['contains', 'in~', '!in~', '=~', 'has_any'])
      assert.ok(!behindNumber.includes(label), label);
    assert.ok(behindNumber.includes('in') && behindNumber.includes('!in'));
    assert.ok(labels("['http-logs'] | where method $0").includes('in~'));
  });

  it('offers nothing in a comment or a plain string', () => {
    assert.deepEqual(labels("['http-logs'] // wh$0"), []);
    assert.deepEqual(labels("['http-logs'] | extend a = 'wh$0'"), []);
  });

  it('keeps the existing arguments of a function or operator and inserts only the name', () => {
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

  it('offers statements at the start of a query, and constants after a comparison operator', () => {
    for (const marked of ['$0', 'let n = 1; $0', '// first\n\n$0\n\ntraces']) {
      const found = labels(marked);
      assert.ok(found.includes('let') && found.includes('declare'), marked);
    }
    assert.ok(!labels("['http-logs'] | join ($0").includes('let'));
    const found = labels("['http-logs'] | where status == $0");
    for (const label of ['true', 'null', 'datetime', 'dynamic']) assert.ok(found.includes(label));
  });

  it('offers both sides of a join in its conditions, and a shared column once', () => {
    const found = labels("['http-logs'] | join (['http-logs'] | extend mine = 1) on $0");
    assert.equal(found.filter((label) => label === 'status').length, 1);
    assert.ok(found.includes('mine') && found.includes('$left') && found.includes('$right'));
  });

  it('resolves the documentation of a selected item', () => {
    const strlen = complete("['http-logs'] | where $0").find((item) => item.label === 'strlen');
    const resolved = resolveCompletion(strlen ?? assert.fail());
    assert.match((resolved.documentation as MarkupContent).value, /strlen\(/);
  });
});

describe('name completion', () => {
  it('matches columns typed as a word, as a path or in brackets with either quote', () => {
    const where = "['http-logs'] | where ";
    for (const typed of ['ci', 'geo.c', "['geo.c", '["geo.c', "['geo.ci']", "geo['c", "geo['c']"]) {
      const mark = typed.endsWith("']") ? typed.replace("']", "$0']") : `${typed}$0`;
      const found = complete(`${where}${mark} | count`).find(({ filterText }) =>
        filterText?.includes('geo.city'),
      );
      const { text } = cursor(`${where}${mark} | count`);
      assert.equal(
        applied(text, found ?? assert.fail(typed)),
        `${where}['geo.city'] | count`,
        typed,
      );
    }
  });

  it('matches datasets typed with or without brackets and inserts the required quotes', () => {
    for (const typed of ['http', "['http", '["http']) {
      const [found] = complete(`${typed}$0`).filter(({ label }) => label === 'http-logs');
      assert.equal(applied(typed, found ?? assert.fail(typed)), "['http-logs']");
      assert.ok(found?.filterText?.includes(typed), typed);
    }
    const odd = { datasets: [{ name: "it's", fields: [] }] };
    const [item] = withEdits(completion(snapshotOf('', odd), 0)).items;
    assert.equal(applied('', item ?? assert.fail()), "['it\\'s']");
    assert.equal(chosen("table('ht$0')", 'http-logs'), "table('http-logs')");
    assert.equal(chosen("['traces'] | union $0", 'http-logs'), "['traces'] | union ['http-logs']");
    assert.equal(
      chosen("['traces'] | where span in ($0", 'http-logs'),
      "['traces'] | where span in (['http-logs']",
    );
  });

  it('offers lets only after their declaration, tables as sources and values in expressions', () => {
    const lets = "let least = 5; let slow = ['http-logs'] | where duration > 1; ";
    const value = labels(`${lets}['http-logs'] | where status > $0`);
    assert.ok(value.includes('least') && !value.includes('slow'));
    const table = labels(`${lets}$0`);
    assert.ok(table.includes('slow') && !table.includes('least'));
    assert.ok(labels(`${lets}['http-logs'] | join $0`).includes('slow'));
    assert.ok(!labels(`let a = $0; let least = 5; print least`).includes('least'));
    assert.ok(labels('declare query_parameters (who:string); print $0').includes('who'));
  });

  it('does not offer hidden fields', () => {
    const hidden = {
      datasets: [{ name: 'a', fields: [{ name: 'h', type: 'string', hidden: true }] }],
    };
    const { items } = completion(snapshotOf('a | where ', hidden), 10);
    assert.ok(!items.some(({ label }) => label === 'h'));
  });

  it("offers each join side's columns after $left and $right", () => {
    const join = "['http-logs'] | project status | join (['traces']) on ";
    assert.deepEqual(labels(`${join}$left.$0`), ['status']);
    assert.equal(
      chosen(`${join}$left.status == $right.$0`, 'span'),
      `${join}$left.status == $right.span`,
    );
    assert.equal(chosen(`${join}$0`, '$left'), `${join}$left.`);
  });

  it('offers the keys of a constant bag', () => {
    const bag = 'let b = dynamic({"k": 1, "a b": 2}); print ';
    assert.equal(chosen(`${bag}b.$0`, 'k'), `${bag}b.k`);
    assert.equal(chosen(`${bag}b.$0`, 'a b'), `${bag}b['a b']`);
    assert.equal(chosen(`${bag}b['$0']`, 'a b'), `${bag}b['a b']`);
  });

  it('offers columns in the string argument of column_ifexists()', () => {
    const found = labels("['http-logs'] | extend x = column_ifexists('$0', 1)");
    assert.ok(found.includes('geo.city') && found.includes('status'));
  });
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: LSP snippets use this placeholder syntax.
describe('operator completion', () => {
  it('offers each operator as a keyword that reopens completion and as a snippet', () => {
    const found = complete("['http-logs'] | $0").filter(({ label }) => label === 'top');
    assert.deepEqual(
      found.map(({ textEdit }) => textEdit && 'newText' in textEdit && textEdit.newText),
      ['top ', 'top ${1:10} by ${2:field}'],
    );
    assert.equal(found[0]?.command?.command, 'editor.action.triggerSuggest');
    assert.equal(found[1]?.labelDetails?.detail, ' count by expression desc');
  });

  it('sorts keywords ahead of snippets', () => {
    const found = complete("['http-logs'] | $0");
    const order = (label: string, kind: CompletionItemKind) =>
      found.find((item) => item.label === label && item.kind === kind)?.sortText ?? assert.fail();
    const snippet = order('where', CompletionItemKind.Snippet);
    assert.ok(order('summarize', CompletionItemKind.Keyword) < snippet);
    assert.ok(order('getschema', CompletionItemKind.Keyword) < snippet);
  });

  it('starts with the most common operators', () => {
    const [first, ...rest] = labels("['http-logs'] | $0");
    assert.equal(first, 'where');
    assert.ok(rest.indexOf('summarize') < rest.indexOf('getschema'));
  });

  it('offers snippets that are valid after their placeholders are filled', () => {
    const known = {
      datasets: [
        {
          name: 'table',
          fields: ['field', 'text', 'old', 'status'].map((name) => ({ name, type: 'unknown' })),
        },
        { name: 'dataset', fields: [] },
      ],
    };
    const filled = (snippet: string) =>
      withoutPlaces(snippet)
        .replace('condition', 'true')
        .replace(/\b(expression|value)\b/, '1');
    for (const row of operators) {
      const { name, role } = row;
      const { snippet } = proseOf(row);
      const text = role === 'source' ? filled(snippet) : `['table'] | ${filled(snippet)}`;
      const errors = analyze(text, known).problems.filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        errors.map(({ code }) => code),
        [],
        `${name}: ${text}`,
      );
    }
    for (const { name, snippet } of shapes) {
      const text = `['table'] | ${filled(snippet)}`;
      const errors = analyze(text, known).problems.filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        errors.map(({ code }) => code),
        [],
        `${name}: ${text}`,
      );
    }
  });

  it('offers query templates last', () => {
    const found = labels("['http-logs'] | $0");
    assert.ok(found.indexOf('error rate') > found.indexOf('getschema'));
    assert.match(chosen("['http-logs'] | $0", 'top values'), /by field\n\| top 10 by count_$/);
  });

  it("starts with the scalar operators most useful for the operand's type", () => {
    const first = (marked: string) => labels(marked).slice(0, 2);
    assert.deepEqual(first("['http-logs'] | where method $0"), ['==', '!=']);
    assert.deepEqual(first("['http-logs'] | where duration $0"), ['>', '>=']);
    assert.deepEqual(first("['http-logs'] | where status == 1 $0"), ['and', 'or']);
    const text = labels("['http-logs'] | where method $0");
    for (const plain of ['contains', 'has', 'startswith', 'endswith', 'hasprefix', 'has_any'])
      for (const label of text.filter((one) => [`!${plain}`, `${plain}_cs`].includes(one)))
        assert.ok(text.indexOf(plain) < text.indexOf(label), `${plain} before ${label}`);
    assert.ok(text.indexOf('hasprefix_cs') < text.indexOf('!hasprefix'));
    assert.ok(text.indexOf('!hasprefix') < text.indexOf('!contains_cs'));
    assert.ok(!labels("['http-logs'] | where status $0").includes('not'));
    assert.equal(
      chosen("['http-logs'] | where method $0", 'in'),
      "['http-logs'] | where method in ()",
    );
    assert.equal(
      chosen("['http-logs'] | where status h$0 200", '=='),
      "['http-logs'] | where status == 200",
    );
  });
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: LSP snippets use this placeholder syntax.
describe('keyword completion', () => {
  const offered: readonly (readonly [string, ...string[]])[] = [
    ["['http-logs'] | join kind=$0", 'inner', 'innerunique', 'leftouter'],
    ["['http-logs'] | lookup kind=$0", 'leftouter', 'inner'],
    ["['http-logs'] | parse kind=$0", 'simple', 'regex', 'relaxed'],
    ["['http-logs'] | search kind=$0", 'case_sensitive'],
    ["['http-logs'] | sort by status $0", 'asc', 'desc', 'nulls first', 'nulls last'],
    ["['http-logs'] | sort by status desc nulls $0", 'first', 'last'],
    ["['http-logs'] | make-series count() $0", 'default=', 'on', 'from', 'to', 'step', 'by'],
    ["['http-logs'] | project-reorder status $0", 'granny-asc'],
    ["['http-logs'] | extend d = datetime_part('$0', _time)", 'hour', 'week_of_year'],
    ["['http-logs'] | extend d = datetime_diff('$0'", 'nanosecond', 'day'],
    ["['http-logs'] | extend d = datetime_add($0", "'month'", "'day'"],
    ["['http-logs'] | extend s = format_bytes(1, 2, '$0')", 'KiB', 'MB'],
    ["['http-logs'] | extend e = ensure_field('x', $0", 'typeof(long)', 'typeof(string)'],
    ['datatable (a:$0', 'long', 'real', 'datetime', 'int'],
    ["['http-logs'] | mv-expand code to typeof($0", 'long', 'string'],
    ['set $0', 'stricttypes'],
    ['externaldata (a:string) ["x"] with (format="$0")', 'csv', 'json'],
    ['externaldata (a:string) ["x"] with (ignoreFirstRecord=$0', 'true', 'false'],
    ["['http-logs'] | redact replaceHash=$0", 'true', 'false'],
    ["['http-logs'] | summarize count() $0", 'by'],
    ["['http-logs'] | top 5 $0", 'by'],
  ];
  for (const [marked, ...expected] of offered) {
    it(`offers allowed values and keywords: ${marked}`, () => {
      const found = labels(marked);
      for (const label of expected) assert.ok(found.includes(label), `${label} in ${found}`);
    });
  }

  it('adds a space after a keyword unless a space follows', () => {
    assert.equal(chosen("['http-logs'] | top 5 b$0", 'by'), "['http-logs'] | top 5 by ");
    assert.equal(chosen("['http-logs'] | top 5 b$0 x", 'by'), "['http-logs'] | top 5 by x");
  });

  it('keeps the existing quotes of date parts', () => {
    const line = "['http-logs'] | extend d = datetime_part(";
    assert.equal(chosen(`${line}'ho$0', _time)`, 'hour'), `${line}'hour', _time)`);
    assert.equal(chosen(`${line}"ho$0", _time)`, 'hour'), `${line}"hour", _time)`);
    assert.equal(chosen(`${line}'ho$0`, 'hour'), `${line}'hour'`);
    assert.equal(chosen(`${line}$0, _time)`, "'hour'"), `${line}'hour', _time)`);
  });
});

describe('completion of values from results', () => {
  const all = "['http-logs'] | take 5";
  const options = seenIn(all, {
    method: ['GET', "it's", 'a\\b "c"'],
    status: [200, 404],
    'geo.city': ['Lisbon'],
    code: [7, 'E7'],
  });

  it('offers the values first in a comparison, with strings in quotes', () => {
    for (const operator of ['==', '!=', 'has', '!contains', '=~', 'in (', 'has_any (']) {
      assert.equal(labels(`['http-logs'] | where method ${operator} $0`, options)[0], "'GET'");
    }
    assert.deepEqual(labels("['http-logs'] | where status == $0", options).slice(0, 2), [
      '200',
      '404',
    ]);
    assert.equal(labels("['http-logs'] | where status in (200, $0", options)[1], '404');
    assert.deepEqual(labels("['http-logs'] | where code == $0", options).slice(0, 2), [
      '7',
      "'E7'",
    ]);
    assert.equal(labels("['http-logs'] | where ['geo.city'] == $0", options)[0], "'Lisbon'");
    assert.notEqual(labels("['http-logs'] | where status > $0", options)[0], '200');
  });

  it('escapes the values for the existing quotes and closes an open quote', () => {
    const where = "['http-logs'] | where method == ";
    assert.equal(chosen(`${where}'i$0'`, "it's", options), `${where}'it\\'s'`);
    assert.equal(chosen(`${where}"i$0"`, "it's", options), `${where}"it's"`);
    assert.equal(chosen(`${where}@'i$0'`, "it's", options), `${where}@'it''s'`);
    assert.equal(chosen(`${where}"a$0"`, 'a\\b "c"', options), `${where}"a\\\\b \\"c\\""`);
    assert.equal(chosen(`${where}'G$0 | count`, 'GET', options), `${where}'GET' | count`);
    assert.equal(chosen(`${where}$0`, quoteText("it's"), options), `${where}'it\\'s'`);
  });

  it("uses the quote style of the document's strings", () => {
    const first = (before: string) =>
      labels(`${before}\n\n['http-logs'] | where method == $0`, options)[0];
    assert.equal(first(`['http-logs'] | where method == "PUT"`), '"GET"');
    assert.equal(first(`['http-logs'] | where method in ("PUT", 'a')`), "'GET'");
    assert.equal(first(`["http-logs"] | take 1`), "'GET'");
    const part = `['http-logs'] | where method == "PUT" | extend d = datetime_part($0, _time)`;
    assert.ok(labels(part).includes('"hour"'));
    const line = `['http-logs'] | where method == "PUT" or method == `;
    assert.equal(chosen(`${line}$0`, '"a\\\\b \\"c\\""', options), `${line}"a\\\\b \\"c\\""`);
  });

  it('ignores values of a computed column with the name of a stored field', () => {
    const computed = seenIn("['http-logs'] | extend method = 'made' | project method, status", {
      method: ['made'],
      status: [1],
    });
    assert.ok(!labels("['http-logs'] | where method == $0", computed).includes("'made'"));
    assert.equal(labels("['http-logs'] | where status == $0", computed)[0], '1');
    const after = "['http-logs'] | extend method = 'x' | where method == $0";
    assert.ok(!labels(after, options).includes("'GET'"));
  });

  it('offers values of a group column in a result as values of the grouped field', () => {
    const grouped = seenIn("['http-logs'] | summarize count() by method", { method: ['PUT'] });
    assert.equal(labels("['http-logs'] | where method == $0", grouped)[0], "'PUT'");
  });

  it('keeps the latest 100 values per field, newest first', () => {
    const seen = new ValuesSeen();
    const add = (values: SeenValue[]) =>
      seen.add({ query: all, columns: [{ name: 'method', values }] }, schema);
    add(Array.from({ length: 90 }, (_, i) => `old${i}`));
    add(['new', 'old5', ...Array.from({ length: 60 }, (_, i) => `newer${i}`)]);
    const values = seen.of('http-logs', 'method');
    assert.equal(values.length, 100);
    assert.deepEqual(values.slice(0, 2), ['new', 'old5']);
    seen.clear();
    assert.deepEqual(seen.of('http-logs', 'method'), []);
  });

  it('treats values of status1, a name generated by a join, as values of the field status', () => {
    const joined = "['http-logs'] | join (['http-logs']) on method";
    const { seen } = seenIn(joined, { status1: [404] }) ?? {};
    assert.deepEqual(seen?.of('http-logs', 'status'), [404]);
  });

  it('ignores malformed queries and names', () => {
    for (const query of ['', '|||', '🙂', "['http-logs'] | extend"]) {
      const hostile = seenIn(query, { method: ['x'], __proto__: ['y'], '': ['z'] });
      assert.ok(labels("['http-logs'] | where method == $0", hostile).length > 0);
    }
  });
});

describe('completion on a trigger character', () => {
  const asked = (marked: string, trigger: string) => labels(marked, { trigger }).length > 0;

  it('opens if the query needs more text at the cursor', () => {
    for (const [marked, trigger] of [
      ["['http-logs'] |$0", '|'],
      ["['http-logs'] | $0", ' '],
      ["['http-logs'] | where $0", ' '],
      ["['http-logs'] | where method $0", ' '],
      ["['http-logs'] | where method == $0", ' '],
      ["['http-logs'] | where geo.$0", '.'],
      ["['$0']", "'"],
      ["['http-logs'] | join kind=$0", '='],
      ["['http-logs'] | where method in ($0)", '('],
      ["['http-logs'] | join ($0)", '('],
      ["['http-logs'] | extend d = datetime_part('$0')", "'"],
      ['datatable (a:$0)', ':'],
      ["['http-logs'] | join (['traces']) on $0", ' '],
    ] as const) {
      assert.ok(asked(marked, trigger), `${marked} after ${trigger}`);
    }
  });

  it("doesn't open if the line could be complete, so Enter inserts a line break", () => {
    for (const [marked, trigger] of [
      ["['http-logs'] | where status == 200 $0", ' '],
      ["['http-logs'] | project status $0", ' '],
      ["['http-logs'] | sort by status $0", ' '],
      ["['http-logs'] | take 10 $0", ' '],
      ["['http-logs'] | extend x =$0", '='],
      ["['http-logs'] | extend x = strlen($0)", '('],
      ["['http-logs'] | extend x = '$0'", "'"],
      ["['http-logs'] | where method == 'a $0'", ' '],
      ['// a remark $0', ' '],
      [' $0', ' '],
    ] as const) {
      assert.ok(!asked(marked, trigger), `${marked} after ${trigger}`);
    }
  });
});

describe('a completion list', () => {
  it('specifies one edit range for the list and none for each item', () => {
    const list = completion(snapshotOf("['http-logs'] | where sta"), 25);
    const range = { start: { line: 0, character: 22 }, end: { line: 0, character: 25 } };
    assert.deepEqual(list.itemDefaults?.editRange, range);
    assert.ok(list.items.every(({ textEdit }) => textEdit === undefined));
    const edits = withEdits(list).items.map(({ textEdit }) => textEdit);
    assert.ok(
      edits.every((edit) => edit && 'range' in edit && isDeepStrictEqual(edit.range, range)),
    );
  });

  it("starts with columns and functions that match the parameter's type", () => {
    const first = complete("['http-logs'] | extend x = strlen($0").filter(
      ({ labelDetails }) => labelDetails?.description === 'string',
    );
    assert.equal(first[0]?.label, 'geo.city');
    const found = labels("['http-logs'] | extend x = strlen($0");
    assert.ok(found.indexOf('method') < found.indexOf('status'));
    assert.ok(found.indexOf('tolower') < found.indexOf('abs'));
  });

  it('starts with numeric fields for numeric parameters, and includes times for bin()', () => {
    const fields = (marked: string) =>
      complete(`['http-logs'] | ${marked}`)
        .filter(({ kind }) => kind === CompletionItemKind.Field)
        .map(({ label }) => label);
    for (const call of ['sum($0', 'avg($0', 'percentile($0, 95)', 'stdev($0'])
      assert.deepEqual(
        fields(`summarize ${call}`).slice(0, 3),
        ['code', 'duration', 'status'],
        call,
      );
    assert.deepEqual(fields('extend x = round($0').slice(0, 3), ['code', 'duration', 'status']);
    const binned = ['_time', 'code', 'duration', 'status'];
    assert.deepEqual(fields('summarize count() by bin($0').slice(0, 4), binned);
    assert.ok(fields('summarize sum($0').includes('method'));
  });

  it('lists columns created by the query ahead of stored fields', () => {
    const found = labels("['http-logs'] | extend zz = 1 | where $0");
    assert.equal(found[0], 'zz');
    assert.ok(found.indexOf('status') < found.indexOf('_sysTime'));
  });

  it('resolves the documentation of fields, operators and templates', () => {
    const shown = (marked: string, label: string) => {
      const item = complete(marked).find((one) => one.label === label);
      const { documentation } = resolveCompletion(item ?? assert.fail(label), schema);
      return (documentation as MarkupContent).value;
    };
    assert.match(
      shown("['http-logs'] | where $0", 'duration'),
      /Time to the last byte[\s\S]*http-logs/,
    );
    assert.match(shown("['http-logs'] | $0", 'summarize'), /aggregate[\s\S]*by/);
    assert.match(shown("['http-logs'] | where method $0", 'has'), /contains a word/);
    assert.match(shown("['http-logs'] | $0", 'error rate'), /countif\(status >= 500\)/);
  });
});
