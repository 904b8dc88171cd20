/**
 * The layout of formatted text, rule by rule: line breaks, indentation, spaces, and unchanged parts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FormatOptions, format, formatQuery } from '../../language/src/editing.ts';
import { analyze, applyEdits } from '../../language/src/index.ts';

function formatted(text: string, options: Partial<FormatOptions> = {}): string {
  return applyEdits(text, format(text, { finalNewline: false, ...options }));
}

/** Asserts the formatted text, and that formatting it again changes nothing. */
function becomes(text: string, wanted: string, options: Partial<FormatOptions> = {}): void {
  assert.equal(formatted(text, options), wanted);
  assert.equal(formatted(wanted, options), wanted);
}

function staysAs(text: string, options: Partial<FormatOptions> = {}): void {
  becomes(text, text, options);
}

describe('formatted stages', () => {
  it('each start on a separate line', () => {
    becomes("['logs']|where a==1|take 5", "['logs']\n| where a == 1\n| take 5");
  });

  it("a single stage stays on the source's line if it was written there and fits", () => {
    becomes("['logs']|count", "['logs'] | count");
    staysAs("['logs']\n| count");
    becomes('logs | where status == 1', 'logs\n| where status == 1', { width: 20 });
  });

  it('start with their pipe', () => {
    becomes('logs |\n  where a |\ncount', 'logs\n| where a\n| count');
  });

  it('are indented in a parenthesized subquery and in a let', () => {
    becomes(
      'let t = logs | where a | take 5; t | join kind=inner (u | where b | take 1) on id | count',
      [
        'let t = logs',
        '    | where a',
        '    | take 5;',
        't',
        '| join kind=inner (',
        '    u',
        '    | where b',
        '    | take 1',
        ') on id',
        '| count',
      ].join('\n'),
    );
    becomes(
      'logs | where id in (u | where b | project id) and c',
      'logs\n| where id in (\n    u\n    | where b\n    | project id\n)\n    and c',
    );
  });

  it('form an indented block in each union table with several stages', () => {
    becomes(
      'union (a | where x | take 1), b',
      'union\n    (\n        a\n        | where x\n        | take 1\n    ),\n    b',
    );
    staysAs('union (a | where x), (b | where x)');
  });
});

describe('formatted statements', () => {
  it('start on separate lines and keep at most one blank line between them', () => {
    becomes('let a=1;let b = 2 ;\n\n\n\nlogs', 'let a = 1;\nlet b = 2;\n\nlogs');
  });

  it('include query parameters, set and print', () => {
    becomes(
      "declare query_parameters (a:string='x',b : long);set stricttypes ;print a",
      "declare query_parameters(a: string = 'x', b: long);\nset stricttypes;\nprint a",
    );
  });
});

describe('formatted spaces', () => {
  it('surround operators and follow commas, but are removed inside parentheses', () => {
    becomes(
      'logs|where a==1 and( b!=-c or not (d) )and e!in( 1,2 )|extend f=bin( g ,1h )',
      'logs\n| where a == 1 and (b != -c or not(d)) and e !in (1, 2)\n| extend f = bin(g, 1h)',
    );
  });

  it('are removed from member access, indexes and slices', () => {
    becomes('print a . b [ 0 ] . c, d[ 1 : 2 ]', 'print a.b[0].c, d[1:2]');
  });

  it('are removed around the = of an option', () => {
    becomes(
      "logs | parse kind = regex a with 'x' b:long | parse-kv c as (d:string) with ( quote = '\"' )",
      "logs\n| parse kind=regex a with 'x' b: long\n| parse-kv c as (d: string) with (quote='\"')",
    );
  });

  it('are kept where they are significant, such as before granny-desc or inside a datetime', () => {
    staysAs("logs | project-reorder a*, ['b.c']*, * granny-desc");
    becomes('print datetime( 2024-01-01 10:00 )', 'print datetime(2024-01-01 10:00)');
    becomes('search in (a*,b) field : term', 'search in (a*, b) field:term');
  });

  it('replace no-break spaces', () => {
    becomes('logs\u00a0|\u00a0count', 'logs | count');
  });
});

describe('formatted lists', () => {
  it('have one item per line if they do not fit on one line', () => {
    becomes(
      'logs | project first, second, third',
      'logs\n| project\n    first,\n    second,\n    third',
      { width: 20 },
    );
  });

  it('stay one item per line if they were written on several lines', () => {
    becomes('logs\n| extend a = 1,\n         b = 2', 'logs\n| extend\n    a = 1,\n    b = 2');
    becomes('logs\n| extend a = 1\n, b = 2', 'logs\n| extend\n    a = 1,\n    b = 2');
  });

  it("the aggregates of summarize wrap only if they don't fit on one line, without the by clause", () => {
    becomes(
      'logs | summarize total = count(), most = max(a) by b',
      'logs\n| summarize total = count(), most = max(a)\n    by b',
      { width: 45 },
    );
    becomes(
      'logs | summarize total = count(), most = max(a) by b',
      'logs\n| summarize\n    total = count(),\n    most = max(a)\n    by b',
      { width: 40 },
    );
  });

  it('a list of constants has as many items per line as fit', () => {
    becomes(
      "logs | where a in ('get', 'post', 'put', 'patch')",
      "logs\n| where a in (\n    'get', 'post', 'put',\n    'patch'\n)",
      { width: 28 },
    );
  });

  it('keep each pair of case() arguments on one line', () => {
    becomes(
      "logs | extend a = case(b < 1, 'small', b < 2, 'large', 'huge')",
      "logs\n| extend a = case(\n    b < 1, 'small',\n    b < 2, 'large',\n    'huge'\n)",
      { width: 30 },
    );
  });

  it('contain one datatable row per line', () => {
    becomes(
      "datatable (a:string,b:long)['x',1,\n'y',2,]|count",
      "datatable(a: string, b: long)\n[\n    'x', 1,\n    'y', 2,\n]\n| count",
    );
  });

  it('a list in dynamic(…) keeps `dynamic({` on one line', () => {
    becomes(
      "print dynamic({'a':[1,2],'b':{'c':null}})",
      "print dynamic({\n    'a': [1, 2],\n    'b': {'c': null}\n})",
      { width: 30 },
    );
  });
});

describe('formatted conditions', () => {
  it("wrap before `and` if they don't fit on one line", () => {
    becomes(
      'logs | where status == 500 and (method == "GET" or method == "PUT") and ok',
      [
        'logs',
        '| where status == 500',
        '    and (method == "GET" or method == "PUT")',
        '    and ok',
      ].join('\n'),
      { width: 45 },
    );
  });

  it('stay on several lines if they were written on several lines', () => {
    becomes('logs\n| where a and\n  b and c', 'logs\n| where a\n    and b\n    and c');
  });
});

describe('formatting deeply nested text', () => {
  it('caps the indentation, so the text grows less than tenfold', () => {
    const deep = `print ${'f('.repeat(200)}${'1, '.repeat(2_000)}1${')'.repeat(200)}`;
    assert.ok(formatted(deep).length < deep.length * 10);
  });
});

describe('formatted comments', () => {
  it('never move to another line or swallow code', () => {
    becomes(
      [
        '// above',
        'logs   // source',
        '  // own line',
        '|where a  // stage',
        '//| take 10',
        '| extend b=1,// one',
        'c=2 // two',
        ', d=3',
        '| where e in (1, // first',
        '2)',
        '// below',
      ].join('\n'),
      [
        '// above',
        'logs // source',
        '// own line',
        '| where a // stage',
        '//| take 10',
        '| extend',
        '    b = 1, // one',
        '    c = 2 // two',
        '    , d = 3',
        '| where e in (',
        '    1, // first',
        '    2',
        ')',
        '// below',
      ].join('\n'),
    );
  });

  it('the line after a comment inside a stage is indented', () => {
    becomes(
      'logs | where // why\na == // what\n1',
      'logs\n| where // why\n    a == // what\n    1',
    );
  });

  it('a comment before a closing bracket is indented with the content', () => {
    becomes(
      'logs | join (u // right\n// done\n) on id',
      'logs\n| join (\n    u // right\n    // done\n) on id',
    );
  });

  it('keep their indentation between queries', () => {
    becomes('a|count  \n\n  // alone \n\nb', 'a | count\n\n  // alone\n\nb');
  });

  it('a disable-next-line comment prevents the next line from being wrapped', () => {
    const text = [
      '// aplomb-disable-next-line dropped-column',
      "['logs']|project a|where b == 1",
      '| extend',
      '// aplomb-disable-next-line',
      'c=1,d=2,',
      'e=3',
    ].join('\n');
    becomes(
      text,
      [
        '// aplomb-disable-next-line dropped-column',
        "['logs'] | project a | where b == 1",
        '| extend',
        '    // aplomb-disable-next-line',
        '    c = 1, d = 2,',
        '    e = 3',
      ].join('\n'),
    );
    assert.deepEqual(
      analyze(formatted(text)).problems.map(({ code }) => code),
      analyze(text).problems.map(({ code }) => code),
    );
  });
});

describe('formatting broken queries', () => {
  it('keeps a broken stage unchanged and formats the stages around it', () => {
    becomes(
      'logs|where a==1\n| where   b== \n|project  c,d',
      'logs\n| where a == 1\n| where   b==\n| project c, d',
    );
    becomes(
      'logs | where  a==1 | extend b== | count',
      'logs\n| where a == 1\n| extend b==\n| count',
    );
  });

  it('keeps an operator that APL lacks unchanged', () => {
    becomes('logs|render  timechart  with(x=1)', 'logs |render  timechart  with(x=1)');
  });

  it('keeps an unclosed subquery and formats the stages above it', () => {
    becomes(
      'logs|where a==1\n| join (u\n  | where b\n| take  5',
      'logs\n| where a == 1\n| join (u\n  | where b\n| take 5',
    );
  });

  it('keeps lines with an unclosed quote unchanged', () => {
    becomes(
      "logs | where a == | where b == 'x | count\n| project   a",
      "logs | where a == | where b == 'x | count\n| project a",
    );
  });

  it('keeps an unquoted dataset name that contains a dash unchanged', () => {
    staysAs('http-logs | count');
  });
});

describe('formatted documents', () => {
  it('keep blank lines between queries and lose those at the start and end', () => {
    becomes('\n\n a|count \n\n\n\nb;c\n\n\n', 'a | count\n\n\n\nb;\nc\n');
  });

  it('end in a line break if requested', () => {
    becomes('a | count', 'a | count\n', { finalNewline: true });
    becomes('a | count\n\n', 'a | count\n', { finalNewline: true });
  });

  it('keep their line endings', () => {
    becomes(
      'a|where b\r\n|take 5\r\n\r\nc|count\r\n',
      'a\r\n| where b\r\n| take 5\r\n\r\nc | count\r\n',
    );
  });

  it('are unchanged if they contain no query', () => {
    for (const text of ['', ' \n\t\n', '// only this \n']) staysAs(text);
  });

  it('use the requested tab size or tabs for indentation', () => {
    const text = 'logs | project aaaa, bbbb, cccc';
    becomes(text, 'logs\n| project\n  aaaa,\n  bbbb,\n  cccc', { tabSize: 2, width: 20 });
    becomes(text, 'logs\n| project\n\taaaa,\n\tbbbb,\n\tcccc', { insertSpaces: false, width: 20 });
  });
});

describe('formatting edits', () => {
  it('are empty for formatted text', () => {
    assert.deepEqual(format("['logs']\n| where a == 1\n| count\n"), []);
    assert.deepEqual(formatQuery("['logs']\n| where a == 1\n| count"), []);
  });

  it('replace only the whitespace that differs', () => {
    assert.deepEqual(formatQuery('logs\n   | where a ==1 // one\n  | count'), [
      { start: 5, end: 8, text: '' },
      { start: 20, end: 20, text: ' ' },
      { start: 29, end: 31, text: '' },
    ]);
  });
});
