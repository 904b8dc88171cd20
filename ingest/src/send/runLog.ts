// Applies a run's records to its state immediately, and writes them to the journal and the failed-events file in order.
import type { Batch, FailedEvent, LineRange } from '../contract.ts';
import type { FailedFile } from './failedFile.ts';
import { type Journal, JournalProblem } from './journal.ts';
import { failedEvent } from './matchFailures.ts';
import type { Part } from './part.ts';
import { fullRange, sizeOf } from './ranges.ts';
import type { JournalRecord, NotStored, SettledRecord } from './records.ts';
import { FAILURES_MAX, RunState } from './runState.ts';

/** The outcome of a part's events. Absent counts are 0. */
export interface Settlement {
  readonly stored?: number;
  readonly failed?: number;
  readonly skipped?: number;
  /** The number of events that may or may not be stored. */
  readonly doubt?: number;
  readonly failures?: readonly FailedEvent[];
  readonly reasons?: readonly (readonly [reason: string, count: number])[];
  /** Texts of the events that aren't stored, as in the file. */
  readonly texts?: readonly string[];
  readonly messages?: readonly string[];
}

export class RunLog {
  readonly state: RunState;
  readonly #journal: Journal | undefined;
  readonly #failed: FailedFile | undefined;
  readonly #startedAt = performance.now();
  readonly #earlierMs: number;
  #written: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal | undefined, failed: FailedFile | undefined) {
    this.#journal = journal;
    this.#failed = failed;
    this.state = journal?.state ?? new RunState();
    this.#earlierMs = this.state.durationMs;
  }

  /** The duration in milliseconds, including earlier parts of the run. */
  get durationMs(): number {
    return this.#earlierMs + performance.now() - this.#startedAt;
  }

  read(batch: Batch): Promise<void> {
    const { broken, start, end, events, firstLine, lastLine } = batch;
    const record = {
      type: 'read',
      batch: start.batch,
      start,
      end,
      events,
      firstLine,
      lastLine,
      skipped: broken.length,
      ...this.#notStored({
        failures: broken.map((event) => failedEvent(event, event.reason, 'reader')),
        reasons: countReasons(broken.map(({ reason }) => reason)),
      }),
    } as const;
    return this.#append(
      record,
      broken.map(({ text }) => text),
    );
  }

  /** Records a request and returns its number. It may be sent once this has resolved. */
  async sending({ batch, ranges, request }: Part): Promise<number> {
    const number = this.state.requests;
    const { firstLine, lastLine } = request;
    try {
      await this.#append({
        type: 'sent',
        request: number,
        batch: batch.start.batch,
        ranges,
        firstLine,
        lastLine,
      });
    } catch (error) {
      this.state.apply({ type: 'returned', request: number });
      throw error;
    }
    return number;
  }

  returned(request: number): Promise<void> {
    return this.#append({ type: 'returned', request });
  }

  /** Settles the events of a part. `request` is the request that decided their outcome, if any. */
  settle(
    { batch, ranges, request: sent }: Part,
    request: number | undefined,
    settlement: Settlement,
  ): Promise<void> {
    const { stored = 0, failed = 0, skipped = 0, doubt = 0, messages = [] } = settlement;
    const lines: LineRange = { firstLine: sent.firstLine, lastLine: sent.lastLine, events: doubt };
    // The time of each event is unknown, so the part's range is used for its stored events.
    const times = stored > 0 ? sent : undefined;
    const record: SettledRecord = {
      type: 'settled',
      ...(request !== undefined && { request }),
      batch: batch.start.batch,
      ranges,
      stored,
      failed,
      skipped,
      ...(doubt > 0 && { doubt: lines }),
      messages,
      bytes: request === undefined ? 0 : sent.bytes,
      ...(times?.firstTime !== undefined && { firstTime: times.firstTime }),
      ...(times?.lastTime !== undefined && { lastTime: times.lastTime }),
      durationMs: Math.round(this.durationMs),
      ...this.#notStored(settlement),
    };
    return this.#append(record, settlement.texts);
  }

  dataset(created: boolean): Promise<void> {
    return this.#append({ type: 'dataset', created });
  }

  /** Waits for pending writes and closes the files. */
  async close(): Promise<void> {
    await this.#written;
    await this.#failed?.close();
    await this.#journal?.close();
  }

  #notStored({ failures = [], reasons = [] }: Settlement): NotStored {
    const room = Math.max(0, FAILURES_MAX - this.state.failures.length);
    return { failures: failures.slice(0, room), reasons, failedFile: { bytes: 0 } };
  }

  #append(record: JournalRecord, texts: readonly string[] = []): Promise<void> {
    this.state.apply(record);
    const written = this.#written.then(async () => {
      await this.#appendFailed(texts);
      const failedFile = this.#failed?.state ?? { bytes: 0 };
      await this.#journal?.write('failedFile' in record ? { ...record, failedFile } : record);
    });
    this.#written = written.catch(() => {});
    return written;
  }

  async #appendFailed(texts: readonly string[]): Promise<void> {
    try {
      await this.#failed?.append(texts);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new JournalProblem(`Cannot write the file of failed events: ${why}.`);
    }
  }
}

export function countReasons(reasons: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts];
}

/** Creates a part for events settled without their own request. */
export function unsentPart(batch: Batch, ranges: Part['ranges']): Part {
  const isWhole = sizeOf(ranges) === batch.events;
  return { batch, ranges: isWhole ? fullRange(batch.events) : ranges, request: batch };
}
