/**
 * The finished queries of a cell after a reload: only results that may be on disk are stored, and a run with an
 * unreadable result is not restored.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  dropQueries,
  type EndedQuery,
  keptQueries,
  readQueries,
} from '../../../client/src/notebook/endedQueries.ts';
import type { KeptQuery, KeptRun } from '../../../client/src/notebook/keptOutputs.ts';
import { initialTableViewState } from '../../../table/src/viewState.ts';
import { bodyOf } from '../../table/tables.ts';
import { arrive, keptAnswers, newStore } from '../store/stores.ts';

const body = bodyOf([['id', 'integer', ['1', '2']]]);
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 7 } };
const query = {
  text: 'print 1',
  title: 'print',
  deployment: 'Local',
  place: { uri: 'cell:/1', range },
};
const runAgain = { label: 'Run Again', command: 'run', arguments: ['cell:/2'] };
const failure: EndedQuery = {
  query,
  state: {
    kind: 'failed',
    message: 'No column nowhere',
    code: 'no_column',
    actions: [{ label: 'Go to Line 1', command: 'go', arguments: [{}] }],
  },
  place: 'Line 1 of this cell',
};

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ended-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function storeIn(t: TestContext, folder: string) {
  const store = newStore({ disk: { folder, maxBytes: 10_000_000 } });
  t.after(() => store.dispose());
  return store;
}

const runWith = (outputs: readonly KeptQuery[]): KeptRun => ({
  textDigest: '',
  order: 1,
  startedAt: 1,
  endedAt: 2,
  outputs,
});

describe('the finished queries of a cell', () => {
  it('are restored with their rows, view state and failures, and refer to the current URI of the cell', async (t) => {
    const folder = await folderOf(t);
    const before = storeIn(t, folder);
    const answer = await arrive(before, body, { keep: true });
    const viewState = { table: 0, tables: [{ ...initialTableViewState, wrap: true }] };
    before.setViewState(answer.id, viewState);
    const result: EndedQuery = {
      query,
      state: { kind: 'result', answer: answer.id },
      head: answer.head,
    };
    const kept = keptQueries([result, failure], {
      fileOf: (id) => before.get(id)?.kept,
      keeps: () => true,
    });
    // The workspace stores them as JSON.
    const outputs = JSON.parse(JSON.stringify(kept));
    await before.dispose();
    const store = storeIn(t, folder);
    const [first, second] = await readQueries(runWith(outputs), 'cell:/2', store, runAgain);
    const place = { uri: 'cell:/2', range };
    assert.ok(first && 'head' in first);
    assert.deepEqual(first.query, { ...query, place });
    assert.equal(first.head.tables[0]?.rowCount, 2);
    const held = store.get(first.state.answer);
    assert.equal(held?.kept, answer.kept);
    assert.deepEqual(held?.viewState, viewState);
    assert.deepEqual(second, {
      query: { ...query, place },
      state: {
        kind: 'failed',
        message: 'No column nowhere',
        code: 'no_column',
        actions: [runAgain],
      },
      place: 'Line 1 of this cell',
    });
    await dropQueries([first], store);
    assert.deepEqual(store.answers, []);
    assert.equal((await keptAnswers(folder)).length, 1);
  });

  it('are not stored, including failures, if results of their deployment must not be kept', async (t) => {
    const store = storeIn(t, await folderOf(t));
    const { id, head } = await arrive(store, body, { keep: false });
    const result: EndedQuery = { query, state: { kind: 'result', answer: id }, head };
    const kept = keptQueries([result, failure], {
      fileOf: (answer) => store.get(answer)?.kept,
      keeps: (deployment) => deployment !== 'Local',
    });
    assert.deepEqual(kept, []);
  });

  it('are not restored if the file of one result is missing', async (t) => {
    const folder = await folderOf(t);
    const before = storeIn(t, folder);
    const { kept: first = '' } = await arrive(before, body, { keep: true });
    const { kept: second = '' } = await arrive(before, body, { keep: true });
    await before.dispose();
    await rm(join(folder, `${second}.body`));
    const store = storeIn(t, folder);
    const run = runWith([
      { query, file: first },
      { query, file: second },
    ]);
    await assert.rejects(readQueries(run, 'cell:/2', store, runAgain), { code: 'file' });
    assert.deepEqual(store.answers, []);
  });
});
