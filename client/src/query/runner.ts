// Runs several queries at once, each in its own tab of the results. Features start, cancel and observe runs here, so
// that they don't depend on each other.
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
  /** The start in milliseconds since 1970. */
  readonly startedAt: number;
}

/** An ended run in a tab of the results or below a notebook's cell. */
export interface EndedRun extends Omit<StartedRun, 'tab'> {
  readonly end: RunEnd;
  readonly deployment: string;
}

/** Ongoing work on a deployment: a run, a task such as counting rows, or following. */
interface Activity {
  readonly query: Query;
  /** The start in milliseconds since 1970. */
  readonly startedAt: number;
  /** A task's progress, such as `Counting rows, 2 of 5`. */
  readonly progress?: string;
  /** Whether the activity continues until it is cancelled. */
  readonly following?: boolean;
}

export type FinishedRun = StartedRun & EndedRun;

interface Running extends Activity {
  readonly tab?: TabId;
  readonly controller: AbortController;
}

/** The parameters of a task's function. A task works on a query's deployment, as a run does, but has no tab. */
export interface Task {
  readonly signal: AbortSignal;
  readonly service: Service;
  report(progress: string): void;
  /** Runs APL in place of the query's text, with the query's range and parameters. */
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
  /** Fires after a run has left `running` and its result or failure is shown. */
  readonly onDidFinish = this.#finished.event;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when an activity starts, ends or reports progress. */
  readonly onDidChangeActivity = this.#changed.event;
  readonly #running = new Map<RunId | symbol, Running>();
  /** The controllers of commands that may still have waiting queries. */
  readonly #batches = new Set<AbortController>();
  readonly #subscription: vscode.Disposable;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#subscription = parts.tabs.onDidChange(({ closed }) => {
      for (const tab of closed) this.cancel(tab);
    });
  }

  get running(): readonly Activity[] {
    return [...this.#running.values()];
  }

  /** The latest command's queries, which may have run in an earlier window. */
  get last(): readonly Query[] {
    return this.#parts.last.value;
  }

  queryOf(tab: TabId): Query | undefined {
    const found = this.#parts.tabs.tab(tab)?.query;
    return found && queryOf(found);
  }

  /** Runs queries in separate tabs, activates the first, and cancels their older runs. Resolves when all runs end. */
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

  /** Cancels a tab's run, or all running and waiting queries. Closing the connection stops the query in the service. */
  cancel(tab?: TabId): void {
    if (tab === undefined) for (const batch of this.#batches) batch.abort();
    for (const running of this.#running.values()) {
      if (tab === undefined || running.tab === tab) running.controller.abort();
    }
  }

  /** Runs a task about a query. Returns undefined if it was cancelled before the deployment was available. */
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

  /** Reports the end of a run that was started elsewhere, such as in a notebook, through `onDidFinish`. */
  reportEnd(run: EndedRun): void {
    this.#finished.fire(run);
  }

  /** Lists following as an activity until the returned function is called. Cancelling the activity calls `cancel`. */
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
      {
        onWait: (wait) => this.#parts.tabs.waits(run, wait),
        onFirstRows: (id) => this.#parts.tabs.arriving(run, id),
      },
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

  /** Returns the deployment that the query's document names, or the window's. */
  profileOf({ deployment }: Query): Outcome<Profile> {
    return deploymentNamed(this.#parts.deployments, deployment);
  }

  /** Returns the time range of the query, its document or the window. Returns a message if it isn't valid. */
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
