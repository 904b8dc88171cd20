// Formats the time at which the schema was fetched, as views show it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asOf } from '../../../client/src/schema/freshness.ts';

describe('the time at which a list was fetched', () => {
  const now = Date.UTC(2026, 2, 15, 12);

  it('is shown as a time of day with its time zone', () => {
    assert.equal(asOf(Date.UTC(2026, 2, 15, 0, 5), 'utc', now), 'as of 00:05 UTC');
  });

  it('includes the date if it was on another day', () => {
    assert.equal(asOf(Date.UTC(2026, 2, 14, 23, 59), 'utc', now), 'as of 2026-03-14 23:59 UTC');
  });

  it('is shown in local time if results are', () => {
    const [at, noon] = [new Date(2026, 2, 15, 9, 5), new Date(2026, 2, 15, 12)];
    assert.equal(asOf(at.getTime(), 'local', noon.getTime()), 'as of 09:05');
  });
});
