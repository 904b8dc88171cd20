// Runs queries on the active deployment, several at once, each in its own tab of the results. Features start
// and cancel runs here and listen to them, so that none of them needs to know another.
import * as vscode from 'vscode';
import { adviceFor } from '../advice.ts';
import type { Failure, Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Profile } from '../deployments/profiles.ts';
import type { Log } from '../log.ts';
import { parseTimeRange } from '../parseTimeRange.ts';
import type { AnswerHead } from '../results/store/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import type { FailedTabState, ResultTabs, RunId, TabId } from '../results/tabs.ts';
import { maxAnswerBytes, queryTimeoutMs } from '../settings.ts';
import { rangeLabel, rangeParameters, type TimeRange } from '../timeRange.ts';
import type { TimeRangeState } from '../timeRangeState.ts';
import type { Answers } from './answers.ts';
import { ask } from './ask.ts';
import { eventsElsewhere } from './eventsElsewhere.ts';
import { goToError } from './goToError.ts';
import type { LastQueries } from './lastQueries.ts';
import { orAborted } from './orAborted.ts';
import { type Query, queryOf, tabQuery } from './query.ts';

/** How many queries of one command are asked at once. */
const AT_ONCE_MAX = 4;

/** How a run ended. */
export type RunEnd =
  | { readonly kind: 'result'; readonly answer: AnswerId; readonly head: AnswerHead }
  | { readonly kind: 'failed'; readonly message: string; readonly failure?: Failure }
  | { readonly kind: 'cancelled' };

export interface StartedRun {
  readonly query: Query;
  readonly tab: TabId;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface FinishedRun extends StartedRun {
  readonly end: RunEnd;
  readonly deployment: string;
}

interface Running extends StartedRun {
  readonly controller: AbortController;
}

interface Answered {
  readonly id: AnswerId;
  readonly head: AnswerHead;
  readonly service: Service;
}

export interface RunnerParts {
  readonly deployments: Deployments;
  readonly timeRange: TimeRangeState;
  readonly tabs: ResultTabs;
  readonly answers: Answers;
  readonly last: LastQueries;
  readonly log: Log;
}

export class QueryRunner implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #timeRange: TimeRangeState;
  readonly #tabs: ResultTabs;
  readonly #answers: Answers;
  readonly #last: LastQueries;
  readonly #log: Log;
  readonly #started = new vscode.EventEmitter<StartedRun>();
  readonly onDidStart = this.#started.event;
  readonly #finished = new vscode.EventEmitter<FinishedRun>();
  /** Fires when the tab shows what the run came to; `running` is without it by then. */
  readonly onDidFinish = this.#finished.event;
  readonly #running = new Map<RunId, Running>();
  /** Of commands with queries that wait for their turn. */
  readonly #batches = new Set<AbortController>();
  readonly #subscription: vscode.Disposable;

  constructor(parts: RunnerParts) {
    this.#deployments = parts.deployments;
    this.#timeRange = parts.timeRange;
    this.#tabs = parts.tabs;
    this.#answers = parts.answers;
    this.#last = parts.last;
    this.#log = parts.log;
    this.#subscription = this.#tabs.onDidChange(({ closed }) => {
      for (const tab of closed) this.cancel(tab);
    });
  }

  /** The runs that are going on, in the order in which they were started. */
  get running(): readonly StartedRun[] {
    return [...this.#running.values()];
  }

  /** The queries of the latest command, of an earlier window too. */
  get last(): readonly Query[] {
    return this.#last.value;
  }

  /** The query of a tab, to be run again. */
  queryOf(tab: TabId): Query | undefined {
    const found = this.#tabs.tab(tab)?.query;
    return found && queryOf(found);
  }

  /**
   * Runs queries, each in its own tab, the first of which becomes active; a run of the same query that is
   * going on is cancelled. Resolves when all have ended, in the order of the queries.
   */
  async run(queries: readonly Query[]): Promise<readonly FinishedRun[]> {
    this.#last.set(queries);
    const batch = new AbortController();
    this.#batches.add(batch);
    const ended: FinishedRun[] = [];
    const waiting = queries.map((query, index) => ({ query, index }));
    const runNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !batch.signal.aborted; next = waiting.shift()) {
        ended[next.index] = await this.#run(next.query, next.index === 0);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, queries.length) }, runNext));
    } finally {
      this.#batches.delete(batch);
    }
    return ended.filter((run) => run !== undefined);
  }

  /**
   * Aborts the run of a tab, or all runs and what waits: the connection of a request is closed, on which the
   * service stops.
   */
  cancel(tab?: TabId): void {
    if (tab === undefined) for (const batch of this.#batches) batch.abort();
    for (const running of this.#running.values()) {
      if (tab === undefined || running.tab === tab) running.controller.abort();
    }
  }

  dispose(): void {
    this.cancel();
    this.#subscription.dispose();
    this.#started.dispose();
    this.#finished.dispose();
  }

  async #run(query: Query, activate: boolean): Promise<FinishedRun> {
    const profile = this.#deployments.active;
    const range = this.#rangeOf(query);
    const startedAt = Date.now();
    const asked = tabQuery(query);
    const own = this.#tabs.tabFor(asked);
    if (own) this.cancel(own.id);
    const { tab, run } = this.#tabs.start(asked, {
      startedAt,
      deployment: profile.name,
      rangeLabel: typeof range === 'string' ? (query.rangeText ?? '') : rangeLabel(range),
      activate,
    });
    const controller = new AbortController();
    const started: StartedRun = { query, tab, startedAt };
    this.#running.set(run, { ...started, controller });
    this.#started.fire(started);
    const finish = (end: RunEnd): FinishedRun => {
      this.#running.delete(run);
      const finished = { ...started, end, deployment: profile.name };
      this.#finished.fire(finished);
      return finished;
    };
    const fail = (state: FailedTabState, failure?: Failure): FinishedRun => {
      this.#log.warn(`${query.title}: ${state.message}${traceNote(failure)}`);
      this.#tabs.settle(run, state);
      return finish({ kind: 'failed', message: state.message, ...(failure && { failure }) });
    };
    if (typeof range === 'string') return fail(invalidRange(query, range));
    const answer = await this.#ask(query, profile, range, startedAt, controller.signal);
    if (answer === undefined || controller.signal.aborted) {
      if (answer?.ok) this.#answers.drop(answer.value.id);
      this.#tabs.cancelled(run);
      return finish({ kind: 'cancelled' });
    }
    if (!answer.ok) return fail(failedState(query, tab, answer.failure, profile), answer.failure);
    const { id, head, service } = answer.value;
    // A deployment that answers again has its lists asked for again.
    this.#deployments.retry();
    if (!this.#tabs.settle(run, { kind: 'result', answer: id })) this.#answers.drop(id);
    const finished = finish({ kind: 'result', answer: id, head });
    if ((head.status.rowsExamined ?? 0) === 0) {
      const local = profile.kind === 'local';
      const datasets = head.datasetNames;
      const hint = await eventsElsewhere({ service, local, datasets, range, tab });
      if (hint) this.#tabs.setHint(id, hint);
    }
    return finished;
  }

  async #ask(
    query: Query,
    profile: Profile,
    range: TimeRange,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<Outcome<Answered> | undefined> {
    const service = await orAborted(this.#service(profile), signal);
    if (service === undefined || !service.ok) return service;
    const { text: apl, variables } = query;
    const times = rangeParameters(range, startedAt);
    const pending = this.#answers.begin({
      title: query.title,
      query: apl,
      ...(query.place && { document: query.place.uri.toString() }),
      deployment: profile.name,
      ...times,
      rangeLabel: rangeLabel(range),
      ...(variables && { variables }),
      askedAt: startedAt,
      statesColumnOrder: query.statesColumnOrder,
    });
    const answer = await ask(
      { apl, ...times, ...(variables && { variables }) },
      {
        service: service.value,
        timeoutMs: queryTimeoutMs(),
        maxBytes: maxAnswerBytes(),
        signal,
      },
      pending,
    );
    if (!answer.ok) return answer;
    const value = { id: pending.id, head: answer.value, service: service.value };
    return { ...answer, value };
  }

  /** The range that the query's document states, or that of the window; a sentence where it is not valid. */
  #rangeOf({ rangeText }: Query): TimeRange | string {
    return rangeText === undefined ? this.#timeRange.value : parseTimeRange(rangeText, Date.now());
  }

  async #service(profile: Profile): Promise<Outcome<Service>> {
    await askForMissingToken(this.#deployments, profile);
    return this.#deployments.service(profile);
  }
}

function failedState(query: Query, tab: TabId, failure: Failure, profile: Profile): FailedTabState {
  const advice = adviceFor(failure, {
    local: profile.kind === 'local',
    again: { command: 'aplomb.runLastQuery', arguments: [tab] },
    needs: 'query access to the datasets in the query',
  });
  return {
    kind: 'failed',
    message: advice.message,
    ...(failure.code !== undefined && { code: failure.code }),
    ...(failure.traceId !== undefined && { traceId: failure.traceId }),
    actions: [...goToError(query, failure), ...advice.actions],
  };
}

function invalidRange({ rangeText }: Query, why: string): FailedTabState {
  const message = `The time range of this file, "// range: ${rangeText}", is not valid. ${why}`;
  return { kind: 'failed', message, actions: [] };
}

function traceNote(failure: Failure | undefined): string {
  return failure?.traceId === undefined ? '' : ` Trace ID ${failure.traceId}.`;
}
