// The history of queries: its entries, its limits, and how a file with invalid content is read.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { entryLine, type HistoryEntry, readEntry } from '../../../client/src/history/entry.ts';
import { entryWords, historyDays, outcomeOf } from '../../../client/src/history/entryText.ts';
import { History } from '../../../client/src/history/history.ts';
import { HistoryFile } from '../../../client/src/history/historyFile.ts';
import { needs } from '../../platform.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-history-'));
  path = join(folder, 'storage', 'history.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function entry(id: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    askedAt: 1_750_000_000_000,
    title: `query ${id}`,
    query: "['logs']\n| where a == 'é🙂'",
    deployment: 'Local',
    range: 'last 1 hour',
    outcome: 'result',
    rowCount: 3,
    milliseconds: 12,
    ...more,
  };
}

const ids = (entries: readonly HistoryEntry[]) => entries.map(({ id }) => id);

describe('the history', () => {
  it('returns recorded entries, newest first, also those of another window', async () => {
    const history = new History(new HistoryFile(path), () => 100);
    const variables = { big: 9_007_199_254_740_993n };
    const asked = entry('a', { variables, document: 'file:///x.apl', answer: 'id-1' });
    await history.add(asked);
    await history.add(entry('b', { outcome: 'failed', message: 'no such dataset' }));
    const other = new History(new HistoryFile(path), () => 100);
    const entries = await other.entries();
    assert.deepEqual(ids(entries), ['b', 'a']);
    assert.deepEqual({ ...entries[1] }, asked);
    await other.add(entry('c'));
    assert.deepEqual(ids(await history.entries()), ['c', 'b', 'a']);
  });

  it('limits the number of its entries, in memory and on disk', async () => {
    const history = new History(new HistoryFile(path), () => 10);
    for (let n = 0; n < 57; n += 1) await history.add(entry(`${n}`));
    const entries = await history.entries();
    assert.equal(entries.length, 10);
    assert.equal(entries[0]?.id, '56');
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    assert.ok(lines.length <= 13, `${lines.length} lines`);
  });

  it('records nothing while its size is 0, and keeps existing entries', async () => {
    let size = 5;
    const history = new History(new HistoryFile(path), () => size);
    await history.add(entry('a'));
    size = 0;
    await history.add(entry('b'));
    size = 5;
    assert.deepEqual(ids(await history.entries()), ['a']);
  });

  it('can remove a single entry, or all entries with their file', async () => {
    const history = new History(new HistoryFile(path), () => 100);
    let changes = 0;
    history.onDidChange(() => {
      changes += 1;
    });
    for (const id of ['a', 'b', 'c']) await history.add(entry(id));
    await history.remove('b');
    assert.deepEqual(ids(await history.entries()), ['c', 'a']);
    await history.erase();
    assert.deepEqual(await history.entries(), []);
    assert.equal(changes, 5);
    await assert.rejects(stat(path), { code: 'ENOENT' });
  });

  it('is readable only by its owner', { skip: needs.modes }, async () => {
    const history = new History(new HistoryFile(path), () => 1);
    for (const id of ['a', 'b']) await history.add(entry(id));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('skips lines that are not valid entries, and removes them when it is rewritten', async () => {
    const history = new History(new HistoryFile(path), () => 100);
    await history.add(entry('a'));
    const bad = [
      '{"id":"x","askedAt":1',
      'null',
      '[]',
      '{}',
      '\u0000\u0001',
      '{"__proto__":{"id":"x"}}',
      entryLine({ ...entry('x'), outcome: 'else' as never }).trim(),
      entryLine({ ...entry('x'), askedAt: '1' as never }).trim(),
      '['.repeat(50_000),
    ];
    await writeFile(path, `${await readFile(path, 'utf8')}${bad.join('\n')}\n`);
    await history.add(entry('b'));
    assert.deepEqual(ids(await history.entries()), ['b', 'a']);
    await history.remove('a');
    assert.equal((await readFile(path, 'utf8')).trim().split('\n').length, 1);
  });

  it('does not record a query longer than 100,000 characters', async () => {
    const history = new History(new HistoryFile(path), () => 100);
    await history.add(entry('a', { query: 'x'.repeat(100_001) }));
    assert.deepEqual(await history.entries(), []);
  });

  it('reads back entries with line separators, lone surrogates and null characters', () => {
    const odd = entry('a', { title: '\u2028"\\\n', query: '\ud83d', message: '\u0000' });
    assert.deepEqual({ ...readEntry(entryLine(odd)) }, odd);
  });
});

describe('the history view', () => {
  it('groups entries by day in the time zone, newest first', () => {
    const now = Date.UTC(2026, 2, 15, 12);
    const at = (day: number, hour: number) => Date.UTC(2026, 2, day, hour);
    const entries = [at(15, 0), at(14, 23), at(14, 1), at(3, 5)].map((askedAt, n) =>
      entry(`${n}`, { askedAt }),
    );
    assert.deepEqual(
      historyDays(entries, now, 'utc').map((day) => [day.label, ids(day.entries)]),
      [
        ['Today', ['0']],
        ['Yesterday', ['1', '2']],
        ['2026-03-03', ['3']],
      ],
    );
  });

  it('shows the title of an entry, then its rows, duration, time, range and any other deployment', () => {
    const askedAt = Date.UTC(2026, 2, 15, 9, 5);
    const asked = entry('a', { askedAt, title: 'errors by city' });
    assert.deepEqual(entryWords(asked, 'Local', 'utc'), {
      label: 'errors by city',
      description: '3 rows · 12 ms · 09:05 UTC · last 1 hour',
    });
    assert.match(entryWords(asked, 'Hosted', 'utc').description, / · last 1 hour · Local$/);
    const long = entryWords(entry('b', { title: 'x'.repeat(200) }), 'Local', 'utc').label;
    assert.equal(long.length, 60);
    assert.ok(long.endsWith('…'));
  });

  it('describes a run by its rows and duration, or as cancelled', () => {
    assert.equal(outcomeOf(entry('a', { rowCount: 1_234 })), '1,234 rows · 12 ms');
    assert.equal(outcomeOf(entry('a', { rowCount: 1 })), '1 row · 12 ms');
    assert.equal(outcomeOf(entry('a', { outcome: 'cancelled' })), 'cancelled');
  });
});
