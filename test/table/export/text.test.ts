// Text formats: their output for values that are easily damaged, and their options.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExportError } from '../../../table/src/export/exportError.ts';
import { formats } from '../../../table/src/export/formats.ts';
import { copied, exported, exportedText, table, Written } from './sources.ts';

describe('the export formats', () => {
  it('have unique ids and extensions, and can be exported or copied', () => {
    const ids = formats.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const extensions = formats.flatMap(({ extension }) => extension ?? []);
    assert.equal(new Set(extensions).size, extensions.length);
    for (const format of formats) assert.ok(format.canCopy || format.extension !== undefined);
  });

  it('reject an unknown format, and one that does not support exporting or copying', async () => {
    const source = table({ a: 'integer' }, [[1]]);
    await assert.rejects(exported(source, 'avro'), ExportError);
    await assert.rejects(exported(source, 'datatable'), ExportError);
    await assert.rejects(copied(source, 'parquet'), ExportError);
    await assert.rejects(exported(source, '__proto__'), ExportError);
  });
});

describe('CSV', () => {
  it('distinguishes null from an empty string', async () => {
    const source = table({ a: 'string', b: 'string' }, [
      [null, ''],
      ['', null],
    ]);
    assert.equal(await exportedText(source, 'csv'), 'a,b\n,""\n"",\n');
  });

  it('writes null as the chosen text, and quotes a string that equals this text', async () => {
    const source = table({ a: 'string', b: 'string' }, [
      [null, 'NULL'],
      ['', 'null'],
    ]);
    assert.equal(
      await exportedText(source, 'csv', { nullText: 'NULL' }),
      'a,b\nNULL,"NULL"\n,null\n',
    );
    assert.equal(
      await exportedText(source, 'csv', { nullText: 'a,b' }),
      'a,b\n"a,b",NULL\n,null\n',
    );
  });

  it('quotes values and column names that contain a delimiter, quote or line break', async () => {
    const source = table(
      [
        ['x"y', 'string'],
        ['a.b', 'string'],
      ],
      [
        ['a,b', 'c\nd'],
        ['e\rf', '"'],
      ],
    );
    assert.equal(await exportedText(source, 'csv'), '"x""y",a.b\n"a,b","c\nd"\n"e\rf",""""\n');
  });

  it('accepts any single character except a quote or line break as the delimiter', async () => {
    const source = table({ a: 'string', b: 'string' }, [
      ['1;2', '3,4'],
      ['x]y', '^-\\'],
    ]);
    assert.equal(
      await exportedText(source, 'csv', { delimiter: ';' }),
      'a;b\n"1;2";3,4\nx]y;^-\\\n',
    );
    assert.equal(
      await exportedText(source, 'csv', { delimiter: ']' }),
      'a]b\n1;2]3,4\n"x]y"]^-\\\n',
    );
    assert.equal(
      await exportedText(source, 'csv', { delimiter: '\\' }),
      'a\\b\n1;2\\3,4\nx]y\\"^-\\"\n',
    );
    for (const delimiter of ['', '"', '\n', ',,', 7])
      await assert.rejects(exported(source, 'csv', { delimiter }), ExportError);
  });

  it('omits the header and starts with a byte order mark on request', async () => {
    const source = table({ a: 'integer' }, [[1]]);
    assert.equal(await exportedText(source, 'csv', { header: false }), '1\n');
    const { body } = await exported(source, 'csv', { byteOrderMark: true });
    assert.deepEqual([...body.subarray(0, 4)], [0xef, 0xbb, 0xbf, 0x61]);
  });

  it('adds an apostrophe to strings that a spreadsheet would run as formulas, but not to numbers', async () => {
    const source = table({ '=a': 'string', n: 'integer' }, [
      ['=1+1', -5],
      ['+x', -1],
      ['@SUM(A1)', 0],
      ['\t=1', 1],
      ['＝1', 2],
      ['a=b', 3],
      [null, null],
    ]);
    const { body, notices } = await exported(source, 'csv');
    assert.equal(
      body.toString(),
      "'=a,n\n'=1+1,-5\n'+x,-1\n'@SUM(A1),0\n'\t=1,1\n'＝1,2\na=b,3\n,\n",
    );
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['guardedFormulas'],
    );
    assert.match(notices[0]?.message ?? '', /^6 values /);
    const unguarded = await exported(source, 'csv', { guardFormulas: false });
    assert.ok(unguarded.body.toString().startsWith('=a,n\n=1+1,-5\n'));
    assert.deepEqual(unguarded.notices, []);
  });

  it('keeps all digits that the service wrote', async () => {
    const source = table({ a: 'float', b: 'integer' }, [
      [-0, 9007199254740993n],
      [1e-7, 2n ** 63n - 1n],
      [new Written('0.12345678901234567890'), -(2n ** 63n)],
      [new Written('1e400'), 0],
    ]);
    assert.equal(
      await exportedText(source, 'csv'),
      'a,b\n-0.0,9007199254740993\n1e-7,9223372036854775807\n0.12345678901234567890,-9223372036854775808\n1e400,0\n',
    );
  });

  it('replaces and reports lone surrogates', async () => {
    const source = table({ a: 'string' }, [['x\ud83dy']]);
    const { body, notices } = await exported(source, 'csv');
    assert.equal(body.toString(), 'a\nx\ufffdy\n');
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['halfSurrogates'],
    );
  });
});

describe('JSON', () => {
  it('contains columns of any name, numbers with all digits, and null', async () => {
    const source = table(
      [
        ['__proto__', 'integer'],
        ['constructor', 'float'],
        ['a.b', 'map'],
        ['"', 'string'],
      ],
      [
        [9007199254740993n, -0, JSON.parse('{"__proto__":1}'), null],
        [2n ** 63n - 1n, new Written('1e400'), [], '\u2028\ud83d'],
      ],
    );
    const expected =
      '{"__proto__":9007199254740993,"constructor":-0.0,"a.b":{"__proto__":1},"\\"":null}|' +
      '{"__proto__":9223372036854775807,"constructor":1e400,"a.b":[],"\\"":"\u2028\\ud83d"}';
    assert.equal(await exportedText(source, 'ndjson'), `${expected.replace('|', '\n')}\n`);
    assert.equal(await exportedText(source, 'json'), `[\n${expected.replace('|', ',\n')}\n]\n`);
  });

  it('writes numbers that JSON cannot represent as strings, with a notice', async () => {
    const source = table({ a: 'float' }, [[Number.NaN], [Number.NEGATIVE_INFINITY], [1]]);
    const { body, notices } = await exported(source, 'ndjson');
    assert.equal(body.toString(), '{"a":"NaN"}\n{"a":"-Infinity"}\n{"a":1.0}\n');
    assert.match(notices[0]?.message ?? '', /^2 values were written as a string/);
  });

  it('renames columns with the same name, with a notice', async () => {
    const source = table(
      [
        ['a', 'integer'],
        ['a', 'integer'],
        ['a_2', 'integer'],
      ],
      [[1, 2, 3]],
    );
    const { body, notices } = await exported(source, 'ndjson');
    assert.equal(body.toString(), '{"a":1,"a_3":2,"a_2":3}\n');
    assert.match(notices[0]?.message ?? '', /^1 column was renamed/);
  });

  it('is an empty array, or empty text as NDJSON, if there are no rows', async () => {
    assert.deepEqual(JSON.parse(await exportedText(table({ a: 'integer' }, []), 'json')), []);
    assert.equal(await exportedText(table({ a: 'integer' }, []), 'ndjson'), '');
  });
});

describe('Markdown', () => {
  it('aligns numbers and escapes markup', async () => {
    const source = table(
      [
        ['n', 'integer|float'],
        ['a|b', 'string'],
      ],
      [
        [-1, 'x|y'],
        [2, 'a\r\nb\nc'],
        [
          null,
          '`code` **bold** _it_ snake_case <img src=x onerror=alert(1)> [l](u) ~~s~~ $m$ &lt;',
        ],
        [3, ' \\ '],
      ],
    );
    assert.equal(
      await exportedText(source, 'markdown'),
      [
        '| n | a\\|b |',
        '| ---: | --- |',
        '| -1 | x\\|y |',
        '| 2 | a<br>b<br>c |',
        '| *null* | \\`code\\` \\*\\*bold\\*\\* \\_it\\_ snake_case \\<img src=x onerror=alert(1)\\> \\[l\\](u) \\~\\~s\\~\\~ \\$m\\$ \\&lt; |',
        '| 3 | &nbsp;\\\\&nbsp; |',
        '',
      ].join('\n'),
    );
  });

  it('writes null as the chosen text', async () => {
    const source = table({ a: 'string' }, [[null], ['']]);
    assert.equal(
      await exportedText(source, 'markdown', { nullText: '-' }),
      '| a |\n| --- |\n| - |\n|  |\n',
    );
  });
});

describe('the clipboard', () => {
  it('contains one cell unchanged, or several cells with tabs and column names', async () => {
    const one = table({ a: 'string' }, [['x\t"y"\n']]);
    assert.equal((await copied(one, 'text')).text, 'x\t"y"\n');
    const several = table({ a: 'string', b: 'integer' }, [
      ['x\ty', 1],
      [null, null],
      ['', 2],
    ]);
    assert.equal((await copied(several, 'text')).text, 'a\tb\n"x\ty"\t1\n\t\n\t2');
    assert.equal((await copied(several, 'text', { header: false })).text, '"x\ty"\t1\n\t\n\t2');
  });

  it('ends without a line break', async () => {
    const source = table({ a: 'string' }, [['x'], ['y']]);
    assert.equal((await copied(source, 'csv')).text, 'a\nx\ny');
    assert.equal((await copied(source, 'ndjson')).text, '{"a":"x"}\n{"a":"y"}');
    assert.equal((await copied(source, 'json')).text, '[\n{"a":"x"},\n{"a":"y"}\n]');
  });

  it('is limited in size, and contains valid JSON even if it is truncated', async () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => [row, 'x'.repeat(100)]);
    const source = table({ n: 'integer', s: 'string' }, rows);
    const { text, rows: count, truncated } = await copied(source, 'json', {}, 5_000);
    assert.ok(truncated && count > 40 && count < 50 && text.length < 5_200);
    assert.equal(JSON.parse(text).length, count);
    assert.equal((await copied(source, 'json')).truncated, false);
  });
});
