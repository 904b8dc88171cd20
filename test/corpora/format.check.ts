// Formatting over the documentation's queries: what they mean, their comments and their problems stay, tidy
// text stays as it is, and no sound query is left unformatted.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatQuery } from '../../language/src/editing.ts';
import { applyEdits } from '../../language/src/index.ts';
import { checkFormat } from '../language/formatGuarantees.ts';
import { readEntries } from './documentation.ts';

const entries = readEntries();

describe('the queries of the documentation', () => {
  it('keep their meaning when they are formatted, at every width', () => {
    assert.ok(entries.length > 800);
    for (const { query } of entries)
      for (const width of [100, 60, 30]) checkFormat(query, { width });
  });

  it('come out the same from one line, where no line of theirs was broken by choice', () => {
    const sound = entries.filter(({ kind, issues }) => kind === 'query' && !issues);
    const lines = (query: string) => query.split('\n').map((line) => line.trim());
    const plain = sound.filter(
      ({ query }) =>
        !query.includes('//') &&
        lines(query).filter((line) => line.startsWith('|')).length > 1 &&
        lines(query).every((line, i) => i === 0 || line.startsWith('|')),
    );
    assert.ok(plain.length > 250, `${plain.length} queries`);
    for (const { query } of plain) {
      const joined = lines(query).join(' ');
      const tidy = applyEdits(query, formatQuery(query));
      assert.equal(applyEdits(joined, formatQuery(joined)), tidy);
    }
  });
});
