/** The host of answer pages, with the real store: the messages it sends to a page, and the state it keeps. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TablePlace } from '../../../client/src/answers/protocol.ts';
import { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import { AnswerSlots, answerIn } from '../../../client/src/answers/slots.ts';
import { ResultTabs, type TabId, type TabQuery } from '../../../client/src/answers/tabs.ts';
import { ChartSession } from '../../../client/src/charts/host/chartSession.ts';
import { Arrangements } from '../../../client/src/results/arrangements.ts';
import { AnswersHost } from '../../../client/src/results/host/answersHost.ts';
import type { Effects } from '../../../client/src/results/host/parts.ts';
import type { Screen } from '../../../client/src/results/pageContent.ts';
import type { TimeRange } from '../../../client/src/time/timeRange.ts';
import type { ToPageMessage } from '../../../client/src/webview/pageContract.ts';
import type { AnswerAbout } from '../../../table/src/answer.ts';
import type { AnswerViewState } from '../../../table/src/viewState.ts';
import { bodyOf, requests, result, type SampleTable, table as sampleTable } from './samples.ts';

let store: ResultsStore;
before(() => {
  const worker = '../../../client/src/answers/worker/main.ts';
  store = new ResultsStore({ worker: new URL(worker, import.meta.url), maxBytes: 1e9 });
});
after(() => store.dispose());

const query: TabQuery = { text: 'logs', title: 'logs' };
const asked = { startedAt: 0, deployment: 'Local', rangeLabel: 'last 1 hour' };
const warnings: string[] = [];
const effects = {
  warn: (message: string) => warnings.push(message),
  inform: () => undefined,
} as unknown as Effects;

const about = {
  startTime: 'now-1h',
  endTime: 'now',
  rangeLabel: 'last 1 hour',
  title: 'logs',
  query: 'logs',
  deployment: 'Local',
  askedAt: 0,
  statesColumnOrder: true,
};

const answer = (rows: number) => answerOf(requests(rows));

async function answerOf(table: SampleTable): Promise<string> {
  const arriving = store.begin(about, false);
  await arriving.write(Buffer.from(bodyOf(result([table]))));
  return (await arriving.finish({ roundTripMilliseconds: 1 })).id;
}

/** Appends an event with values in the named columns to a live tail, or begins one. */
async function follow(names: readonly string[], to: AnswerAbout | TablePlace): Promise<string> {
  const event = sampleTable(1, {
    _cursor: ['string', () => names.join()],
    _sysTime: ['datetime', () => '2026-11-21T09:14:02Z'],
    ...Object.fromEntries(names.map((name) => [name, ['string', () => name]])),
  });
  const bounds = { maxRows: 100, maxBytes: 1e9, newestFirst: false };
  const arriving = store.follow(to, { cursor: '_cursor', arrival: '_sysTime', ...bounds });
  await arriving.write(Buffer.from(bodyOf(result([event]))));
  return (await arriving.finish({ roundTripMilliseconds: 1 })).id;
}

/** Opens a host with a page that only records its messages. */
function opened(tabs: AnswerSlots, strip?: ResultTabs) {
  const kept = new Map<string, unknown>();
  const problems: string[] = [];
  const events: (ToPageMessage & { readonly kind: 'event' })[] = [];
  const replies = new Map<number, (content: unknown) => void>();
  let receive: (message: unknown) => void = () => undefined;
  const host = new AnswersHost({
    store,
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
  /** Returns the content of the reply, or the message of a failure. */
  const request = (name: string, content: unknown) => {
    calls += 1;
    const call = calls;
    return new Promise<unknown>((resolve) => {
      replies.set(call, resolve);
      receive({ kind: 'request', call, name, content });
    });
  };
  return {
    host,
    problems,
    request,
    screen: (tab: TabId) => request('screen', { tab }) as Promise<Screen | null>,
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

describe('the host of a page with tabs', () => {
  it('sends the tabs when a run starts, and reports the changed tab when the run ends', async () => {
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

  it('keeps the sort order and the hidden columns for the next run of the query', async () => {
    const tabs = new ResultTabs();
    const { send, request, screen, problems, taken } = opened(tabs, tabs);
    const first = tabs.start(query, asked);
    const shown = await answer(3);
    tabs.settle(first.run, { kind: 'result', answer: shown });
    const view = viewOf(await screen(first.tab));
    const [table] = view.tables;
    assert.ok(table);
    const order = [{ column: 1, descending: true }];
    await request('arrange', { answer: shown, table: 0, order, filters: [] });
    const arranged = { ...view, tables: [{ ...table, order, hidden: [0], shown: 'table' }] };
    send('arranged', { answer: shown, view: arranged });
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

  it('counts the filtered rows in a screen that follows the reply to the filter', async () => {
    const tabs = new ResultTabs();
    const { request, screen } = opened(tabs, tabs);
    const { tab, run } = tabs.start(query, asked);
    const shown = await answer(6);
    tabs.settle(run, { kind: 'result', answer: shown });
    const filters = [{ column: 1, kind: 'number', from: '404' }];
    const filtered = request('arrange', { answer: shown, table: 0, order: [], filters });
    let isReplied = false;
    void filtered.then(() => {
      isReplied = true;
    });
    // The worker gets the filter first, and the request for the screen before it has replied.
    for (let step = 0; step < 10; step++) await null;
    const { content } = (await screen(tab)) ?? {};
    assert.ok(content?.kind === 'result');
    assert.equal(isReplied, true);
    const { rowCount } = (await filtered) as { rowCount: number };
    assert.notEqual(rowCount, 6);
    assert.equal(content.tables[0]?.rowCount, rowCount);
  });

  it('shows the previous sort order and filters again after a filter was rejected', async () => {
    const tabs = new ResultTabs();
    const { send, request, screen, host, problems } = opened(tabs, tabs);
    const { tab, run } = tabs.start(query, asked);
    const shown = await answer(6);
    tabs.settle(run, { kind: 'result', answer: shown });
    const view = viewOf(await screen(tab));
    const [table] = view.tables;
    assert.ok(table);
    const place = { answer: shown, table: 0 };
    const order = [{ column: 2, descending: true }];
    const filters = [{ column: 1, kind: 'number', from: '404' }];
    await request('arrange', { ...place, order, filters });
    const regex = { column: 4, kind: 'text', match: 'regex', text: '(', caseSensitive: false };
    const rejected = { order: [], filters: [...filters, regex] };
    const failed = request('arrange', { ...place, ...rejected });
    // A page that scrolls reports its entire record, including filters that the worker is yet to reject.
    const scroll = { row: 1, left: 0 };
    send('arranged', {
      answer: shown,
      view: { ...view, tables: [{ ...table, ...rejected, scroll }] },
    });
    assert.match(JSON.stringify(await failed), /Invalid regular expression/);
    host.refresh();
    const redrawn = await screen(tab);
    const [state] = viewOf(redrawn).tables;
    assert.deepEqual([state?.order, state?.filters, state?.scroll], [order, filters, scroll]);
    assert.ok(redrawn?.content?.kind === 'result');
    assert.equal(redrawn.content.tables[0]?.rowCount, 4);
    // A rejected filter that was kept would fail the next run too.
    const next = tabs.start(query, asked);
    tabs.settle(next.run, { kind: 'result', answer: await answer(9) });
    assert.deepEqual(viewOf(await screen(tab)).tables[0]?.filters, filters);
    assert.deepEqual(problems, []);
  });

  it('arranges each answer of a live tail even if its tab was never drawn', async () => {
    const tabs = new ResultTabs();
    const { screen, problems } = opened(tabs, tabs);
    const { tab, run } = tabs.start(query, asked);
    tabs.settle(run, { kind: 'result', answer: await answer(1) });
    for (const rows of [2, 3]) {
      const next = await answer(rows);
      tabs.replaceResult(tab, next);
      const held = store.get(next);
      assert.equal(held?.viewState.tables.length, held?.head.tables.length);
    }
    const drawn = await screen(tab);
    assert.deepEqual(viewOf(drawn).tables[0]?.columnOrder, [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(problems, []);
  });

  it('removes a filter of a live tail if its column has another type in the next answer', async () => {
    const tabs = new ResultTabs();
    const { request, screen, problems } = opened(tabs, tabs);
    const { tab, run } = tabs.start(query, asked);
    const numbers = sampleTable(4, { v: ['integer', (row) => row], w: ['integer', () => 1] });
    const shown = await answerOf(numbers);
    tabs.settle(run, { kind: 'result', answer: shown });
    await screen(tab);
    const filters = [0, 1].map((column) => ({ column, kind: 'number', from: '1' }));
    await request('arrange', { answer: shown, table: 0, order: [], filters });
    tabs.replaceResult(tab, await answerOf(numbers));
    assert.deepEqual(viewOf(await screen(tab)).tables[0]?.filters, filters);
    const strings = sampleTable(4, { v: ['string', () => 'a'], w: ['integer', () => 1] });
    tabs.replaceResult(tab, await answerOf(strings));
    const drawn = await screen(tab);
    assert.deepEqual(viewOf(drawn).tables[0]?.filters, filters.slice(1));
    assert.ok(drawn?.content?.kind === 'result');
    assert.equal(drawn.content.tables[0]?.rowCount, 4);
    assert.deepEqual(problems, []);
  });

  it('removes and reports a filter that fails on the next answer, and keeps the other filters', async () => {
    const tabs = new ResultTabs();
    const { screen, problems } = opened(tabs, tabs);
    const first = tabs.start(query, asked);
    const shown = await answer(6);
    tabs.settle(first.run, { kind: 'result', answer: shown });
    const view = viewOf(await screen(first.tab));
    const order = [{ column: 2, descending: true }];
    // Fails at once, unlike a regex that takes too long on other rows.
    const failing = { column: 4, kind: 'text', match: 'regex', text: '(', caseSensitive: false };
    const range = { column: 1, kind: 'number', from: '404' };
    const tables = view.tables.map((table) => ({ ...table, order, filters: [failing, range] }));
    store.setViewState(shown, { ...view, tables } as AnswerViewState);
    const next = tabs.start(query, asked);
    const answered = await answer(9);
    tabs.settle(next.run, { kind: 'result', answer: answered });
    const drawn = await screen(next.tab);
    const [table] = viewOf(drawn).tables;
    assert.deepEqual([table?.order, table?.filters], [order, [range]]);
    assert.ok(drawn?.content?.kind === 'result');
    assert.equal(drawn.content.tables[0]?.rowCount, 6);
    assert.deepEqual(store.get(answered)?.viewState.tables[0]?.filters, [range]);
    assert.equal(warnings.length, 1);
    assert.match(
      warnings[0] ?? '',
      /^The filter on 'geo.city' was removed\. Invalid regular expression/,
    );
    assert.deepEqual(problems, []);
  });

  it('applies the reported arrangement to a table that has gained a column in the meantime', async () => {
    const tabs = new ResultTabs();
    const { send, screen, problems } = opened(tabs, tabs);
    const { tab, run } = tabs.start(query, asked);
    const tail = await follow(['a'], about);
    tabs.settle(run, { kind: 'result', answer: tail });
    const view = viewOf(await screen(tab));
    const [table] = view.tables;
    assert.deepEqual(table?.columnOrder, [0]);
    await follow(['a', 'b'], { answer: tail, table: 0 });
    assert.equal(store.get(tail)?.head.tables[0]?.fields.length, 2);
    const reported = { ...table, wrap: true, widths: { 0: 77 } };
    send('arranged', { answer: tail, view: { ...view, tables: [reported] } });
    const kept = store.get(tail)?.viewState.tables[0];
    assert.deepEqual([kept?.columnOrder, kept?.wrap, kept?.widths], [[0, 1], true, { 0: 77 }]);
    assert.deepEqual(problems, []);
  });
});

describe('the host of a page with answer slots', () => {
  it('sends an empty list of tabs, and shows the next answer of a query in the same slot', async () => {
    const slots = new AnswerSlots('cell');
    const { send, taken, screen, host, problems } = opened(slots);
    send('ready', null);
    assert.deepEqual(taken(), ['tabs']);
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

describe('the chart session of a page', () => {
  it('sets the time range of the page, runs its queries again, and can go back to the previous range', async () => {
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
