/** Scans numbers: the nearest double, and whether JavaScript formats it as the same text. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { forms } from '../../table/src/columns/values.ts';
import { scanNumber, scanned } from '../../table/src/decode/scanNumber.ts';
import { type Random, random } from '../api/random.ts';

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** Text of fractions of all lengths: as JavaScript writes them, and with digits changed, added and cut. */
const makers: readonly ((next: Random) => string)[] = [
  (next) => String(next.below(2 ** 31) / (2 ** 31 + next.below(1_000))),
  (next) =>
    String((next.below(2 ** 31) / 2 ** 31 + next.below(2 ** 31)) * 2 ** (next.below(60) - 30)),
  (next) => {
    words[0] = next.below(2 ** 32 - 1);
    words[1] = 0x3e80_0000 + next.below(0x600_0000);
    return String(double[0]);
  },
  (next) => `${String(next.below(2 ** 31) / 977).slice(0, -1)}${next.below(10)}`,
  (next) => (next.below(2 ** 31) / 2 ** 20).toFixed(8 + next.below(12)),
  (next) => (next.below(2 ** 31) / 2 ** 33).toPrecision(14 + next.below(6)),
];

it('a scanned fraction has the value of Number, and is marked if String formats it as the same text', () => {
  const next = random(77);
  for (let round = 0; round < 120_000; round++) {
    const text = `${next.below(3) === 0 ? '-' : ''}${next.pick(makers)(next)}`;
    if (!/^-?\d+\.\d+$/.test(text)) continue;
    const bytes = Buffer.from(`${text},`);
    assert.equal(scanNumber(bytes, 0, bytes.length), text.length);
    const value = Number(text);
    const isShortest = String(value) === text;
    assert.equal(scanned.form === forms.fraction, isShortest, text);
    if (isShortest) assert.ok(Object.is(scanned.value, value), text);
  }
});
