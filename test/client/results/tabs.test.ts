/** The tabs of results: the tab that a run uses, its state during and after the run, and closed tabs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerSlots, answerIn } from '../../../client/src/answers/slots.ts';
import {
  ResultTabs,
  type StartOptions,
  type TabQuery,
  type TabsChange,
} from '../../../client/src/answers/tabs.ts';

const asked: StartOptions = { startedAt: 1_000, deployment: 'Local', rangeLabel: 'last 1 hour' };

/** Returns a query in the lines `[from, to)` of a document. */
function queryAt(
  from: number,
  to: number,
  title = `lines ${from}`,
  uri = 'file:///a.apl',
): TabQuery {
  const range = { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
  return { text: title, title, place: { uri, range } };
}

function run(tabs: ResultTabs, query: TabQuery, answer: string): string {
  const { tab, run } = tabs.start(query, asked);
  assert.ok(tabs.settle(run, { kind: 'result', answer }));
  return tab;
}

function changesOf(tabs: ResultTabs): TabsChange[] {
  const changes: TabsChange[] = [];
  tabs.onDidChange((change) => changes.push(change));
  return changes;
}

describe('the tab of a run', () => {
  it('is the tab of the previous run of the same query', () => {
    const tabs = new ResultTabs();
    const first = run(tabs, queryAt(0, 2), 'a1');
    const second = run(tabs, queryAt(3, 5), 'a2');
    assert.notEqual(first, second);
    assert.equal(run(tabs, queryAt(0, 2, 'changed'), 'a3'), first);
    assert.deepEqual(
      tabs.tabs.map(({ id, title, state }) => [id, title, answerIn(state)]),
      [
        [first, 'changed', 'a3'],
        [second, 'lines 3', 'a2'],
      ],
    );
    assert.equal(tabs.active?.id, first);
  });

  it('is the same for a selection in the query, but not for the same query in another document', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, queryAt(3, 9), 'a1');
    assert.equal(run(tabs, queryAt(4, 5, 'a part'), 'a2'), tab);
    assert.notEqual(run(tabs, queryAt(3, 9, 'lines 3', 'file:///b.apl'), 'a3'), tab);
  });

  it('differs for two queries with the same title in one document', () => {
    const tabs = new ResultTabs();
    const first = run(tabs, queryAt(0, 2, 'same'), 'a1');
    assert.notEqual(run(tabs, queryAt(3, 5, 'same'), 'a2'), first);
  });

  it('is found by title and text if the position of the query is unknown', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, { text: 'print 1', title: 'one' }, 'a1');
    assert.equal(run(tabs, { text: 'print 1', title: 'one' }, 'a2'), tab);
    assert.notEqual(run(tabs, { text: 'print 2', title: 'one' }, 'a3'), tab);
  });

  it('is a new tab if the existing one is pinned or a new one is requested', () => {
    const tabs = new ResultTabs();
    const pinned = run(tabs, queryAt(0, 2), 'a1');
    tabs.pin(pinned, true);
    const next = run(tabs, queryAt(0, 2), 'a2');
    assert.notEqual(next, pinned);
    assert.equal(tabs.tabFor(queryAt(0, 2))?.id, next);
    assert.notEqual(tabs.start(queryAt(0, 2), { ...asked, reuse: false }).tab, next);
  });

  it('is still found after edits have moved the query', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, queryAt(4, 6, 'moving'), 'a1');
    const uri = 'file:///a.apl';
    const at = (line: number, character = 0) => ({ line, character });
    tabs.edited(uri, { range: { start: at(0), end: at(0) }, text: 'one\ntwo\nthree\n' });
    assert.equal(tabs.tabFor(queryAt(4, 6, 'another')), undefined);
    assert.equal(tabs.tabFor(queryAt(7, 9, 'another'))?.id, tab);
    tabs.edited('file:///b.apl', { range: { start: at(0), end: at(2) }, text: '' });
    tabs.edited(uri, { range: { start: at(0), end: at(3) }, text: '' });
    assert.equal(tabs.tabFor(queryAt(4, 6, 'another'))?.id, tab);
    // The entire document is replaced, so the next query of the document uses the tab.
    tabs.edited(uri, { range: { start: at(0), end: at(20) }, text: 'print 1\n\nprint 2' });
    assert.equal(tabs.tabFor(queryAt(4, 6, 'another'))?.id, tab);
    assert.equal(tabs.tabFor(queryAt(0, 1, 'moving'))?.id, tab);
    assert.equal(tabs.tabFor(queryAt(0, 1, 'moving', 'file:///b.apl')), undefined);
  });

  it('has a range that grows and shrinks with edits inside the query', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, queryAt(2, 4), 'a1');
    const at = (line: number, character = 0) => ({ line, character });
    const edit = (start: ReturnType<typeof at>, end: ReturnType<typeof at>, text: string) =>
      tabs.edited('file:///a.apl', { range: { start, end }, text });
    edit(at(3, 2), at(3, 2), 'x\n| take 1\n');
    assert.deepEqual(tabs.tab(tab)?.query.place?.range, { start: at(2), end: at(6) });
    edit(at(1, 3), at(3, 1), '');
    assert.deepEqual(tabs.tab(tab)?.query.place?.range, { start: at(1, 3), end: at(4) });
    edit(at(3), at(9), 'rest');
    assert.deepEqual(tabs.tab(tab)?.query.place?.range, { start: at(1, 3), end: at(3, 4) });
  });
});

describe('the tab of a query that is no longer in its document', () => {
  const failure = { kind: 'failed', message: 'no', actions: [] } as const;
  const uri = 'file:///a.apl';
  const all = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };

  function failedIn(tabs: ResultTabs, query: TabQuery): string {
    const { tab, run } = tabs.start(query, asked);
    assert.ok(tabs.settle(run, failure));
    return tab;
  }

  it('is used by the next run of its query', () => {
    const tabs = new ResultTabs();
    const failed = failedIn(tabs, queryAt(0, 2, 'coutn'));
    tabs.edited(uri, { range: { start: all.start, end: all.start }, text: '\n' });
    assert.equal(run(tabs, queryAt(1, 3, 'count'), 'a1'), failed);
    assert.equal(failedIn(tabs, queryAt(1, 3, 'coutn')), failed);
    assert.equal(tabs.tabs.length, 1);
  });

  it('is used by the next run in the document after its query was removed', () => {
    const tabs = new ResultTabs();
    const failed = failedIn(tabs, queryAt(0, 2, 'coutn'));
    const other = failedIn(tabs, queryAt(0, 2, 'other', 'file:///b.apl'));
    tabs.edited(uri, { range: all, text: 'logs | count\n\nlogs | take 5' });
    assert.equal(run(tabs, queryAt(0, 1, 'count'), 'a1'), failed);
    assert.notEqual(run(tabs, queryAt(2, 3, 'take'), 'a2'), failed);
    assert.equal(tabs.tab(other)?.state.kind, 'failed');
    // The same holds for a tab with a result, because a document has a tab for each query. A pinned tab is left alone.
    const pinned = failedIn(tabs, queryAt(2, 3, 'taek'));
    tabs.pin(pinned, true);
    tabs.edited(uri, { range: all, text: 'logs | limit 7' });
    assert.equal(tabs.tabs.length, 3);
    assert.equal(run(tabs, queryAt(0, 1, 'limit'), 'a3'), failed);
    assert.equal(tabs.tab(pinned)?.pinned, true);
    assert.equal(tabs.tabs.length, 3);
  });

  it('is used by the next run in the document even if its own run was cancelled', () => {
    const tabs = new ResultTabs();
    const { tab, run: first } = tabs.start(queryAt(0, 2), asked);
    tabs.cancelled(first);
    tabs.edited(uri, { range: all, text: 'logs' });
    assert.equal(run(tabs, queryAt(0, 1, 'logs'), 'a1'), tab);
  });
});

describe('the tabs of an untitled document that is closed', () => {
  it('are not used by the next untitled document with the same name', () => {
    const tabs = new ResultTabs();
    const uri = 'untitled:Untitled-1';
    const kept = run(tabs, queryAt(0, 2, 'one', uri), 'a1');
    tabs.documentGone(uri);
    assert.equal(tabs.tab(kept)?.query.place?.range, undefined);
    assert.notEqual(run(tabs, queryAt(0, 2, 'two', uri), 'a2'), kept);
    assert.equal(tabs.tab(kept)?.state.kind, 'result');
  });
});

describe('while a query runs', () => {
  it('the previous result is kept, and cancelling the run restores it', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, queryAt(0, 2), 'a1');
    const changes = changesOf(tabs);
    const { run: second } = tabs.start(queryAt(0, 2), asked);
    const previous = { kind: 'result', answer: 'a1' } as const;
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'running', run: second, ...asked, previous });
    assert.ok(tabs.cancelled(second, asked.startedAt + 250));
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'cancelled', elapsed: 250, previous });
    // No answer is released, because the previous one is shown again.
    assert.deepEqual(
      changes.flatMap(({ released }) => released),
      [],
    );
    const { run: third } = tabs.start(queryAt(0, 2), asked);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'running', run: third, ...asked, previous });
  });

  it('a run that was replaced by another changes nothing when it ends', () => {
    const tabs = new ResultTabs();
    const { tab, run: first } = tabs.start(queryAt(0, 2), asked);
    const { run: second } = tabs.start(queryAt(0, 2), asked);
    assert.equal(tabs.settle(first, { kind: 'result', answer: 'late' }), false);
    assert.equal(tabs.cancelled(first), false);
    assert.equal(tabs.tabOf(first), undefined);
    assert.equal(tabs.tabOf(second)?.id, tab);
    assert.ok(tabs.settle(second, { kind: 'failed', message: 'No.', actions: [] }));
    assert.equal(tabs.settle(second, { kind: 'result', answer: 'again' }), false);
  });

  it('a new answer releases the previous answer, unless another tab shows that', () => {
    const tabs = new ResultTabs();
    run(tabs, queryAt(0, 2), 'a1');
    const changes = changesOf(tabs);
    run(tabs, queryAt(0, 2), 'a2');
    assert.deepEqual(
      changes.flatMap(({ released }) => released),
      ['a1'],
    );
    tabs.open({ query: queryAt(0, 2), pinned: true, state: { kind: 'result', answer: 'a2' } });
    run(tabs, queryAt(0, 2), 'a3');
    assert.deepEqual(
      changes.flatMap(({ released }) => released),
      ['a1'],
    );
  });

  it('a hint is shown only with its own answer', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, queryAt(0, 2), 'a1');
    const hint = { message: 'Events are elsewhere.', actions: [] };
    tabs.setHint('other', hint);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'result', answer: 'a1' });
    tabs.setHint('a1', hint);
    assert.deepEqual(tabs.tab(tab)?.state, { kind: 'result', answer: 'a1', hint });
  });
});

describe('tabs', () => {
  it('have the name given by the user', () => {
    const tabs = new ResultTabs();
    const tab = run(tabs, queryAt(0, 2, 'title'), 'a1');
    tabs.rename(tab, '  Slow requests ');
    assert.equal(tabs.tab(tab)?.title, 'Slow requests');
    run(tabs, queryAt(0, 2, 'other title'), 'a2');
    assert.equal(tabs.tab(tab)?.title, 'Slow requests');
    tabs.rename(tab, ' ');
    assert.equal(tabs.tab(tab)?.title, 'other title');
    assert.equal(tabs.tab(tab)?.name, undefined);
  });

  it('are limited in number: the oldest tab that is not pinned, running or active is closed', () => {
    const tabs = new ResultTabs(3);
    const pinned = run(tabs, queryAt(0, 1), 'a0');
    tabs.pin(pinned, true);
    const running = tabs.start(queryAt(1, 2), asked).tab;
    const third = run(tabs, queryAt(2, 3), 'a2');
    const changes = changesOf(tabs);
    const fourth = run(tabs, queryAt(3, 4), 'a3');
    assert.deepEqual(
      tabs.tabs.map(({ id }) => id),
      [pinned, running, fourth],
    );
    assert.deepEqual([changes[0]?.closed, changes[0]?.released], [[third], ['a2']]);
  });

  it('activate a neighbor when the active tab is closed', () => {
    const tabs = new ResultTabs();
    const ids = [0, 1, 2].map((line) => run(tabs, queryAt(line, line + 1), `a${line}`));
    tabs.activate(ids[1] as string);
    const changes = changesOf(tabs);
    tabs.close(ids[1] as string);
    assert.equal(tabs.active?.id, ids[2]);
    tabs.close(ids[2] as string);
    assert.equal(tabs.active?.id, ids[0]);
    tabs.close(ids[0] as string);
    assert.equal(tabs.active, undefined);
    assert.deepEqual(
      changes.map(({ closed, activated, released }) => [closed, activated, released]),
      [
        [[ids[1]], true, ['a1']],
        [[ids[2]], true, ['a2']],
        [[ids[0]], true, ['a0']],
      ],
    );
    tabs.close(ids[0] as string);
    assert.equal(changes.length, 3);
  });

  it('can open in the background', () => {
    const tabs = new ResultTabs();
    const first = run(tabs, queryAt(0, 1), 'a0');
    const changes = changesOf(tabs);
    const { tab } = tabs.start(queryAt(2, 3), { ...asked, activate: false });
    assert.equal(tabs.active?.id, first);
    assert.deepEqual(changes, [{ changed: [tab], closed: [], activated: false, released: [] }]);
  });
});

describe('the ids of tabs', () => {
  it('differ between kinds of tabs', () => {
    const ids = ['cell-a', 'cell-b'].map((kind) => {
      const slots = new AnswerSlots(kind);
      const query = { text: 'T', title: 'T' };
      return slots.add(query, { kind: 'failed', message: 'It failed.', actions: [] });
    });
    assert.deepEqual(ids, ['cell-a-1', 'cell-b-1']);
  });
});
