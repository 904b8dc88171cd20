// Runs queries on the active deployment, several at once, each in its own tab of the results. Features start
// and cancel runs here and listen to them, so that none of them needs to know another.
import * as vscode from 'vscode';
import type { ReadResponse } from '../../../api/src/index.ts';
import type { AnswerHead } from '../../../table/src/answer.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { FailedTabState, ResultTabState, RunId, TabId } from '../answers/tabs.ts';
import type { Context } from '../context.ts';
import { deploymentNamed } from '../deployments/fileDeployment.ts';
import type { Profile } from '../deployments/profiles.ts';
import { concurrently } from '../host/concurrently.ts';
import { queryTimeoutMs, resultsTimeZone } from '../host/settings.ts';
import { askForValue } from '../service/ask.ts';
import { type Failure, failed, type Outcome } from '../service/failure.ts';
import { orAborted } from '../service/orAborted.ts';
import type { Service } from '../service/service.ts';
import { parseTimeRange } from '../time/parseTimeRange.ts';
import { rangeLabel, rangeParameters, type TimeRange } from '../time/timeRange.ts';
import { eventsElsewhere } from './eventsElsewhere.ts';
import { failedState } from './failedState.ts';
import { goToError } from './goToError.ts';
import type { LastQueries } from './lastQueries.ts';
import { type Query, queryOf, tabQuery } from './query.ts';
import { runAnswer, serviceOf, traceNote } from './runAnswer.ts';

/** The maximum number of concurrent queries of one command. */
const AT_ONCE_MAX = 4;

export type RunEnd =
  | { readonly kind: 'result'; readonly answer: AnswerId; readonly head: AnswerHead }
  | { readonly kind: 'failed'; readonly message: string; readonly failure?: Failure }
  | { readonly kind: 'cancelled' };

interface StartedRun {
  readonly query: Query;
  readonly tab: TabId;
  readonly rangeLabel: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** A run that has ended, in a tab of the results or below a cell of a notebook. */
export interface EndedRun extends Omit<StartedRun, 'tab'> {
  readonly end: RunEnd;
  readonly deployment: string;
}

/** Something that asks the deployment: a run, or a task such as counting rows. */
interface Activity {
  readonly query: Query;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** What is being done and how much of it is done, for a task: `Counting rows, 2 of 5`. */
  readonly progress?: string;
  /** Whether it goes on until somebody ends it. */
  readonly following?: boolean;
}

export type FinishedRun = StartedRun & EndedRun;

interface Running extends Activity {
  readonly tab?: TabId;
  readonly controller: AbortController;
}

/** How a task asks: like a run of its query, without a tab. */
export interface Task {
  readonly signal: AbortSignal;
  readonly service: Service;
  /** Says how far the task is. */
  report(progress: string): void;
  /** Asks a text in place of the query's, with its range and variables. */
  ask(apl: string): Promise<Outcome<ReadResponse<'queryEdge'>>>;
}

type RunnerParts = Pick<Context, 'deployments' | 'timeRange' | 'tabs' | 'answers' | 'log'> & {
  readonly last: LastQueries;
};

export class QueryRunner implements vscode.Disposable {
  readonly #parts: RunnerParts;
  readonly #started = new vscode.EventEmitter<StartedRun>();
  readonly onDidStart = this.#started.event;
  readonly #finished = new vscode.EventEmitter<EndedRun>();
  /** Fires when the result or the failure of a run is shown; `running` is without the run by then. */
  readonly onDidFinish = this.#finished.event;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when an activity begins, ends or reports progress. */
  readonly onDidChangeActivity = this.#changed.event;
  readonly #running = new Map<RunId | symbol, Running>();
  /** Controllers of commands with waiting queries. */
  readonly #batches = new Set<AbortController>();
  readonly #subscription: vscode.Disposable;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#subscription = parts.tabs.onDidChange(({ closed }) => {
      for (const tab of closed) this.cancel(tab);
    });
  }

  /** Running activities, in the order of their start. */
  get running(): readonly Activity[] {
    return [...this.#running.values()];
  }

  /** The queries of the latest command, of an earlier window too. */
  get last(): readonly Query[] {
    return this.#parts.last.value;
  }

  queryOf(tab: TabId): Query | undefined {
    const found = this.#parts.tabs.tab(tab)?.query;
    return found && queryOf(found);
  }

  /**
   * Runs queries, each in its own tab, the first of which becomes active; a run of the same query that is
   * going on is cancelled. Resolves when all have ended, in the order of the queries.
   */
  async run(queries: readonly Query[]): Promise<readonly FinishedRun[]> {
    this.#parts.last.set(queries);
    const batch = new AbortController();
    this.#batches.add(batch);
    try {
      const run = (query: Query, index: number) => this.#run(query, index === 0);
      const ended = await concurrently(queries, AT_ONCE_MAX, run, batch.signal);
      return ended.filter((finished) => finished !== undefined);
    } finally {
      this.#batches.delete(batch);
    }
  }

  /** Cancels a tab's run, or all running and waiting ones. Closing the connection stops the query in the service. */
  cancel(tab?: TabId): void {
    if (tab === undefined) for (const batch of this.#batches) batch.abort();
    for (const running of this.#running.values()) {
      if (tab === undefined || running.tab === tab) running.controller.abort();
    }
  }

  /**
   * Runs a task about a query, cancellable like a run. Undefined if it was cancelled before the deployment was
   * available.
   */
  async task<T>(
    query: Query,
    work: (task: Task) => Promise<T>,
    chosen?: Profile,
  ): Promise<Outcome<T> | undefined> {
    const found = chosen ? { ok: true as const, value: chosen } : this.profileOf(query);
    if (!found.ok) return found;
    const profile = found.value;
    const range = this.rangeOf(query);
    if (typeof range === 'string') {
      const { message } = invalidRange(query, range);
      return failed({ kind: 'refused', host: profile.name, message });
    }
    const id = Symbol('task');
    const controller = new AbortController();
    const { signal } = controller;
    const startedAt = Date.now();
    const report = (progress: string): void => {
      this.#running.set(id, { query, startedAt, controller, progress });
      this.#changed.fire();
    };
    this.#running.set(id, { query, startedAt, controller });
    this.#changed.fire();
    try {
      const service = await orAborted(serviceOf(profile, this.#parts.deployments), signal);
      if (service === undefined || !service.ok) return service;
      const { variables } = query;
      const times = rangeParameters(range, startedAt, resultsTimeZone());
      const asking = {
        service: service.value,
        datasets: query.datasets,
        askPerson: true,
        timeoutMs: queryTimeoutMs(),
        signal,
      };
      const value = await work({
        signal,
        service: service.value,
        report,
        ask: (apl) => askForValue({ apl, ...times, ...(variables && { variables }) }, asking),
      });
      return { ok: true, value };
    } finally {
      this.#running.delete(id);
      this.#changed.fire();
    }
  }

  /** Reports the end of a run that was started elsewhere, such as in a notebook, to `onDidFinish`. */
  reportEnd(run: EndedRun): void {
    this.#finished.fire(run);
  }

  /** Lists what follows the query of a tab, until the result is called. It is cancelled like a run. */
  following(query: Query, tab: TabId, cancel: () => void): () => void {
    const id = Symbol('following');
    const controller = new AbortController();
    controller.signal.addEventListener('abort', cancel, { once: true });
    this.#running.set(id, { query, startedAt: Date.now(), tab, controller, following: true });
    this.#changed.fire();
    return () => {
      if (this.#running.delete(id)) this.#changed.fire();
    };
  }

  dispose(): void {
    this.cancel();
    this.#subscription.dispose();
    this.#started.dispose();
    this.#finished.dispose();
    this.#changed.dispose();
  }

  async #run(query: Query, activate: boolean): Promise<FinishedRun> {
    const found = this.profileOf(query);
    const deployment = found.ok ? found.value.name : (query.deployment ?? '');
    const range = this.rangeOf(query);
    const startedAt = Date.now();
    const asked = tabQuery(query);
    const own = this.#parts.tabs.tabFor(asked);
    if (own) this.cancel(own.id);
    const label =
      typeof range === 'string' ? (query.rangeText ?? '') : rangeLabel(range, resultsTimeZone());
    const { tab, run } = this.#parts.tabs.start(asked, {
      startedAt,
      deployment,
      rangeLabel: label,
      activate,
    });
    const controller = new AbortController();
    const started: StartedRun = { query, tab, rangeLabel: label, startedAt };
    this.#running.set(run, { ...started, controller });
    this.#started.fire(started);
    this.#changed.fire();
    const finish = (end: RunEnd): FinishedRun => {
      this.#running.delete(run);
      const finished = { ...started, end, deployment };
      this.#finished.fire(finished);
      this.#changed.fire();
      return finished;
    };
    const fail = (state: FailedTabState, failure?: Failure): FinishedRun => {
      this.#parts.log.warn(`${query.title}: ${state.message}${traceNote(failure)}`);
      this.#parts.tabs.settle(run, state);
      return finish({ kind: 'failed', message: state.message, ...(failure && { failure }) });
    };
    if (!found.ok) return fail(noDeployment(found.failure), found.failure);
    const profile = found.value;
    if (typeof range === 'string') return fail(invalidRange(query, range));
    const answer = await runAnswer(
      { query, profile, range, askedAt: startedAt },
      this.#parts,
      controller.signal,
      (wait) => this.#parts.tabs.waits(run, wait),
    );
    if (answer === undefined) {
      this.#parts.tabs.cancelled(run);
      return finish({ kind: 'cancelled' });
    }
    if (!answer.ok) {
      const { failure } = answer;
      const again = { command: 'aplomb.runLastQuery', arguments: [tab] };
      return fail(failedState(failure, profile, again, goToError(query, failure)), failure);
    }
    const { id, head, service } = answer.value;
    if (!this.#parts.tabs.settle(run, { kind: 'result', answer: id })) this.#parts.answers.drop(id);
    const finished = finish({ kind: 'result', answer: id, head });
    if ((head.status.rowsExamined ?? 0) === 0) {
      const local = profile.kind === 'local';
      const datasets = head.datasetNames;
      const hint = await eventsElsewhere({ service, local, datasets, range, tab });
      if (hint) this.#parts.tabs.setHint(id, hint);
    } else if (head.tables[0]?.rowCount === 0 && query.place) {
      this.#parts.tabs.setHint(id, noRows(tab));
    }
    return finished;
  }

  /** The deployment that the query's document names, or that of the window. */
  profileOf({ deployment }: Query): Outcome<Profile> {
    return deploymentNamed(this.#parts.deployments, deployment);
  }

  /** The range that the query's document states or was given, or that of the window; a sentence where it is not valid. */
  rangeOf({ rangeText, place }: Query): TimeRange | string {
    if (rangeText === undefined) return this.#parts.timeRange.of(place?.uri.toString());
    return parseTimeRange(rangeText, Date.now(), resultsTimeZone());
  }
}

function noRows(tab: TabId): NonNullable<ResultTabState['hint']> {
  return {
    message:
      'Events were read, but no rows remain. Count the rows per stage to see which stage removes them.',
    actions: [{ label: 'Count Rows per Stage', command: 'aplomb.countRows', arguments: [tab] }],
  };
}

function noDeployment({ message }: Failure): FailedTabState {
  const actions = [
    { label: 'Select Deployment', command: 'aplomb.selectDeployment' },
    { label: 'Add Deployment', command: 'aplomb.addDeployment' },
  ];
  return { kind: 'failed', message, actions };
}

function invalidRange({ rangeText }: Query, why: string): FailedTabState {
  const message = `The time range of this file, "// range: ${rangeText}", is not valid. ${why}`;
  return { kind: 'failed', message, actions: [] };
}
