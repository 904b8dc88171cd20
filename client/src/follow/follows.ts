/** Manages followed queries by result tab. A session ends when its tab is closed or runs another query. */
import type { FollowPlan } from '../../../server/src/protocol.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { settledIn } from '../answers/slots.ts';
import type { FailedTabState, ResultTabs, RunId, TabId, TabQuery } from '../answers/tabs.ts';
import { Emitter } from '../host/emitter.ts';
import type { followSettings } from '../host/settings.ts';
import { aboutAnswer } from '../query/about.ts';
import type { Asked } from '../query/storedAnswers.ts';
import type { ViewFollow } from '../results/pageContent.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import type { Overlap } from './arrivals.ts';
import type { Clock } from './clock.ts';
import { Follower } from './follower.ts';
import { followView } from './followView.ts';
import { EventsPoll, eventsOrRows, openEnded, type PollParts, rowsPoll } from './polls.ts';

export type FollowSettings = Readonly<ReturnType<typeof followSettings>>;

interface FollowRequest {
  readonly query: TabQuery;
  readonly deployment: string;
  readonly isLocal: boolean;
  readonly rangeLabel: string;
  /** Describes when following started. Replaces the range's label, because requests start earlier and have no end. */
  readonly followedSince: (at: number) => string;
  /** Returns the time range for a request sent at `now`, in milliseconds since 1970. */
  readonly times: (now: number) => { readonly startTime: string; readonly endTime: string };
}

interface FollowsParts {
  readonly tabs: ResultTabs;
  readonly store: ResultsStore;
  readonly clock: Clock;
  readonly settings: () => FollowSettings;
  readonly plan: (text: string) => Promise<FollowPlan>;
  readonly service: (deployment: string, signal: AbortSignal) => Promise<Outcome<Service>>;
  readonly limits: PollParts['limits'];
  /** Lists a session as a cancellable activity. The returned function removes it. */
  readonly list: (tab: TabId, query: TabQuery, cancel: () => void) => () => void;
  /** Called for each request. The returned function is called with the first answer and with each replacement. */
  readonly asked?: Asked;
  /** Returns the tab's state after a failed first request. */
  readonly failed: (tab: TabId, request: FollowRequest, failure: Failure) => FailedTabState;
}

/** The number of existing events to start with if the query has no limit. */
const FIRST_ROWS = 1_000;
/** The local deployment makes events visible within seconds. On hosted deployments, this may take longer. */
const localOverlap: Overlap = { usualMs: 2_000, lateMs: 10_000, everyMs: 10_000 };
const hostedOverlap: Overlap = { usualMs: 4_000, lateMs: 30_000, everyMs: 15_000 };
/** The memory limit in bytes for the rows of a followed query's table. */
const MAX_BYTES = 256 * 1024 * 1024;

interface Session {
  readonly tab: TabId;
  readonly run: RunId;
  readonly request: FollowRequest;
  follower: Follower;
  answer?: AnswerId;
  /** Handles the answer to the latest request. */
  arrived?: ReturnType<Asked> | undefined;
  skipped: () => boolean;
  /** Why the query is run again; absent if events are appended. */
  again: string | undefined;
  unlist?: (() => void) | undefined;
}

export class Follows {
  readonly #parts: FollowsParts;
  readonly #sessions = new Map<TabId, Session>();
  readonly #changes = new Emitter<TabId>();
  readonly onDidChange = this.#changes.event;
  readonly #subscription: { dispose(): void };
  #visible = true;

  constructor(parts: FollowsParts) {
    this.#parts = parts;
    this.#subscription = parts.tabs.onDidChange(() => this.#tabsChanged());
  }

  /** Describes a tab's followed query; undefined if the tab doesn't follow one. */
  view(tab: TabId): ViewFollow | undefined {
    const session = this.#sessions.get(tab);
    if (session?.answer === undefined) return undefined;
    const { follower, again } = session;
    const { newestFirst, rerunMs } = this.#parts.settings();
    return followView({
      tab,
      state: follower.state,
      events: follower.events,
      perSecond: follower.perSecond,
      newestFirst,
      skipped: session.skipped(),
      ...(again !== undefined && { again: { reason: again, intervalMs: rerunMs } }),
      now: this.#parts.clock.now(),
      since: follower.since,
    });
  }

  /** The sessions that are neither paused nor stopped, for the status bar. */
  get following(): readonly { readonly title: string; readonly view: ViewFollow }[] {
    return [...this.#sessions.values()].flatMap(({ tab, request }) => {
      const view = this.view(tab);
      return view?.state === 'following' ? [{ title: request.query.title, view }] : [];
    });
  }

  /** Follows a query in its tab, and replaces the tab's content. Resolves once following has started. */
  async start(request: FollowRequest): Promise<TabId> {
    const { tabs, clock, plan } = this.#parts;
    const found = await plan(request.query.text);
    const { query, deployment, rangeLabel } = request;
    const startedAt = clock.now();
    const { tab, run } = tabs.start(query, { startedAt, deployment, rangeLabel });
    // Nothing to end here: `tabs.start` notified `#tabsChanged`, which ended the tab's former session.
    const session: Session = {
      tab,
      run,
      request,
      follower: undefined as never,
      skipped: () => false,
      again: found.kind === 'rows' ? found.reason : undefined,
    };
    this.#sessions.set(tab, session);
    const poll = this.#poll(session, found);
    session.follower = new Follower({
      clock,
      interval: () => {
        const { intervalMs, rerunMs } = this.#parts.settings();
        return session.again === undefined ? intervalMs : rerunMs;
      },
      changed: () => this.#changed(session),
      poll: async (signal) => {
        const outcome = await poll(signal);
        if (!outcome.ok && session.answer === undefined && !signal.aborted)
          this.#failed(session, outcome.failure);
        return outcome;
      },
    });
    this.#list(session);
    this.#look();
    return tab;
  }

  pause(tab: TabId): void {
    this.#sessions.get(tab)?.follower.pause();
  }

  resume(tab: TabId): void {
    this.#sessions.get(tab)?.follower.resume();
  }

  stop(tab: TabId): void {
    const session = this.#sessions.get(tab);
    if (session) this.#stop(session);
  }

  /** Moves the newest rows to the top or the bottom after the setting changed. */
  async orderChanged(): Promise<void> {
    const { store, settings } = this.#parts;
    const first = settings().newestFirst;
    for (const session of this.#sessions.values()) {
      if (session.answer === undefined || session.again !== undefined) continue;
      const place = { answer: session.answer, table: 0 };
      // Ignore the error of an answer whose rows were removed.
      await store.rows('showNewest', { ...place, first }).catch(() => undefined);
      this.#changes.fire(session.tab);
    }
  }

  setVisible(visible: boolean): void {
    this.#visible = visible;
    this.#look();
  }

  /** Makes sessions that are waiting after a failure try again, for example after the deployments changed. */
  retry(): void {
    for (const { follower } of this.#sessions.values()) {
      const { state } = follower;
      if (state.kind === 'following' && state.failure) follower.retry();
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const session of [...this.#sessions.values()]) this.#end(session);
    this.#changes.dispose();
  }

  #poll(session: Session, plan: FollowPlan) {
    const { store, clock, settings, limits, service } = this.#parts;
    const { query, deployment, rangeLabel, isLocal, times } = session.request;
    const { maxRows } = settings();
    const parts: PollParts = {
      store,
      clock,
      about: aboutAnswer(query, {
        deployment,
        ...times(clock.now()),
        rangeLabel,
        askedAt: clock.now(),
      }),
      times: () => times(clock.now()),
      service: (signal) => service(deployment, signal),
      limits,
      newestFirst: () => settings().newestFirst,
      asked: (about) => {
        session.arrived = this.#parts.asked?.(about);
      },
      answered: (answer) => this.#answered(session, answer),
    };
    if (plan.kind === 'rows') return rowsPoll(parts);
    const events = new EventsPoll(
      {
        ...parts,
        about: { ...parts.about, rangeLabel: session.request.followedSince(clock.now()) },
        times: () => openEnded(times(clock.now()), clock.now()),
      },
      plan,
      {
        first: plan.limit ?? FIRST_ROWS,
        maxRows,
        maxBytes: MAX_BYTES,
        overlap: isLocal ? localOverlap : hostedOverlap,
      },
    );
    session.skipped = () => events.skipped;
    return eventsOrRows(events, () => {
      session.again = 'the deployment rejected the query for new events';
      return rowsPoll(parts);
    });
  }

  #answered(session: Session, answer: HeldAnswer): void {
    const { tabs, store } = this.#parts;
    const isFirst = session.answer === undefined;
    if (this.#sessions.get(session.tab) !== session) return void store.drop(answer.id);
    session.answer = answer.id;
    session.arrived?.(answer.head);
    if (!isFirst) tabs.replaceResult(session.tab, answer.id);
    else if (!tabs.settle(session.run, { kind: 'result', answer: answer.id }))
      void store.drop(answer.id);
  }

  #failed(session: Session, failure: Failure): void {
    const { tabs, failed } = this.#parts;
    this.#end(session);
    tabs.settle(session.run, failed(session.tab, session.request, failure));
  }

  #stop(session: Session): void {
    session.follower.stop();
    if (session.answer !== undefined) return;
    this.#end(session);
    this.#parts.tabs.cancelled(session.run);
  }

  /** Ends sessions whose tabs were closed or show other content. */
  #tabsChanged(): void {
    const { tabs } = this.#parts;
    for (const session of [...this.#sessions.values()]) {
      const state = tabs.tab(session.tab)?.state;
      const isOwnRun = state?.kind === 'running' && state.run === session.run;
      const settled = state && settledIn(state);
      const isOwnAnswer =
        state?.kind === 'result' && settled?.kind === 'result' && settled.answer === session.answer;
      if (!isOwnRun && !isOwnAnswer) this.#end(session);
    }
    this.#look();
  }

  #look(): void {
    const active = this.#parts.tabs.active?.id;
    for (const { tab, follower } of this.#sessions.values())
      follower?.setVisible(this.#visible && tab === active);
  }

  #list(session: Session): void {
    const { list } = this.#parts;
    if (session.follower.state.kind === 'following')
      session.unlist ??= list(session.tab, session.request.query, () => this.#stop(session));
    else this.#unlist(session);
  }

  #unlist(session: Session): void {
    session.unlist?.();
    session.unlist = undefined;
  }

  #end(session: Session): void {
    if (this.#sessions.get(session.tab) === session) this.#sessions.delete(session.tab);
    session.follower?.dispose();
    this.#unlist(session);
    this.#changes.fire(session.tab);
  }

  #changed(session: Session): void {
    if (this.#sessions.get(session.tab) !== session) return;
    this.#list(session);
    this.#changes.fire(session.tab);
  }
}
