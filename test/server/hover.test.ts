/** Hover over marked text: the content for the name under the cursor, and its range. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkupContent } from 'vscode-languageserver';
import { functions, operators, type Schema } from '../../language/src/index.ts';
import { hover } from '../../server/src/features/hover.ts';
import { columnMarkdown, functionMarkdown, operatorMarkdown } from '../../server/src/markdown.ts';
import { cursor, schema, snapshotOf, textAt } from './marked.ts';

function shown(marked: string, known: Schema = schema): string {
  const { text, offset } = cursor(marked);
  const found = hover(snapshotOf(text, known), offset);
  return (found?.contents as MarkupContent | undefined)?.value ?? '';
}

/** Returns the text in the range of the hover at the mark. */
function around(marked: string): string {
  const { text, offset } = cursor(marked);
  const range = hover(snapshotOf(text), offset)?.range;
  return range === undefined ? '' : textAt(text, range);
}

describe('hover', () => {
  it("shows a function's signature", () => {
    assert.match(shown("['http-logs'] | where str$0len(method) > 3"), /strlen\(.*: string\): long/);
  });

  it("shows an operator's input and output columns", () => {
    const text = shown("['http-logs'] | summ$0arize hits = count() by method");
    assert.match(text, /In: .*`status` long/);
    assert.match(text, /Out: .*`hits` long/);
  });

  it('shows a column with its type, unit and description', () => {
    const text = shown("['http-logs'] | where dur$0ation > 3");
    assert.match(text, /duration: real, ms/);
    assert.match(text, /Time to the last byte/);
  });

  it('shows a dataset and its fields', () => {
    assert.match(shown("['http-$0logs'] | count"), /7 fields: .*`status` long/);
  });

  it('shows nothing on whitespace', () => {
    assert.equal(shown("['http-logs'] $0 | count"), '');
  });
});

describe('hover on an operator', () => {
  it('has an example with one stage per line and short lines', () => {
    assert.match(shown("['http-logs'] | wh$0ere status == 1"), /\nlogs\n\| where [^\n]{0,36}\n/);
  });

  it('counts input and output columns and truncates long lists', () => {
    const text = shown("['http-logs'] | summ$0arize hits = count() by method");
    assert.match(text, /In: 7 columns: /);
    assert.match(text, /Out: 2 columns: `method` string, `hits` long/);
    const fields = Array.from({ length: 40 }, (_, i) => ({ name: `f${i}`, type: 'string' }));
    const wide: Schema = { datasets: [{ name: 'wide', fields }] };
    assert.match(shown('wide | ext$0end x = 1', wide), /`f21` string, 18 more/);
  });

  it('says if the columns are unchanged and if there may be unknown columns', () => {
    assert.match(shown("['http-logs'] | wh$0ere status == 1"), /Out: the same columns/);
    assert.match(shown('nowhere | extend x = 1 | proj$0ect x'), /In: .*possibly others/);
  });

  it('is shown for hyphenated, nested and source operators', () => {
    assert.equal(around("['traces'] | project-aw$0ay span"), 'project-away');
    assert.match(
      shown("['traces'] | join (['traces'] | ta$0ke 5) on span"),
      /up to the specified number of rows/,
    );
    assert.match(shown('pri$0nt 1'), /a row of computed values/);
  });
});

describe('hover on a name', () => {
  it('shows the definition of a column', () => {
    const text = "['http-logs']\n| extend slow = duration > 100\n| where sl$0ow";
    assert.match(
      shown(text),
      /slow: bool[\s\S]*Defined by `extend` on line 2: `slow = duration > 100`/,
    );
    assert.match(shown("['http-logs'] | where st$0atus > 1"), /Field of \*http-logs\*/);
  });

  it('lists all types of a field by their names in APL', () => {
    assert.match(shown("['http-logs'] | where co$0de == 1"), /code: long \| string/);
  });

  it("shows a let's value, a let table's columns, and a parameter's default", () => {
    assert.match(shown('let least = 5h; print le$0ast'), /let least: timespan = 5h/);
    const table = shown("let t = ['traces'] | extend n = 1; $0t | count");
    assert.match(table, /let t: table[\s\S]*2 columns: `span` string, `n` long/);
    assert.match(
      shown('declare query_parameters (who:string = "me"); print wh$0o'),
      /parameter who: string = "me"/,
    );
  });

  it('escapes user-written descriptions', () => {
    const hostile: Schema = {
      datasets: [
        {
          name: 'a',
          description: '![x](http://example.com/x.png) <b>',
          fields: [{ name: '`', type: 'string', description: '[link](command:x)' }],
        },
      ],
    };
    assert.doesNotMatch(shown('$0a | count', hostile), /!\[x\]|<b>/);
    assert.doesNotMatch(shown("a | where ['$0`'] == 'x'", hostile), /\[link\]\(/);
    const odd = columnMarkdown({ name: 'a```\nb', type: 'long' });
    assert.match(odd, /^````axiom-apl\n/);
  });

  it("creates no links from a field's description, unit or type", () => {
    const link = '[go](command:x)';
    const fields = [
      {
        name: 'n',
        type: 'integer',
        unit: link,
        description: 'https://a.example www.a.example a@b.c',
      },
      { name: 'odd', type: link },
    ];
    const known: Schema = { datasets: [{ name: 'a', fields }] };
    assert.match(
      shown('a | where $0n > 5', known),
      /https\\:\/\/a\.example www\\\.a\.example a\\@b\.c/,
    );
    assert.match(shown('a | where n > $05', known), /5 \\\[go\\\]\(command:x\)/);
    assert.match(shown('$0a | count', known), /`odd` \\\[go\\\]/);
  });
});

describe('hover on keywords', () => {
  it('describes a scalar operator, its case sensitivity and its negation', () => {
    const has = shown("['http-logs'] | where method h$0as 'x'");
    assert.match(has, /case-insensitive[\s\S]*`has_cs`[\s\S]*`!has`/);
    assert.equal(around("['http-logs'] | where method !conta$0ins_cs 'x'"), '!contains_cs');
    assert.equal(around("['http-logs'] | where method matches re$0gex 'x'"), 'matches regex');
    assert.match(shown("['http-logs'] | where status i$0n (1, 2)"), /in a list/);
    assert.match(shown("['http-logs'] | where status betwe$0en (1 .. 2)"), /both inclusive/);
    assert.match(shown("['http-logs'] | where status =$0= 1"), /Equal/);
  });

  it('describes types, options and option values', () => {
    assert.match(shown('datatable (a:lo$0ng) [1]'), /64-bit integer/);
    assert.match(shown('datatable (a:in$0t) [1]'), /64-bit integer/);
    const join = "['traces'] | join kind=inner (['traces']) on span";
    assert.match(shown(join.replace('inner', 'inn$0er')), /kind=inner.*each match/);
    assert.match(shown(join.replace('kind', 'ki$0nd')), /kind=.*Which rows to keep.*`inner`/);
    assert.match(shown("['traces'] | sort by span de$0sc"), /Descending order/);
    assert.match(shown('le$0t a = 1; print a'), /name for a value/);
    assert.match(
      shown("['traces'] | sort by span nulls la$0st"),
      /`nulls last`: .*Null values last/,
    );
  });

  it('describes the clauses of an operator', () => {
    assert.match(shown("['http-logs'] | summarize count() b$0y method"), /`by`: The groups/);
    assert.match(shown("['traces'] | top 5 b$0y span"), /`by`: The sort keys/);
    assert.match(shown("['traces'] | join (['traces']) o$0n span"), /`on`: .*of both tables/);
    assert.match(shown("['traces'] | extend by = 1 | project b$0y"), /by: long/);
  });

  it('describes $left and $right with their columns', () => {
    const join = "['http-logs'] | join (['traces'] | extend n = 1) on $left.method == $right.span";
    const left = shown(join.replace('$left', '$le$0ft'));
    assert.match(left, /`\$left`: The row of the left table\.\n\n7 columns: /);
    const right = shown(join.replace('$right', '$rig$0ht'));
    assert.match(right, /`\$right`: .*\n\n2 columns: `span` string, `n` long/);
    assert.equal(shown("['http-logs'] | where $le$0ft == 1"), '');
  });

  it('shows the APL equivalent of a name from another language', () => {
    assert.match(shown("['http-logs'] | mvexp$0and method"), /mv-expand/);
    assert.match(shown("['http-logs'] | extend x = tofl$0oat(method)"), /toreal\(/);
    assert.match(
      shown("['http-logs'] | where method notcon$0tains 'x'"),
      /does not contain another string/,
    );
    assert.equal(around("['http-logs'] | mvexp$0and method"), 'mvexpand');
  });
});

describe('hover on a literal', () => {
  it('shows durations in several units and times in UTC', () => {
    assert.match(shown('print timespan(1d$02h)'), /1 day 2 hours: 93,600,000,000,000 ns/);
    assert.match(shown('print 1500$0ms'), /1 second 500 milliseconds/);
    assert.match(shown('print datetime(2025-01-$002)'), /`2025-01-02T00:00:00Z`/);
    assert.match(
      shown('print datetime(2025-01-02T03:04:05.123456789$0Z)'),
      /`2025-01-02T03:04:05.123456789Z`/,
    );
    assert.match(
      shown('print unixtime_milliseconds_todatetime(17$035689600000)'),
      /`2025-01-01T00:00:00Z`/,
    );
  });

  it('shows a number in the unit of the field that it is compared with', () => {
    assert.match(
      shown("['http-logs'] | where duration > 1$0500"),
      /1,500 ms: 1 second 500 milliseconds/,
    );
    assert.match(shown("['http-logs'] | where duration in (25$00, 5)"), /250 ms/);
    assert.equal(shown("['http-logs'] | where duration * 15$000 > x"), '');
    assert.equal(shown("['http-logs'] | where status > 15$000"), '');
    const bytes: Schema = {
      datasets: [{ name: 'a', fields: [{ name: 'size', type: 'integer', unit: 'bytes' }] }],
    };
    assert.match(shown('a | where size >= 1$0048576', bytes), /1 MiB/);
  });

  it('shows nothing for plain numbers, strings and times of day', () => {
    for (const marked of ['print 4$02', "print 'a$0b'", 'print datetime(12:3$00)', 'print 1e3$009'])
      assert.equal(shown(marked), '', marked);
  });
});

describe('catalog Markdown', () => {
  it("links to the documentation page, and for an alias to its target's page", () => {
    const page = (markdown: string) => /\[Documentation\]\((\S+)\)/.exec(markdown)?.[1];
    for (const row of functions) {
      assert.match(page(functionMarkdown(row)) ?? row.name, /^https:\/\/\S+\/[a-z0-9-]+$/);
    }
    const iif = functions.find(({ name }) => name === 'iif');
    assert.match(page(functionMarkdown(iif ?? assert.fail())) ?? '', /\/iff$/);
    const where = operators.find(({ name }) => name === 'where');
    assert.match(page(operatorMarkdown(where ?? assert.fail())) ?? '', /where-operator$/);
  });
});
