/** Numbers with units: scaled to readable units, or left unchanged. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withUnit } from '../../../client/src/webview/page/units.ts';

it('a number with a known unit is scaled to a readable unit', () => {
  for (const [text, unit, shown] of [
    ['1204.5', 'ms', '1.205 s'],
    ['0', 'ms', '0 ms'],
    ['-3.5', 'ms', '-3.5 ms'],
    ['90', 's', '1.5 min'],
    ['0.25', 'µs', '250 ns'],
    ['1536', 'bytes', '1.5 KiB'],
    ['1500000', 'decbytes', '1.5 MB'],
    ['0', 'decbytes', '0 B'],
    ['0.5', 'decbytes', '0.5 B'],
    ['2000', 'Bps', '2 kB/s'],
    ['12.5', 'percent', '12.5%'],
    ['0.125', 'percentunit', '12.5%'],
    ['9007199254740993', 'short', '9,007 T'],
    ['3', 'currencyUSD', '$3'],
  ] as const)
    assert.equal(withUnit(text, unit), shown, `${text} ${unit}`);
});

it('values that are not numbers or have an unknown unit are not scaled', () => {
  for (const [text, unit] of [
    ['1', 'constructor'],
    ['1', '__proto__'],
    ['1', 'parsecs'],
    ['', 'ms'],
    ['NaN', 'ms'],
    ['Infinity', 'ms'],
    ['1e400', 'ms'],
    ['text', 'ms'],
  ] as const)
    assert.equal(withUnit(text, unit), undefined, `${text} ${unit}`);
});
