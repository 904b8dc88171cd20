/**
 * `npm run bench:follow [-- --minutes N --rate N --no-page --heap]`: events arrive in the local deployment at a rate
 * while a query is followed, in the results page in a real browser. Prints each minute, and at the end whether
 * each event was shown once and in order, whether memory stayed flat, and the longest time that the thread of
 * the extension host was blocked. Fails where an event is missing, twice or out of order.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ResultsStore } from '../../client/src/answers/resultsStore.ts';
import { answerIn } from '../../client/src/answers/slots.ts';
import { ResultTabs } from '../../client/src/answers/tabs.ts';
import { directDispatcher } from '../../client/src/deployments/network.ts';
import { systemClock } from '../../client/src/follow/clock.ts';
import { Follows } from '../../client/src/follow/follows.ts';
import { Service } from '../../client/src/service/service.ts';
import { parseQuery } from '../../language/src/index.ts';
import { launchBrowser } from '../../scripts/host/browser.ts';
import { followPlan } from '../../server/src/features/followPlan.ts';
import { openView } from '../client/results/viewPage.ts';
import { Processes } from '../local/processes.ts';
import { ShownEvents } from './follow/shownEvents.ts';
import { longestBlock } from './workbench/longestBlock.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '2000' },
    'no-page': { type: 'boolean', default: false },
    // Collecting garbage each minute blocks the host, so it is not part of what is measured otherwise.
    heap: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
if (!(minutes > 0 && rate > 0)) throw new Error('--minutes and --rate take numbers above 0.');

const maxRows = 20_000;
const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const processes = await Processes.create();
const local = await processes.start('data');
const dispatcher = directDispatcher();
const { url, token } = local;
const service = new Service({ general: url, edge: url, dispatcher, token: async () => token });

function newFollows(parts: { readonly tabs: ResultTabs; readonly store: ResultsStore }): Follows {
  return new Follows({
    ...parts,
    clock: systemClock,
    settings: () => ({ intervalMs: 2_000, rerunMs: 10_000, maxRows, newestFirst: false }),
    plan: async (text) => followPlan(parseQuery(text)),
    service: async () => ({ ok: true, value: service }),
    limits: () => ({ timeoutMs: 60_000, maxBytes: 1024 ** 3 }),
    list: () => () => {},
    failed: (_, __, { message }) => {
      throw new Error(message);
    },
  });
}

/** The tabs and the store: those of a page in a browser, or of none. */
async function open() {
  const browser = values['no-page'] ? undefined : await launchBrowser();
  if (browser === undefined) {
    const worker = new URL('../../client/src/answers/worker/main.ts', import.meta.url);
    const parts = { tabs: new ResultTabs(), store: new ResultsStore({ worker, maxBytes: 1e9 }) };
    return {
      ...parts,
      follows: newFollows(parts),
      page: undefined,
      close: () => parts.store.dispose(),
    };
  }
  const made: { follows?: Follows } = {};
  const view = await openView(browser, {
    follow: (parts) => {
      const follows = newFollows(parts);
      made.follows = follows;
      return {
        view: (tab) => follows.view(tab),
        onDidChange: (listener) => follows.onDidChange(listener),
        act: () => {},
      };
    },
  });
  const { tabs, store, page } = view;
  return { tabs, store, page, follows: made.follows as Follows, close: () => browser.close() };
}

const { tabs, store, follows, page, close } = await open();
const session = await page?.context().newCDPSession(page);

/** Bytes of the page's heap after its garbage is collected. */
async function pageHeap(): Promise<number | undefined> {
  await session?.send('HeapProfiler.collectGarbage');
  return (await session?.send('Runtime.getHeapUsage'))?.usedSize;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes of the heap of the host's thread and of buffers outside of it; without garbage with `--heap`. */
function hostHeap(): number {
  if (values.heap) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const feeder = fork(new URL('./follow/feeder.ts', import.meta.url), [url, token, String(rate)]);
const fed = () =>
  new Promise<number>((resolve) => {
    feeder.once('message', (count) => resolve(Number(count)));
    feeder.send('count');
  });
await fed();
const tab = await follows.start({
  query: { text: "['fed'] | where n >= 0", title: 'fed' },
  deployment: 'Local',
  isLocal: true,
  rangeLabel: 'last 1 hour',
  followedSince: (at) => `followed since ${at}`,
  times: () => ({ startTime: 'now-1h', endTime: 'now' }),
});
const shown = new ShownEvents(store, () => {
  const state = tabs.tab(tab)?.state;
  return state && answerIn(state);
});

const heaps: number[] = [];
const hostHeaps: number[] = [];
const residents: number[] = [];
const stored: number[] = [];
const end = Date.now() + minutes * 60_000;
const blocked = await longestBlock(async () => {
  for (let minute = 1; Date.now() < end; minute++) {
    const until = Math.min(end, Date.now() + Math.min(60_000, minutes * 20_000));
    while (Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 250));
    const heap = await pageHeap();
    if (heap !== undefined) heaps.push(heap);
    hostHeaps.push(hostHeap());
    residents.push(process.memoryUsage().rss);
    stored.push(store.get(shown.answer ?? '')?.bytes ?? 0);
    const state = follows.view(tab);
    console.log(
      `${minute}: ${shown.count} events shown, ${state?.counts.join(', ') ?? 'nothing followed'}, ` +
        `rows ${megabytes(stored.at(-1) as number)}, host ${megabytes(hostHeaps.at(-1) as number)}, process ${megabytes(residents.at(-1) as number)}` +
        `${heap === undefined ? '' : `, page ${megabytes(heap)}`}${state?.notice ? `. ${state.notice.message}` : ''}`,
    );
  }
});
feeder.send('stop');
const sent = await fed();
for (let wait = 0; wait < 100 && shown.last < sent - 1; wait++)
  await new Promise((resolve) => setTimeout(resolve, 200));
await shown.read();
shown.dispose();
follows.dispose();
feeder.disconnect();
await close();
await processes.dispose();
await dispatcher.destroy();

const growth = (figures: readonly number[]) => {
  const half = figures.slice(Math.floor(figures.length / 2));
  return half.length < 2
    ? ''
    : ` (${megabytes(Math.min(...half))} to ${megabytes(Math.max(...half))} in the second half)`;
};
console.log(`${sent} events sent, ${shown.count} shown from ${shown.first} to ${shown.last}`);
console.log(`Rows ${megabytes(Math.max(...stored))} at most${growth(stored)}`);
console.log(`Host ${megabytes(Math.max(...hostHeaps))} at most${growth(hostHeaps)}`);
console.log(
  `Process, which drives the browser, too: ${megabytes(Math.max(...residents))} at most${growth(residents)}`,
);
if (heaps.length > 0) console.log(`Page ${megabytes(Math.max(...heaps))} at most${growth(heaps)}`);
console.log(
  `The thread of the host was blocked for ${blocked.elapsed.toFixed(0)} ms at most, busy for ${blocked.busy.toFixed(0)} ms`,
);
const problems = [...shown.problems];
if (shown.last !== sent - 1)
  problems.push(`The last event shown is ${shown.last}, not ${sent - 1}.`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
