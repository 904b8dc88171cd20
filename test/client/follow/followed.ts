/** Followed queries of a test's service, advanced by the test's clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultsStore } from '../../../client/src/answers/resultsStore.ts';
import type { ResultTabs, TabId } from '../../../client/src/answers/tabs.ts';
import { type FollowSettings, Follows } from '../../../client/src/follow/follows.ts';
import { parseQuery } from '../../../language/src/index.ts';
import { followPlan } from '../../../server/src/features/followPlan.ts';
import type { AnswerAbout, AnswerHead } from '../../../table/src/answer.ts';
import type { EventsService } from './eventsService.ts';
import type { FakeClock } from './fakeClock.ts';

export class Followed {
  readonly clock: FakeClock;
  readonly follows: Follows;
  settings: FollowSettings = {
    intervalMs: 2_000,
    rerunMs: 10_000,
    maxRows: 20_000,
    newestFirst: false,
  };
  /** The answers that were reported. */
  readonly arrived: { readonly about: AnswerAbout; readonly head: AnswerHead }[] = [];
  /** The listed activities: the function that cancels each, by tab. */
  readonly listed = new Map<TabId, () => void>();

  constructor(
    clock: FakeClock,
    parts: { readonly tabs: ResultTabs; readonly store: ResultsStore },
    client: EventsService['client'],
  ) {
    this.clock = clock;
    this.follows = new Follows({
      ...parts,
      asked: (about) => (head) => this.arrived.push({ about, head }),
      clock,
      settings: () => this.settings,
      plan: async (text) => followPlan(parseQuery(text)),
      service: async () => ({ ok: true, value: client }),
      limits: () => ({ timeoutMs: 5_000, maxBytes: 100_000_000 }),
      list: (tab, _, cancel) => {
        this.listed.set(tab, cancel);
        return () => void this.listed.delete(tab);
      },
      failed: (_, __, failure) => ({ kind: 'failed', message: failure.message, actions: [] }),
    });
  }

  start(text = "['logs']"): Promise<TabId> {
    return this.follows.start({
      query: { text, title: text },
      deployment: 'Local',
      isLocal: true,
      rangeLabel: 'last 1 hour',
      followedSince: (at) => `followed since ${at}`,
      times: () => ({ startTime: 'now-1h', endTime: 'now' }),
    });
  }

  /** Advances to the next request, and waits for its response. */
  async step(): Promise<void> {
    this.clock.advance(this.clock.next ?? 0);
    await this.rest();
  }

  /** Waits until the next request is scheduled, or following has ended. */
  async rest(): Promise<void> {
    const isAsking = () => this.listed.size > 0 && this.clock.next === undefined;
    do await sleep(2);
    while (isAsking());
  }
}
