// Runs queries on the active deployment, one at a time, and shows what comes of each. Features start and
// cancel runs here and listen to them, so that none of them needs to know another.
import * as vscode from 'vscode';
import { type Action, adviceFor } from '../advice.ts';
import type { Failure, Outcome } from '../api/failure.ts';
import { queryApl } from '../api/query.ts';
import type { Service } from '../api/service.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Profile } from '../deployments/profiles.ts';
import type { Log } from '../log.ts';
import type { ResultState } from '../results/result.ts';
import { queryTimeoutMs } from '../settings.ts';
import { rangeLabel, rangeParameters } from '../timeRange.ts';
import type { TimeRangeState } from '../timeRangeState.ts';
import { errorPlace, positionOf } from './errorPlace.ts';
import { eventsElsewhere, type NothingRead } from './eventsElsewhere.ts';
import { toResult } from './toResult.ts';

/** A query to run. */
export interface Query {
  readonly text: string;
  readonly title: string;
  /** Whether the query states the order of its columns; where it does not, the view chooses one. */
  readonly statesColumnOrder: boolean;
  /** Its place, if it is in a document. */
  readonly place?: {
    readonly uri: vscode.Uri;
    readonly range: vscode.Range;
    /** What the document had there, where that is not the text: parts of it may be blanked out. */
    readonly written?: string;
  };
}

/** How a run ended. */
export interface FinishedRun {
  readonly query: Query;
  readonly state: ResultState;
  readonly failure?: Failure;
  /** The datasets that the response names, and the deployment that they are in. */
  readonly read?: { readonly deployment: string; readonly datasets: readonly string[] };
}

/** What shows results; the concrete view is given from outside. */
export interface ResultsView {
  show(state: ResultState): void;
  /** The person cancelled the running query from the view. */
  readonly onCancel: vscode.Event<void>;
}

export class QueryRunner implements vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #timeRange: TimeRangeState;
  readonly #results: ResultsView;
  readonly #log: Log;
  readonly #started = new vscode.EventEmitter<Query>();
  readonly onDidStart = this.#started.event;
  readonly #finished = new vscode.EventEmitter<FinishedRun>();
  readonly onDidFinish = this.#finished.event;
  readonly #subscription: vscode.Disposable;
  #running: AbortController | undefined;
  #last: readonly Query[] = [];

  constructor(deployments: Deployments, timeRange: TimeRangeState, results: ResultsView, log: Log) {
    this.#deployments = deployments;
    this.#timeRange = timeRange;
    this.#results = results;
    this.#log = log;
    this.#subscription = results.onCancel(() => this.cancel());
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The queries of the latest run. */
  get last(): readonly Query[] {
    return this.#last;
  }

  /**
   * Runs queries in order and shows each result as it comes; stops at the first that gives none.
   * A run under way is cancelled first. Returns what the last query came to.
   */
  async run(queries: readonly Query[]): Promise<ResultState> {
    this.cancel();
    this.#last = queries;
    const controller = new AbortController();
    this.#running = controller;
    let state: ResultState = { kind: 'empty' };
    try {
      for (const query of queries) {
        this.#started.fire(query);
        const { nothingRead, ...finished } = await this.#runOne(query, controller.signal);
        state = finished.state;
        // A newer run has taken the view; its states are the ones to be seen.
        if (this.#running === controller) this.#results.show(state);
        const hint = nothingRead && (await eventsElsewhere(nothingRead, controller.signal));
        if (hint && state.kind === 'result') {
          state = { ...state, hint };
          if (this.#running === controller) this.#results.show(state);
        }
        this.#finished.fire({ ...finished, state });
        if (state.kind !== 'result') break;
      }
    } finally {
      if (this.#running === controller) this.#running = undefined;
    }
    return state;
  }

  /** Aborts the run under way: the request's connection is closed, on which the service stops. */
  cancel(): void {
    this.#running?.abort();
  }

  dispose(): void {
    this.cancel();
    this.#subscription.dispose();
    this.#started.dispose();
    this.#finished.dispose();
  }

  async #runOne(
    query: Query,
    signal: AbortSignal,
  ): Promise<FinishedRun & { readonly nothingRead?: NothingRead }> {
    const { title } = query;
    const profile = this.#deployments.active;
    const range = this.#timeRange.value;
    this.#results.show({ kind: 'running', title, startedAt: Date.now() });
    const service = await orAborted(this.#service(profile), signal);
    const started = performance.now();
    if (service === undefined) return { query, state: { kind: 'cancelled', title } };
    const answer = service.ok
      ? await queryApl(service.value, {
          apl: query.text,
          ...rangeParameters(range, Date.now()),
          timeoutMs: queryTimeoutMs(),
          signal,
        })
      : service;
    if (signal.aborted) return { query, state: { kind: 'cancelled', title } };
    if (!answer.ok) return this.#failed(query, answer.failure, profile);
    const result = toResult(answer.value, {
      title,
      query: query.text,
      statesColumnOrder: query.statesColumnOrder,
      deployment: profile.name,
      rangeLabel: rangeLabel(range),
      roundTripMilliseconds: performance.now() - started,
      ...(answer.traceId !== undefined && { traceId: answer.traceId }),
    });
    // A deployment that answers again has its lists asked for again.
    this.#deployments.retry();
    const datasets = answer.value.datasetNames ?? [];
    const read = { deployment: profile.name, datasets };
    const finished: FinishedRun = { query, state: { kind: 'result', result }, read };
    if (result.rowsExamined > 0 || !service.ok) return finished;
    const local = profile.kind === 'local';
    return { ...finished, nothingRead: { service: service.value, local, datasets, range } };
  }

  async #service(profile: Profile): Promise<Outcome<Service>> {
    await askForMissingToken(this.#deployments, profile);
    return this.#deployments.service(profile);
  }

  #failed(query: Query, failure: Failure, profile: Profile): FinishedRun {
    this.#log.warn(`${query.title}: ${failure.message}${traceNote(failure)}`);
    const advice = adviceFor(failure, {
      local: profile.kind === 'local',
      again: 'aplomb.runLastQuery',
      needs: 'query access to the datasets in the query',
    });
    const state: ResultState = {
      kind: 'failed',
      title: query.title,
      message: advice.message,
      ...(failure.code !== undefined && { code: failure.code }),
      ...(failure.traceId !== undefined && { traceId: failure.traceId }),
      actions: [...goToError(query, failure), ...advice.actions],
    };
    return { query, state, failure };
  }
}

/** The value, or undefined as soon as the signal is aborted: starting a deployment takes a while. */
export function orAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
    value.then(resolve, reject);
  });
}

/** A button that puts the cursor where the service found the error, and says which line that is. */
export function goToError({ place, text }: Query, { places }: Failure): readonly Action[] {
  const found = places?.[0];
  if (place === undefined || found === undefined) return [];
  const { line, character } = positionOf(text, errorPlace(text, found).start, place.range.start);
  const selection = new vscode.Range(line, character, line, character);
  const options: vscode.TextDocumentShowOptions = { selection };
  return [
    { label: `Go to Line ${line + 1}`, command: 'vscode.open', arguments: [place.uri, options] },
  ];
}

function traceNote(failure: Failure): string {
  return failure.traceId === undefined ? '' : ` Trace ID ${failure.traceId}.`;
}
