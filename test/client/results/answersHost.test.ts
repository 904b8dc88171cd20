/** The host of pages with answers, over the real store: what a page is sent, and what the host keeps for it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ChartSession } from '../../../client/src/charts/host/chartSession.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import { AnswersHost } from '../../../client/src/results/host/answersHost.ts';
import type { Effects } from '../../../client/src/results/host/parts.ts';
import type { Screen } from '../../../client/src/results/messages.ts';
import { AnswerSlots, answerIn } from '../../../client/src/results/slots.ts';
import { ResultsStore } from '../../../client/src/results/store/resultsStore.ts';
import { ResultTabs, type TabId, type TabQuery } from '../../../client/src/results/tabs.ts';
import type { TimeRange } from '../../../client/src/time/timeRange.ts';
import type { ToPageMessage } from '../../../client/src/webview/contract.ts';
import { bodyOf, requests, result } from './samples.ts';

let store: ResultsStore;
before(() => {
  const worker = '../../../client/src/results/store/worker/main.ts';
  store = new ResultsStore({ worker: new URL(worker, import.meta.url), maxBytes: 1e9 });
});
after(() => store.dispose());

const query: TabQuery = { text: 'logs', title: 'logs' };
const asked = { startedAt: 0, deployment: 'Local', rangeLabel: 'last 1 hour' };
const effects = { warn: () => undefined, inform: () => undefined } as unknown as Effects;

async function answer(rows: number): Promise<string> {
  const range = { startTime: 'now-1h', endTime: 'now', rangeLabel: 'last 1 hour' };
  const about = { ...range, title: 'logs', query: 'logs', deployment: 'Local', askedAt: 0 };
  const arriving = store.begin({ ...about, statesColumnOrder: true }, false);
  await arriving.write(Buffer.from(bodyOf(result([requests(rows)]))));
  return (await arriving.finish({ roundTripMilliseconds: 1 })).id;
}

/** A host, and a page that only records what it is sent. */
function opened(tabs: AnswerSlots, strip?: ResultTabs) {
  const kept = new Map<string, unknown>();
  const problems: string[] = [];
  const events: (ToPageMessage & { readonly kind: 'event' })[] = [];
  const replies = new Map<number, (content: unknown) => void>();
  let receive: (message: unknown) => void = () => undefined;
  const host = new AnswersHost({
    answers: store,
    tabs,
    ...(strip && {
      strip: { tabs: strip, cancel: () => undefined, focused: () => undefined },
    }),
    arrangements: new Arrangements({
      get: (key) => kept.get(key),
      update: (key, value) => kept.set(key, value),
    }),
    effects,
    runAgain: () => ({ label: 'Run Again', command: 'again' }),
    chartsFirst: () => false,
    timeZone: () => 'utc',
    onProblem: (problem) => problems.push(problem),
  });
  host.attach({
    post: (message) => {
      if (message.kind === 'event') events.push(message);
      else replies.get(message.call)?.(message.kind === 'reply' ? message.content : message);
    },
    onMessage: (listener) => {
      receive = listener;
      return { dispose: () => undefined };
    },
  });
  let calls = 0;
  const screen = (tab: TabId) => {
    calls += 1;
    const call = calls;
    return new Promise<Screen | null>((resolve) => {
      replies.set(call, resolve as (content: unknown) => void);
      receive({ kind: 'request', call, name: 'screen', content: { tab } });
    });
  };
  return {
    host,
    problems,
    screen,
    send: (name: string, content: unknown) => receive({ kind: 'event', name, content }),
    /** Returns the events since the last call, such as `changed tab-1`. */
    taken: () =>
      events.splice(0).map(({ name, content }) => {
        const { tab, active, action } = (content ?? {}) as Record<string, unknown>;
        return [name, tab ?? active ?? action].filter((part) => part !== undefined).join(' ');
      }),
  };
}

const viewOf = (screen: Screen | null) => {
  assert.ok(screen?.content?.kind === 'result');
  return screen.content.view;
};

describe('the host of a page with a strip of tabs', () => {
  it('sends the tabs, and that the active one has changed', async () => {
    const tabs = new ResultTabs();
    const { send, taken, screen, problems, host } = opened(tabs, tabs);
    send('ready', null);
    assert.deepEqual(taken(), ['tabs', 'follow', 'parameterForm']);
    const { tab, run } = tabs.start(query, asked);
    assert.deepEqual(taken(), [`tabs ${tab}`, 'follow']);
    assert.ok((await screen(tab))?.running);
    tabs.settle(run, { kind: 'result', answer: await answer(3) });
    assert.deepEqual(taken(), [`tabs ${tab}`, `changed ${tab}`]);
    assert.equal(viewOf(await screen(tab)).tables.length, 1);
    assert.equal(await screen('gone'), null);
    host.act('find', {});
    await new Promise(setImmediate);
    assert.deepEqual(taken(), ['action find']);
    host.act('closeTab', {});
    assert.deepEqual(taken(), ['tabs', 'follow']);
    assert.deepEqual(problems, []);
  });

  it('keeps the order that the page reports for the next run of the query', async () => {
    const tabs = new ResultTabs();
    const { send, screen, problems, taken } = opened(tabs, tabs);
    const first = tabs.start(query, asked);
    tabs.settle(first.run, { kind: 'result', answer: await answer(3) });
    const view = viewOf(await screen(first.tab));
    const [table] = view.tables;
    assert.ok(table);
    const order = [{ column: 1, descending: true }];
    const arranged = { ...view, tables: [{ ...table, order, hidden: [0], shown: 'table' }] };
    send('arranged', { answer: tabs.active && answerIn(tabs.active.state), view: arranged });
    taken();
    const next = tabs.start(query, asked);
    assert.equal(next.tab, first.tab);
    tabs.settle(next.run, { kind: 'result', answer: await answer(4) });
    const carried = viewOf(await screen(next.tab)).tables[0];
    assert.deepEqual([carried?.order, carried?.hidden, carried?.shown], [order, [0], 'table']);
    send('arranged', { answer: 'released', view: arranged });
    send('arranged', {
      answer: tabs.active && answerIn(tabs.active.state),
      view: { ...view, tables: [{ ...table, columnOrder: [0, 0] }] },
    });
    await new Promise(setImmediate);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /does not have the columns/);
  });
});

describe('the host of a page with any number of slots', () => {
  it('sends no tabs, and shows the next answer of a query in its slot', async () => {
    const slots = new AnswerSlots('cell');
    const { send, taken, screen, host, problems } = opened(slots);
    send('ready', null);
    const slot = slots.show(query, { kind: 'result', answer: await answer(2) });
    assert.deepEqual(taken(), [`changed ${slot}`]);
    viewOf(await screen(slot));
    assert.equal(slots.show(query, { kind: 'result', answer: await answer(5) }), slot);
    assert.deepEqual(taken(), [`changed ${slot}`]);
    assert.equal(viewOf(await screen(slot)).tables.length, 1);
    host.act('copy', { output: slot });
    await new Promise(setImmediate);
    host.refresh();
    assert.deepEqual(taken(), ['action copy', 'changed']);
    slots.close(slot);
    assert.equal(await screen(slot), null);
    assert.deepEqual(problems, []);
  });
});

describe('the charts of a surface', () => {
  it('set the range of the surface, run it again, and lead back', async () => {
    const slots = new AnswerSlots('card');
    const runs: (TimeRange | undefined)[] = [];
    let range: TimeRange | undefined;
    const charts = new ChartSession<TimeRange | undefined>({
      surface: {
        owner: () => 'page',
        rangeOf: () => range,
        setRange: async (_, next) => {
          range = next;
          return {};
        },
        runAgain: () => ({ owner: 'page', ended: Promise.resolve(runs.push(range)) }),
      },
      shared: {
        annotate: async () => undefined,
        marks: async () => ({ annotations: [], thresholds: [], notes: [] }),
        savePicture: async () => undefined,
      },
      tabs: slots,
      store,
      answers: undefined as never,
      askInTab: async () => undefined,
      limits: () => ({ timeoutMs: 1_000 }),
    });
    const id = await answer(1);
    const tab = slots.tab(slots.add(query, { kind: 'result', answer: id }));
    const held = store.get(id);
    assert.ok(tab && held);
    assert.deepEqual(charts.state(tab, held), { canSelectRange: true, canGoBack: false });
    await charts.selectRange(tab, 0, 60_000);
    assert.deepEqual(charts.state(tab, held), { canSelectRange: true, canGoBack: true });
    await charts.back(tab);
    assert.deepEqual(charts.state(tab, held), { canSelectRange: true, canGoBack: false });
    assert.deepEqual(
      runs.map((run) => run?.start),
      [{ kind: 'at', time: '1970-01-01T00:00:00Z' }, undefined],
    );
  });
});
