// DuckDB's errors are strings that start with a class. The deployment classifies them by class and
// wording.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engineError } from '../../local/src/engines/duckdb/database/failure.ts';
import type { EngineErrorKind } from '../../local/src/engines/engineError.ts';

const errors: readonly (readonly [text: string, EngineErrorKind])[] = [
  ['INTERRUPT Error: Interrupted!', 'interrupted'],
  ['Out of Memory Error: could not allocate block of size 256.0 KiB', 'memory'],
  [
    'TransactionContext Error: Failed to commit: could not allocate block of size 4.0 KiB (959.8 MiB/953.6 MiB used)',
    'memory',
  ],
  [
    'TransactionContext Error: Failed to commit: failed to pin block of size 256.0 KiB (953.5 MiB/953.6 MiB used)',
    'memory',
  ],
  ['TransactionContext Error: Failed to commit: Could not write file "data.duckdb.wal"', 'disk'],
  ['TransactionContext Error: Catalog write-write conflict on create with "t1"', 'transaction'],
  ['IO Error: Could not set lock on file "data.duckdb": Conflicting lock is held', 'locked'],
  [
    'FATAL Error: Failed: database has been invalidated because of a previous fatal error.',
    'fatal',
  ],
  ['Binder Error: Max expression depth limit of 1000 exceeded.', 'depth'],
  ['a text without a class', 'other'],
];

describe('a DuckDB error', () => {
  for (const [text, kind] of errors) {
    it(`is classified as ${kind}: ${text.slice(0, 60)}`, () => {
      assert.equal(engineError(new Error(text)).kind, kind);
    });
  }

  it('is classified as locked if Windows refuses to open the file', () => {
    const refusal = Object.assign(new Error('EBUSY: open data.duckdb'), { code: 'EBUSY' });
    assert.equal(engineError(refusal).kind, 'locked');
  });
});
