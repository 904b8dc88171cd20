// A file's format is recognized by its content. The name decides only if the content is ambiguous.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { previewFile } from '../../../ingest/src/preview/previewFile.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';

const { signal } = new AbortController();

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** The format, the delimiter, and whether there is a header. */
type Found = readonly [format: string, delimiter?: string, header?: boolean];

const cases: readonly (readonly [what: string, content: string, found: Found, name?: string])[] = [
  ['JSON lines', '{"a":1}\n{"a":2}\n', ['ndjson']],
  ['JSON lines with a broken first line', '{"a":\n{"a":2}\n{"a":3}\n{"a":4}\n', ['ndjson']],
  ['one object on a line', '{"a":1}', ['json']],
  ['an object across lines', '{\n  "a": 1\n}\n', ['json']],
  [
    'a document with each object on its own line',
    '{"type":"x","features":[\n{"a":1},\n{"a":2},\n{"a":3}]}',
    ['json'],
  ],
  ['an array', '[{"a":1}]', ['json']],
  ['an array across lines', '[\n  {"a":1},\n  {"a":2}\n]', ['json']],
  ['consecutive objects', '{"a":1} {"a":2}', ['json']],
  ['consecutive objects across lines', '{\n"a":1\n}\n{\n"a":2\n}\n', ['json']],
  ['JSON in a file of another name', '[{"a":1}]', ['json'], 'data.csv'],
  ['CSV in a file of another name', 'a,b\n1,2\n', ['csv', ',', true], 'data.json'],
  ['commas', 'id,name\n1,x\n2,y\n', ['csv', ',', true]],
  ['semicolons with commas in numbers', 'id;price\n1;2,5\n2;3,5\n', ['csv', ';', true]],
  ['tabs', 'id\tname\n1\tx\n', ['csv', '\t', true]],
  ['bars', 'id|name|x\n1|x|y\n', ['csv', '|', true]],
  ['a header of words above words', 'city,country\nParis,France\nRome,Italy\n', ['csv', ',', true]],
  ['no header', '1,x,2.5\n2,y,3.5\n3,z,4.5\n', ['csv', ',', false]],
  ['no header, but dates', '2024-01-01,x,1\n2024-01-02,y,2\n2024-01-03,z,3\n', ['csv', ',', false]],
  ['years as names', 'country,1960,1961,1962\nChad,1,2,3\nCuba,4,5,6\n', ['csv', ',', true]],
  ['a column without a name', ',a,b\n0,1,2\n1,3,4\n', ['csv', ',', true]],
  ['quoted names', '"id","full name"\n1,"x, y"\n', ['csv', ',', true]],
  ['a single column', 'name\nx\ny\n', ['csv', ',', true], 'names.csv'],
  ['a single column in another file', 'name\nx\ny\n', ['lines'], 'names.txt'],
  ['a value with a line break', 'id,text\n1,"a\nb"\n2,"c\nd"\n', ['csv', ',', true]],
  ['logfmt', 'level=info msg="hello there" n=1\nlevel=warn msg=x n=2\n', ['logfmt']],
  [
    'logfmt with a time',
    repeat(5, (n) => `ts=2024-01-01T00:00:0${n}Z caller=main.go:1 msg="x=y"`),
    ['logfmt'],
  ],
  [
    'a log',
    repeat(5, (n) => `2024-01-01 10:00:00,00${n} INFO main - Started in 5 ms, ready`),
    ['lines'],
  ],
  ['a log with brackets', repeat(5, (n) => `[2024-01-01 10:00:0${n}] INFO started`), ['lines']],
  [
    'an access log',
    repeat(
      5,
      (n) => `10.0.0.${n} - - [01/Jan/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "curl"`,
    ),
    ['lines'],
  ],
  ['prose', 'This is text, with commas.\nAnd more of it, too.\nIt goes on, and on.\n', ['lines']],
  [
    'a letter',
    'Dear reader,\n\nthis is, as you see,\na letter, not a table,\nand it ends.\n',
    ['lines'],
  ],
  ['text in braces', '{name} said hello\n{name} left\n', ['lines']],
  ['HTML', '<!doctype html>\n<p>x, y</p>\n', ['lines']],
  ['a word', 'hello', ['lines']],
  ['a line with commas', 'a,b,c', ['lines']],
  ['only a header', 'a,b,c', ['csv', ',', true], 'names.csv'],
];

describe('recognizing a format', () => {
  for (const [what, content, [format, delimiter, header], name = 'file'] of cases) {
    it(what, async () => {
      const { settings } = await previewFile(memorySource(name, content), {}, undefined, signal);
      assert.deepEqual(
        [settings.format, settings.csv?.delimiter, settings.csv?.header],
        [format, delimiter, header],
      );
    });
  }

  it('keeps the chosen settings and guesses the others', async () => {
    const source = memorySource('file', 'id,day\n1,2024-03-01\n');
    const lines = await previewFile(source, { format: 'lines' }, undefined, signal);
    assert.deepEqual(lines.settings.format, 'lines');
    assert.equal(lines.events.length, 2);

    const headless = await previewFile(source, { csv: { header: false } }, undefined, signal);
    assert.deepEqual(headless.settings.csv?.names, ['column1', 'column2']);
    assert.equal(headless.events.length, 2);

    const named = await previewFile(
      source,
      { csv: { header: false, names: ['a', 'b'] } },
      undefined,
      signal,
    );
    assert.deepEqual(
      named.fields.map(({ name }) => name),
      ['_time', 'a', 'b'],
    );

    const texts = await previewFile(source, { csv: { types: {} }, time: null }, undefined, signal);
    assert.deepEqual(texts.settings.csv?.types, {});
    assert.equal(texts.settings.time, undefined);
    assert.deepEqual(texts.events[0]?.cells, [undefined, '"1"', '"2024-03-01"']);
  });
});

describe('the type of a column', () => {
  const columns: Readonly<
    Record<string, readonly [values: readonly string[], type: string | undefined]>
  > = {
    integers: [['1', '-5', '0'], 'integer'],
    'integers with missing values': [['1', '', 'NA'], 'integer'],
    'numbers with a fraction': [['1.50', '2', '-0.25'], 'number'],
    'numbers without a leading zero': [['.5', '-.25'], 'number'],
    'numbers in scientific notation': [['1.5e-05', '2E+10'], 'number'],
    'numbers to 17 digits': [['0.30000000000000004'], 'number'],
    booleans: [['true', 'FALSE', ''], 'boolean'],
    'the largest integers': [['9223372036854775807', '-9223372036854775808'], 'integer'],
    'integers beyond 64 bits': [['9223372036854775808', '1'], undefined],
    'more digits than a double holds': [['0.12345678901234567890'], undefined],
    'digits that a double changes': [['0.1234567890123456789', '1'], undefined],
    'leading zeros': [['00501', '12345'], undefined],
    'leading zeros of fractions': [['01.5', '2.5'], undefined],
    'telephone numbers': [['+4930123', '+4930124'], undefined],
    'codes that look like exponents': [['12e5', '7'], undefined],
    thousands: [['1,000', '2'], undefined],
    hexadecimal: [['0x10', '1'], undefined],
    'yes and no': [['yes', 'no'], undefined],
    dates: [['2024-03-01'], undefined],
    'negative zero': [['-0', '1'], 'number'],
    nothing: [['', ''], undefined],
    'a word among numbers': [['1', '2', 'x'], undefined],
    infinity: [['1', 'Infinity'], undefined],
  };
  for (const [what, [values, type]] of Object.entries(columns)) {
    it(what, async () => {
      const content = `id;x\n${values.map((value) => `a;${value}`).join('\n')}\n`;
      const preview = await previewFile(
        memorySource('file.csv', content),
        { csv: { delimiter: ';', header: true } },
        undefined,
        signal,
      );
      assert.equal(preview.settings.csv?.types['x'], type);
    });
  }
});
