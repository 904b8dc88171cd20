// Workbooks: the zip file is valid, the XML has the form that Excel expects, and no value is rounded or executed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnLetters } from '../../../table/src/export/excel/cells.ts';
import { sheetName } from '../../../table/src/export/excel/parts.ts';
import { ExportError } from '../../../table/src/export/exportError.ts';
import type { RowSource } from '../../../table/src/rowSource.ts';
import { unzip } from '../../zip.ts';
import {
  exported,
  hostile,
  hostileNames,
  longText,
  random,
  table,
  type Value,
  Written,
} from './sources.ts';

/** Returns the documents of a workbook by their paths. */
const partsOf = (body: Buffer) =>
  new Map([...unzip(body)].map(([path, content]) => [path, content.toString()]));

interface SheetCell {
  readonly kind: 'number' | 'boolean' | 'string' | 'time';
  readonly value: string;
}

/** Returns the text of XML as Excel reads it. */
function readText(xml: string): string {
  assert.doesNotMatch(xml, /[<>"\r]|&(?!(?:amp|lt|gt|quot);)/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these.
  assert.doesNotMatch(xml, /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  return xml
    .replace(
      /&(amp|lt|gt|quot);/g,
      (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp'],
    )
    .replace(/_x([\dA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns the cells of a sheet by reference. Fails on XML of an unexpected form. */
function readSheet(xml: string): Map<string, SheetCell> {
  const cells = new Map<string, SheetCell>();
  const [, data] = /<sheetData>(.*)<\/sheetData><\/worksheet>$/s.exec(xml) ?? [];
  assert.ok(data !== undefined);
  let read = '';
  for (const [row, number, content] of data.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
    read += row;
    let inRow = '';
    const form =
      /<c r="([A-Z]+)(\d+)"(?: s="(\d)")?(?: t="(b|inlineStr)")?>(?:<v>([^<]*)<\/v>|<is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)<\/c>/g;
    for (const [cell, letters, cellRow, style, type, value, text] of (content as string).matchAll(
      form,
    )) {
      inRow += cell;
      assert.equal(cellRow, number);
      const kind =
        type === 'b'
          ? 'boolean'
          : type === 'inlineStr'
            ? 'string'
            : style === '2'
              ? 'time'
              : 'number';
      cells.set(`${letters}${cellRow}`, {
        kind,
        value: kind === 'string' ? readText(text ?? '') : (value ?? ''),
      });
    }
    assert.equal(inRow, content);
  }
  assert.equal(read, data);
  return cells;
}

async function workbook(source: RowSource) {
  const { body, notices } = await exported(source, 'xlsx');
  const parts = partsOf(body);
  return {
    parts,
    notices,
    codes: notices.map(({ code }) => code),
    sheet: (index = 1) => readSheet(parts.get(`xl/worksheets/sheet${index}.xml`) ?? ''),
    names: [...(parts.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]*)"/g)].map(
      ([, name]) => name,
    ),
  };
}

async function cells(type: string, values: readonly Value[]) {
  const { sheet, codes, notices } = await workbook(
    table(
      { a: type },
      values.map((value) => [value]),
    ),
  );
  const found = sheet();
  return { cells: values.map((_, row) => found.get(`A${row + 2}`)), codes, notices };
}

const text = (value: string): SheetCell => ({ kind: 'string', value });
const number = (value: string): SheetCell => ({ kind: 'number', value });

describe('a workbook', () => {
  it('contains and lists the parts that Excel requires', async () => {
    const { parts, names } = await workbook(table({ a: 'integer' }, [[1]], 'a/b: [c]'));
    assert.deepEqual([...parts.keys()].sort(), [
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    for (const path of parts.keys())
      if (path.startsWith('xl/') && !path.endsWith('.rels'))
        assert.ok(parts.get('[Content_Types].xml')?.includes(`PartName="/${path}"`), path);
    assert.deepEqual(names, ['a b   c']);
  });

  it('has column names in bold, and rows below them', async () => {
    const { sheet, parts } = await workbook(
      table(
        [
          ['__proto__', 'string'],
          ['<b>', 'integer'],
          ['a', 'string'],
          ['a', 'string'],
        ],
        [['x', 1, null, '']],
      ),
    );
    assert.deepEqual(
      [...sheet()].map(([place, { value }]) => `${place} ${value}`),
      ['A1 __proto__', 'B1 <b>', 'C1 a', 'D1 a', 'A2 x', 'B2 1', 'D2 '],
    );
    assert.ok(parts.get('xl/worksheets/sheet1.xml')?.includes('<c r="A1" s="1"'));
  });

  it('without rows contains the column names', async () => {
    assert.deepEqual([...(await workbook(table({ a: 'integer' }, []))).sheet().keys()], ['A1']);
  });
});

describe('a cell of a workbook', () => {
  it('contains a number if Excel keeps it exactly, and text otherwise', async () => {
    const { cells: found, notices } = await cells('integer|float', [
      0,
      -5,
      999999999999999,
      1234567890123456,
      9007199254740993n,
      2n ** 63n - 1n,
      0.1 + 0.2,
      1e-7,
      1e300,
      -0,
      Number.NaN,
      5e-324,
      1.7e308,
      new Written('0.12345678901234567890'),
      new Written('12.0'),
    ]);
    assert.deepEqual(found, [
      number('0'),
      number('-5'),
      number('999999999999999'),
      text('1234567890123456'),
      text('9007199254740993'),
      text('9223372036854775807'),
      number('0.30000000000000004'),
      number('1e-7'),
      number('1e+300'),
      text('-0.0'),
      text('NaN'),
      text('5e-324'),
      text('1.7e+308'),
      text('0.12345678901234567890'),
      number('12'),
    ]);
    assert.match(notices[0]?.message ?? '', /^8 values were written as text/);
  });

  it('contains a time as a day number if milliseconds are precise enough', async () => {
    const { cells: found, codes } = await cells('datetime', [
      '2024-01-01T00:00:00Z',
      '2024-01-01T12:00:00.250Z',
      null,
      '1900-03-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ]);
    assert.deepEqual(
      found.map((cell) => cell?.kind),
      ['time', 'time', undefined, 'time', 'time'],
    );
    assert.deepEqual(codes, []);
    const days = found.flatMap((cell) => (cell === undefined ? [] : Number(cell.value)));
    assert.equal(days[0], 45292);
    assert.equal(days[2], 61);
    // Converts the numbers back to milliseconds, as readers do.
    const back = days.map((day) => new Date(Math.round((day - 25569) * 86_400_000)).toISOString());
    assert.deepEqual(back, [
      '2024-01-01T00:00:00.000Z',
      '2024-01-01T12:00:00.250Z',
      '1900-03-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });

  it('contains its time as text if any time in the column is finer than a millisecond, before March 1900 or invalid', async () => {
    for (const other of ['2024-01-01T00:00:00.000001Z', '1900-02-28T00:00:00Z', 'yesterday']) {
      const { cells: found, codes } = await cells('datetime', ['2024-01-01T00:00:00Z', other]);
      assert.deepEqual(found, [text('2024-01-01T00:00:00Z'), text(other)]);
      assert.deepEqual(codes, ['excelTextTimes']);
    }
  });

  it('contains formulas, markup and control characters as text', async () => {
    const values = [
      '=1+1',
      '+cmd',
      '@x',
      '-1',
      '<b>&amp;"\'',
      '_x000D_',
      '_x005F_x000D_',
      'a\rb\r\nc\td',
      '\0\x1f\ufffe\x7f',
      ' x  y ',
      '\ud83d',
      '😀 שלום ‮',
      '',
    ];
    const { cells: found, codes } = await cells('string', values);
    assert.deepEqual(found, values.map(text));
    assert.deepEqual(codes, []);
  });

  it('contains booleans as booleans, and dynamic values as JSON', async () => {
    assert.deepEqual((await cells('boolean', [true, false])).cells, [
      { kind: 'boolean', value: '1' },
      { kind: 'boolean', value: '0' },
    ]);
    assert.deepEqual((await cells('map', [{ a: 9007199254740993n }, []])).cells, [
      text('{"a":9007199254740993}'),
      text('[]'),
    ]);
  });
});

describe('data that does not fit in a sheet', () => {
  it('is truncated with an ellipsis and a notice if it is a long value', async () => {
    const exact = 'y'.repeat(32_767);
    const emoji = `${'z'.repeat(32_765)}😀z`;
    const rows = [[exact], [longText], [{ k: exact }], [emoji]];
    const { sheet, names, notices } = await workbook(table({ a: 'string|map' }, rows, 'Q'));
    assert.deepEqual(names, ['Q']);
    assert.match(notices[0]?.message ?? '', /^3 values were cut/);
    const main = sheet(1);
    const cut = [longText, `{"k":"${exact}"}`].map((value) => `${value.slice(0, 32_766)}…`);
    assert.deepEqual(
      ['A2', 'A3', 'A4', 'A5'].map((place) => main.get(place)?.value),
      [exact, ...cut, `${'z'.repeat(32_765)}…`],
    );
  });

  it('is rejected if it has more columns than a sheet', async () => {
    const columns = Array.from(
      { length: 16_385 },
      (_, column) => [`c${column}`, 'integer'] as const,
    );
    await assert.rejects(exported(table(columns, []), 'xlsx'), ExportError);
  });

  it('continues on another sheet if it has more rows than a sheet', async () => {
    const rowCount = 1_048_576 + 10;
    const source: RowSource = {
      name: 'Many',
      columns: [{ name: 'n', type: 'integer' }],
      rowCount,
      cell: (row) => row,
      text: (row) => String(row),
    };
    const { body, notices, rows } = await exported(source, 'xlsx');
    assert.equal(rows, rowCount);
    assert.match(notices[0]?.message ?? '', /^The rows fill 2 sheets/);
    const parts = partsOf(body);
    const first = parts.get('xl/worksheets/sheet1.xml') as string;
    assert.ok(
      first.endsWith(
        '<row r="1048576"><c r="A1048576"><v>1048574</v></c></row></sheetData></worksheet>',
      ),
    );
    const second = readSheet(parts.get('xl/worksheets/sheet2.xml') as string);
    assert.deepEqual(
      [...second.values()].map(({ value }) => value),
      ['n', ...Array.from({ length: 11 }, (_, row) => String(1_048_575 + row))],
    );
    assert.match(parts.get('xl/workbook.xml') ?? '', /name="Many".*name="Many 2"/);
  });
});

describe('names in a workbook', () => {
  it('of columns range from A to XFD', () => {
    assert.deepEqual([0, 25, 26, 701, 702, 16_383].map(columnLetters), [
      'A',
      'Z',
      'AA',
      'ZZ',
      'AAA',
      'XFD',
    ]);
  });

  it('of sheets are valid in Excel', () => {
    const cases: readonly (readonly [string, number, string])[] = [
      ['logs', 1, 'logs'],
      ['logs', 2, 'logs 2'],
      ['', 1, 'Results'],
      ["''", 1, 'Results'],
      ['History', 1, 'Results'],
      ['a\\b/c*d?e[f]g:h', 1, 'a b c d e f g h'],
      ['x'.repeat(40), 12, `${'x'.repeat(28)} 12`],
      [`${'x'.repeat(30)}😀`, 1, 'x'.repeat(30)],
      ["'quoted'", 1, 'quoted'],
      ['a\0\nb', 1, 'a  b'],
    ];
    for (const [name, sheet, expected] of cases) assert.equal(sheetName(name, sheet), expected);
  });
});

describe('a round trip through a workbook', () => {
  it('keeps values that are easily damaged', async () => {
    const source = hostile();
    const found = (await workbook(source)).sheet();
    for (let row = 0; row < source.rowCount; row++)
      for (const [column, [name]] of hostileNames.entries()) {
        const expected = source.text(row, column);
        const cell = found.get(`${columnLetters(column)}${row + 2}`);
        const where = `${name} of row ${row}`;
        if (expected === null) assert.equal(cell, undefined, where);
        else if (cell?.kind === 'boolean')
          assert.equal(cell.value === '1', expected === 'true', where);
        else if (cell?.kind === 'number')
          assert.ok(Object.is(Number(cell.value), Number(expected)), where);
        else if (expected !== longText) assert.equal(cell?.value, expected, where);
      }
  });

  it('keeps random strings', async () => {
    const next = random(7);
    const pieces = [
      '_',
      'x',
      '_x',
      '0041_',
      'x0041',
      '_x0041_',
      '&',
      '<',
      '\r',
      '\n',
      '\t',
      ' ',
      '\0',
      '\ud83d',
      '😀',
      ']]>',
      '"',
      '\ufffe',
    ];
    const values = Array.from({ length: 300 }, () =>
      Array.from({ length: next(9) }, () => pieces[next(pieces.length)]).join(''),
    );
    const { cells: found } = await cells('string', values);
    assert.deepEqual(found, values.map(text));
  });
});
