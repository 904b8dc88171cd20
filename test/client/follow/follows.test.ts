// Queries followed in tabs: what a tab shows, what stops following, and how it continues.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { answerIn } from '../../../client/src/answers/slots.ts';
import { ResultTabs } from '../../../client/src/answers/tabs.ts';
import { HIDDEN_MS } from '../../../client/src/follow/follower.ts';
import { rateText } from '../../../client/src/follow/followView.ts';
import { statementsIn } from '../../../client/src/schema/fromAnswer.ts';
import { arrivalColumn } from '../../../server/src/protocol.ts';
import { newStore } from '../store/stores.ts';
import { EventsService, type Misbehaviour } from './eventsService.ts';
import { FakeClock } from './fakeClock.ts';
import { Followed } from './followed.ts';

const store = newStore();
after(() => store.dispose());

async function open(misbehaviour?: (request: number) => Misbehaviour | undefined) {
  const clock = new FakeClock();
  const service = await EventsService.start(
    () => clock.now(),
    misbehaviour === undefined ? {} : { misbehaviour },
  );
  const tabs = new ResultTabs();
  const followed = new Followed(clock, { tabs, store }, service.client);
  const rows = () => {
    const id = tabs.active && answerIn(tabs.active.state);
    return id === undefined ? undefined : store.get(id)?.head.tables[0]?.rowCount;
  };
  return {
    clock,
    service,
    tabs,
    followed,
    follows: followed.follows,
    rows,
    async [Symbol.asyncDispose]() {
      followed.follows.dispose();
      await service[Symbol.asyncDispose]();
    },
  };
}

describe('a tab whose query is followed', () => {
  it('shows a run until the first answer, then appends new events to it', async () => {
    await using session = await open();
    session.service.arrive(3);
    const tab = await session.followed.start();
    assert.equal(session.tabs.tab(tab)?.state.kind, 'running');
    assert.equal(session.follows.view(tab), undefined);
    await session.followed.step();
    assert.equal(session.tabs.tab(tab)?.state.kind, 'result');
    assert.equal(session.rows(), 3);
    session.service.arrive(4);
    const before = session.tabs.tab(tab)?.state;
    await session.followed.step();
    assert.equal(session.rows(), 7);
    assert.equal(session.tabs.tab(tab)?.state, before);
    const { state, label, counts, appends } = session.follows.view(tab) ?? {};
    assert.deepEqual(
      [state, label, counts, appends],
      ['following', 'Following', ['4 new events', '2.0/s'], true],
    );
    assert.deepEqual([...session.followed.listed.keys()], [tab]);
  });

  it('reports the fields of its dataset once, without the columns that following adds', async () => {
    await using session = await open();
    session.service.arrive(3);
    await session.followed.start();
    await session.followed.step();
    await session.followed.step();
    const [told, ...others] = session.followed.arrived;
    assert.ok(told);
    assert.equal(others.length, 0);
    assert.equal(told.about.query, "['logs']");
    const [statement] = statementsIn(told.head, 'logs');
    const names = statement?.fields.map(({ name }) => name) ?? [];
    assert.ok(names.includes('n'), names.join());
    assert.ok(!names.includes(arrivalColumn) && !names.includes('_cursor'), names.join());
  });

  it('shows the start of following instead of the time range', async () => {
    await using session = await open();
    session.service.arrive(3);
    const started = session.clock.now();
    const tab = await session.followed.start();
    await session.followed.step();
    const state = session.tabs.tab(tab)?.state;
    const held = state && store.get(answerIn(state) ?? '');
    assert.equal(held?.about.rangeLabel, `followed since ${started}`);
  });

  it('shows a notice while no events arrive', async () => {
    await using session = await open();
    const tab = await session.followed.start();
    await session.followed.step();
    const message = () => session.follows.view(tab)?.notice?.message ?? '';
    assert.equal(message(), '');
    while (message() === '') await session.followed.step();
    assert.match(message(), /^No new events yet/);
    session.service.arrive(1);
    await session.followed.step();
    assert.equal(message(), '');
  });

  it('can be paused, stopped, and resumed after each', async () => {
    await using session = await open();
    const tab = await session.followed.start();
    await session.followed.step();
    session.follows.pause(tab);
    assert.equal(session.follows.view(tab)?.label, 'Paused');
    assert.equal(session.followed.listed.size, 0);
    session.service.arrive(2);
    assert.equal(session.clock.next, undefined);
    session.follows.resume(tab);
    await session.followed.step();
    assert.equal(session.rows(), 2);
    session.followed.listed.get(tab)?.();
    assert.equal(session.follows.view(tab)?.label, 'Stopped');
    assert.equal(session.rows(), 2);
    assert.equal(session.tabs.tab(tab)?.state.kind, 'result');
    session.follows.resume(tab);
    session.service.arrive(1);
    await session.followed.step();
    assert.equal(session.rows(), 3);
  });

  it('is shown as a canceled run if it is canceled before the first answer', async () => {
    await using session = await open(() => 'late');
    const tab = await session.followed.start();
    session.clock.advance(0);
    session.followed.listed.get(tab)?.();
    assert.equal(session.tabs.tab(tab)?.state.kind, 'cancelled');
    assert.equal(session.follows.view(tab), undefined);
    assert.equal(session.clock.next, undefined);
  });

  it('shows why the first request failed', async () => {
    await using session = await open(() => 'limited');
    const tab = await session.followed.start();
    await session.followed.step();
    const state = session.tabs.tab(tab)?.state;
    assert.ok(state?.kind === 'failed');
    assert.equal(state.message, 'rate limit exceeded.');
    assert.equal(session.followed.listed.size, 0);
    assert.equal(session.clock.next, undefined);
  });

  it('shows why a later request failed, and continues after the rate limit', async () => {
    await using session = await open((request) => (request === 1 ? 'limited' : undefined));
    const tab = await session.followed.start();
    await session.followed.step();
    session.service.arrive(5);
    await session.followed.step();
    const { notice, state } = session.follows.view(tab) ?? {};
    assert.equal(state, 'following');
    assert.match(notice?.message ?? '', /^rate limit exceeded\. Trying again in (19|20|21) s\.$/);
    assert.equal(session.tabs.tab(tab)?.state.kind, 'result');
    assert.ok((session.clock.next as number) >= 19_000);
    await session.followed.step();
    assert.equal(session.rows(), 5);
    assert.equal(session.follows.view(tab)?.notice, undefined);
  });

  it('is no longer followed after it is closed or its query runs again', async () => {
    await using session = await open();
    const tab = await session.followed.start();
    await session.followed.step();
    session.tabs.close(tab);
    assert.equal(session.follows.view(tab), undefined);
    assert.equal(session.clock.next, undefined);
    const second = await session.followed.start();
    await session.followed.step();
    session.tabs.start(
      { text: "['logs']", title: "['logs']" },
      { startedAt: 0, deployment: 'Local', rangeLabel: '' },
    );
    assert.equal(session.follows.view(second), undefined);
    assert.equal(session.followed.listed.size, 0);
  });

  it('sends one request at a time if following is started twice', async () => {
    await using session = await open();
    const first = await session.followed.start();
    await session.followed.step();
    assert.equal(await session.followed.start(), first);
    await session.followed.step();
    session.service.arrive(2);
    await session.followed.step();
    assert.equal(session.rows(), 2);
    assert.equal(session.service.mostAtOnce, 1);
  });

  for (const [name, hide] of [
    ['the results are hidden', ({ follows }) => follows.setVisible(false)],
    [
      'another tab is in view',
      ({ tabs }) =>
        void tabs.start(
          { text: 'print 1', title: 'other' },
          { startedAt: 0, deployment: 'Local', rangeLabel: '' },
        ),
    ],
  ] as const satisfies readonly [string, (session: Awaited<ReturnType<typeof open>>) => void][])
    it(`stops after a while if ${name}, and can be resumed`, async () => {
      await using session = await open();
      const tab = await session.followed.start();
      await session.followed.step();
      hide(session);
      for (const end = session.clock.now() + HIDDEN_MS; session.clock.now() < end; )
        await session.followed.step();
      assert.equal(session.follows.view(tab)?.state, 'stopped');
      assert.match(session.follows.view(tab)?.notice?.message ?? '', /not in view for 3 minutes/);
      assert.equal(session.followed.listed.size, 0);
      session.service.arrive(2);
      session.tabs.activate(tab);
      session.follows.setVisible(true);
      session.follows.resume(tab);
      await session.followed.step();
      assert.equal(session.rows(), 2);
    });
});

describe('a followed query whose rows are not events', () => {
  it('runs again at its own interval and replaces its previous answer', async () => {
    await using session = await open();
    session.service.arrive(3);
    const tab = await session.followed.start("['logs'] | summarize count() // limit 100");
    await session.followed.step();
    const first = answerIn(session.tabs.tab(tab)?.state as never);
    assert.equal(session.clock.next, 10_000);
    const changes: boolean[] = [];
    session.tabs.onDidChange(({ byItself }) => changes.push(byItself === true));
    await session.followed.step();
    const second = answerIn(session.tabs.tab(tab)?.state as never);
    assert.notEqual(second, first);
    // A repeated run does not bring the view to the front.
    assert.deepEqual(changes, [true]);
    const view = session.follows.view(tab);
    assert.equal(view?.label, 'Running again every 10 s');
    assert.equal(view?.appends, false);
    assert.match(view?.notice?.message ?? '', /not events after "summarize"/);
  });
});

describe('the rate of new events', () => {
  for (const [rate, text] of [
    [0, '0/s'],
    [0.04, '0.0/s'],
    [2.04, '2.0/s'],
    [9.96, '10/s'],
    [1_999.6, '2,000/s'],
  ] as const)
    it(`is shown as ${text} for ${rate} per second`, () => assert.equal(rateText(rate), text));
});
