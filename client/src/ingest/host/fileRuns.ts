// Runs several files, small ones concurrently, with shared pause, cancel and progress.
import type { RunProgress } from '../../../../ingest/src/contract.ts';
import { FileSlots } from '../../../../ingest/src/send/fileSlots.ts';
import { sum } from '../amounts.ts';
import type { FinishedReport, Run } from './engine.ts';
import type { ProgressView } from './pageFacts.ts';
import type { FileState } from './sessionState.ts';

export class FileRuns {
  readonly #files: () => readonly FileState[];
  /** `isUrgent`: whether to show the progress at once. */
  readonly #onProgress: (view: ProgressView, isUrgent: boolean) => void;
  readonly #startedAt = performance.now();
  readonly #runs = new Set<Run>();
  /** The progress by file id. */
  readonly #progress = new Map<number, RunProgress>();
  readonly #ended = new Set<number>();
  #state: ProgressView['state'] | undefined;
  #isPaused = false;
  #isCancelled = false;

  constructor(
    files: () => readonly FileState[],
    onProgress: (view: ProgressView, isUrgent: boolean) => void,
  ) {
    this.#files = files;
    this.#onProgress = onProgress;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Handles the files in order, several small ones concurrently. After a cancellation, no more files are started. */
  async each(handle: (file: FileState) => Promise<void>): Promise<void> {
    this.#show(true);
    const slots = new FileSlots();
    const ended: Promise<void>[] = [];
    for (const file of this.#files()) {
      const { size } = file.source;
      await slots.enter(size);
      if (this.#isCancelled) break;
      const end = handle(file).finally(() => {
        this.#ended.add(file.id);
        slots.leave(size);
        this.#show(false);
      });
      // Avoid an unhandled rejection: the promise is awaited only after the last file has started.
      end.catch(() => {});
      ended.push(end);
    }
    await Promise.all(ended);
  }

  /** Returns a run's report. While the run is in progress, `pause` and `cancel` apply to it. */
  async report(run: Run): Promise<FinishedReport> {
    this.#runs.add(run);
    if (this.#isPaused) run.pause();
    try {
      return await run.report;
    } finally {
      this.#runs.delete(run);
    }
  }

  progressed(file: number, progress: RunProgress): void {
    this.#progress.set(file, progress);
    this.#show(false);
  }

  pause(): void {
    this.#isPaused = true;
    for (const run of this.#runs) run.pause();
    this.#show(true);
  }

  resume(): void {
    this.#isPaused = false;
    for (const run of this.#runs) run.resume();
    this.#show(true);
  }

  cancel(): void {
    this.#isCancelled = true;
    for (const run of this.#runs) run.cancel();
    this.#show(true);
  }

  #show(isUrgent: boolean): void {
    const files = this.#files();
    const { length } = files;
    const current = files.find(({ id }) => !this.#ended.has(id)) ?? files.at(-1);
    const { state, waiting, ...progress } = this.#total();
    const seconds = waiting && Math.max(0, Math.ceil((waiting.until - Date.now()) / 1_000));
    const view: ProgressView = {
      ...progress,
      state: this.#isCancelled ? 'cancelling' : state,
      file: current?.source.name ?? '',
      index: Math.min(this.#ended.size + 1, length),
      files: length,
      ...(waiting && { waiting: { message: waiting.message, seconds: seconds ?? 0 } }),
    };
    const isNew = view.state !== this.#state;
    this.#state = view.state;
    this.#onProgress(view, isUrgent || isNew);
  }

  /** Returns the progress of all files. Their rate is an average, because each run only measures its own. */
  #total(): Omit<RunProgress, 'state'> & { readonly state: 'running' | 'paused' | 'waiting' } {
    const running = [...this.#progress].filter(([file]) => !this.#ended.has(file));
    const files = this.#files();
    const ended = files.filter(({ id }) => this.#ended.has(id));
    const totalBytes = sum(files, ({ source }) => source.size);
    const bytes = sum(ended, ({ source }) => source.size) + sum(running, ([, now]) => now.bytes);
    const events = sum([...this.#progress.values()], (progress) => progress.events);
    const waiting = running.find(([, { state }]) => state === 'waiting')?.[1].waiting;
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const [only] = files.length === 1 ? this.#progress.values() : [];
    const { eventsPerSecond, secondsLeft } = only ?? {
      eventsPerSecond: events / seconds,
      secondsLeft: bytes === 0 ? undefined : (totalBytes - bytes) * (seconds / bytes),
    };
    return {
      state: this.#isPaused ? 'paused' : waiting ? 'waiting' : 'running',
      ...(waiting && { waiting }),
      bytes,
      totalBytes,
      events,
      eventsPerSecond,
      ...(secondsLeft !== undefined && { secondsLeft }),
    };
  }
}
