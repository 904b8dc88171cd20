/**
 * Answers on disk: written while they arrive, listed by their headers, restored, and limited in size. Problems with
 * the disk never keep a result from being shown.
 */
import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import { initialTableViewState } from '../../../table/src/viewState.ts';
import { assertMode, needs } from '../../platform.ts';
import { bodyOf } from '../../table/tables.ts';
import { arrive, keptAnswers, newStore } from './stores.ts';

const root = await mkdtemp(join(tmpdir(), 'kept-'));
after(() => rm(root, { recursive: true, force: true }));
let folders = 0;

function disk(t: TestContext, maxBytes = 10_000_000): { folder: string; open: () => ResultsStore } {
  const folder = join(root, `store ${folders++}`);
  const open = () => {
    const store = newStore({ disk: { folder, maxBytes } });
    t.after(() => store.dispose());
    return store;
  };
  return { folder, open };
}

const body = bodyOf([['id', 'integer', ['9007199254740993', 'null', '-1']]]);
const day = 86_400_000;
const titles = async (folder: string) =>
  (await keptAnswers(folder)).map(({ about }) => about.title);

/** Waits until a background task makes the condition true. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await holds()) return;
    await sleep(25);
  }
  assert.fail('It did not happen.');
}

describe('a stored answer', () => {
  it('is restored unchanged in another window', async (t) => {
    const { folder, open } = disk(t);
    const first = open();
    const answer = await arrive(first, body, { title: 'a', keep: true });
    const viewState = {
      table: 0,
      tables: [{ ...initialTableViewState, hidden: [0], order: [{ column: 0, descending: true }] }],
    };
    first.setViewState(answer.id, viewState);
    first.pin(answer.id, true);
    await first.dispose();
    const second = open();
    const answers = await keptAnswers(folder);
    assert.deepEqual(
      answers.map(({ about, pinned, rowCount }) => [about.title, about.query, pinned, rowCount]),
      [['a', "['logs']", true, 3]],
    );
    const restored = await second.restoreKept(answers[0]?.file ?? '');
    assert.deepEqual(restored.viewState, viewState);
    assert.equal(restored.arrival.traceId, 'trace');
    assert.equal(restored.pinned, true);
    const cell = await second.rows('cell', { answer: restored.id, table: 0, row: 0, column: 0 });
    assert.equal(cell.value, 9_007_199_254_740_993n);
    assert.equal((await second.restoreKept(answers[0]?.file ?? '')).id, restored.id);
    assertMode(folder, 0o700);
    for (const name of await readdir(folder)) assertMode(join(folder, name), 0o600);
  });

  const more = (...ids: string[]) => bodyOf([['id', 'integer', ids]]);
  const load = async (store: ResultsStore, answer: string, page: string) => {
    const arriving = store.append({ answer, table: 0 });
    await arriving.write(Buffer.from(page));
    return await arriving.finish({ roundTripMilliseconds: 1 });
  };
  const idsOf = async (store: ResultsStore, answer: string) => {
    const options = { from: 0, to: 100, columns: [0], timeZone: 'utc' } as const;
    const { rows } = await store.rows('window', { answer, table: 0, ...options });
    return rows.map(([id]) => id);
  };

  it('is restored with the pages that were loaded later, and can load more pages', async (t) => {
    const { folder, open } = disk(t);
    const first = open();
    const { id, kept = '' } = await arrive(first, body, { keep: true });
    await load(first, id, more('4', '5'));
    await load(first, id, more('6'));
    await assert.rejects(load(first, id, more('7').slice(0, -1)));
    await first.dispose();
    const second = open();
    assert.equal((await keptAnswers(folder))[0]?.rowCount, 6);
    const restored = await second.restoreKept(kept);
    assert.equal(restored.head.tables[0]?.rowCount, 6);
    await load(second, restored.id, more('7'));
    await second.dispose();
    const third = open();
    const all = ['9007199254740993', null, '-1', '4', '5', '6', '7'];
    assert.deepEqual(await idsOf(third, (await third.restoreKept(kept)).id), all);
    for (const name of await readdir(folder)) assertMode(join(folder, name), 0o600);
    await third.eraseKept([kept]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('does not include a page that exceeds the size limit or the pages after it', async (t) => {
    const { open } = disk(t, 2_000);
    const store = open();
    const { id, kept = '' } = await arrive(store, body, { keep: true });
    await load(store, id, more('4'));
    const many = Array.from({ length: 1_000 }, (_, row) => String(row));
    assert.equal((await load(store, id, more(...many))).head.tables[0]?.rowCount, 1_004);
    await load(store, id, more('5'));
    await store.dispose();
    const again = open();
    const { id: restored } = await again.restoreKept(kept);
    assert.deepEqual(await idsOf(again, restored), ['9007199254740993', null, '-1', '4']);
  });

  it('has no duplicate rows after two windows have loaded the same pages', async (t) => {
    const { open } = disk(t);
    const store = open();
    const { id, kept = '' } = await arrive(store, body, { keep: true });
    const other = open();
    const { id: same } = await other.restoreKept(kept);
    await load(store, id, more('4'));
    await load(other, same, more('4'));
    await load(other, same, more('5'));
    await load(store, id, more('5'));
    const last = open();
    const shown = await idsOf(last, (await last.restoreKept(kept)).id);
    assert.deepEqual(shown, ['9007199254740993', null, '-1', '4', '5']);
  });

  it('is restored with the pages that precede an unreadable page', async (t) => {
    const { folder, open } = disk(t);
    const store = open();
    const { id, kept = '' } = await arrive(store, body, { keep: true });
    for (const page of ['4', '5', '6']) await load(store, id, more(page));
    await store.dispose();
    await truncate(join(folder, `${kept}-p2.body`), 5);
    const again = open();
    const { id: restored } = await again.restoreKept(kept);
    await load(again, restored, more('7'));
    await again.dispose();
    const last = open();
    const shown = await idsOf(last, (await last.restoreKept(kept)).id);
    assert.deepEqual(shown, ['9007199254740993', null, '-1', '4', '7']);
  });

  it('is deleted if its body is malformed', async (t) => {
    const { folder, open } = disk(t);
    const store = open();
    await assert.rejects(arrive(store, body.slice(0, -1), { keep: true }));
    assert.deepEqual(await readdir(folder), []);
  });

  it('replaces the oldest unpinned answers when the size limit is reached', async (t) => {
    const { folder, open } = disk(t, 3_000);
    const store = open();
    const pinned = await arrive(store, body, { title: 'pinned', keep: true, askedAt: day });
    store.pin(pinned.id, true);
    await store.flush();
    for (let number = 2; number < 9; number++)
      await arrive(store, body, { title: `${number}`, keep: true, askedAt: day * number });
    await eventually(async () => (await titles(folder)).length < 7);
    const kept = await titles(folder);
    assert.equal(kept[0], '8');
    assert.equal(kept.at(-1), 'pinned');
    assert.ok(kept.length < 7 && !kept.includes('2'), kept.join());
  });

  it('is shown but not kept on disk if it exceeds the size limit', async (t) => {
    const { folder, open } = disk(t, 50);
    const store = open();
    const answer = await arrive(store, body, { keep: true });
    assert.equal(answer.kept, undefined);
    assert.equal(answer.state, 'ready');
    assert.deepEqual(await readdir(folder).catch(() => []), []);
  });

  it('is shown but not kept on disk if the folder cannot be written', async (t) => {
    const { folder, open } = disk(t);
    await writeFile(folder, 'a file where the folder should be');
    const answer = await arrive(open(), body, { keep: true });
    assert.equal(answer.kept, undefined);
    assert.equal(answer.head.tables[0]?.rowCount, 3);
  });
});

describe('the folder of stored answers', () => {
  it('may contain incomplete files, files of another version and other files, which are ignored and kept', async (t) => {
    const { folder, open } = disk(t);
    const store = open();
    const good = await arrive(store, body, { title: 'good', keep: true, askedAt: 5 * day });
    const half = await arrive(store, body, { title: 'half', keep: true, askedAt: 4 * day });
    const later = await arrive(store, body, { title: 'later', keep: true, askedAt: 3 * day });
    const broken = await arrive(store, body, { title: 'broken', keep: true, askedAt: 2 * day });
    await truncate(join(folder, `${half.kept}.body`), 20);
    const header = join(folder, `${later.kept}.json`);
    await writeFile(
      header,
      (await readFile(header, 'utf8')).replace('"version":1', '"version":99'),
    );
    await truncate(join(folder, `${broken.kept}.json`), 30);
    await writeFile(join(folder, 'notes.json'), '{}');
    await mkdir(join(folder, `${'0'.repeat(15)}-aaaaaaaa.json`));
    const before = (await readdir(folder)).sort();
    assert.deepEqual(await titles(folder), ['good']);
    await assert.rejects(open().restoreKept(half.kept ?? ''), {
      code: 'file',
      message: /incomplete/,
    });
    await assert.rejects(open().restoreKept('../../etc/passwd'), { code: 'file' });
    assert.deepEqual((await readdir(folder)).sort(), before);
    assert.equal((await open().restoreKept(good.kept ?? '')).about.title, 'good');
  });

  it('is cleaned of stale partial files, but not of partial files being written', async (t) => {
    const { folder, open } = disk(t);
    await mkdir(folder);
    const [stale, fresh] = ['1'.repeat(15), '2'.repeat(15)].map((time) =>
      join(folder, `${time}-aaaaaaaa.part`),
    ) as [string, string];
    await writeFile(stale, 'x');
    await writeFile(fresh, 'x');
    await utimes(stale, 1, 1);
    await arrive(open(), body, { keep: true });
    const part = `${'1'.repeat(15)}-aaaaaaaa.part`;
    await eventually(async () => !(await readdir(folder)).includes(part));
    const names = await readdir(folder);
    assert.ok(names.includes(`${'2'.repeat(15)}-aaaaaaaa.part`));
  });

  it('can be erased partly or completely, except for other files', async (t) => {
    const { folder, open } = disk(t);
    const store = open();
    const first = await arrive(store, body, { title: 'first', keep: true, askedAt: day });
    await arrive(store, body, { title: 'second', keep: true, askedAt: 2 * day });
    await writeFile(join(folder, 'other.txt'), '');
    await store.eraseKept([first.kept ?? '']);
    assert.deepEqual(await titles(folder), ['second']);
    assert.equal(store.get(first.id)?.kept, undefined);
    await store.eraseKept('all');
    assert.deepEqual(await readdir(folder), ['other.txt']);
  });

  it('stays readable if a header cannot be updated', { skip: needs.modes }, async (t) => {
    const { folder, open } = disk(t);
    const store = open();
    const answer = await arrive(store, body, { title: 'a', keep: true });
    await chmod(folder, 0o500);
    store.pin(answer.id, true);
    await store.flush();
    await chmod(folder, 0o700);
    const [kept] = await keptAnswers(folder);
    // A superuser can write despite the permissions.
    assert.ok(kept?.pinned === false || (kept?.pinned && process.getuid?.() === 0));
  });
});
