/** Durations: exact nanoseconds, and strings that are rejected. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DURATION_UNITS, parseDuration } from '../../formats/src/duration.ts';

const accepted = {
  '0s': 0n,
  '1h30m0s': 5_400_000_000_000n,
  '-1.5ms': -1_500_000n,
  '.5s': 500_000_000n,
  '5.h': 18_000_000_000_000n,
  '2d1ns': 172_800_000_000_001n,
  '0.123456789s': 123_456_789n,
  '9223372036.854775807s': 2n ** 63n - 1n,
  '1.9ns': 1n,
  '1\u00b5s1\u03bcs': 2_000n,
};

describe('parseDuration', () => {
  for (const [text, nanos] of Object.entries(accepted)) {
    it(`parses ${text} to ${nanos} ns`, () => assert.equal(parseDuration(text), nanos));
  }

  it('parses every unit', () => {
    for (const [unit, nanos] of Object.entries(DURATION_UNITS)) {
      assert.equal(parseDuration(`3${unit}`), 3n * nanos, unit);
    }
  });

  for (const text of ['', '-', '0', '1', 's', '.s', '+1s', '1 s', '1h -5m', '1w', '1S']) {
    it(`rejects ${JSON.stringify(text)}`, () => assert.equal(parseDuration(text), undefined));
  }

  it('rejects a string of more than 64 characters', () => {
    assert.equal(parseDuration('1s'.repeat(32)), 32_000_000_000n);
    assert.equal(parseDuration('1s'.repeat(33)), undefined);
  });
});
