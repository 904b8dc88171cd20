// Computes a run's state from its journal records. The same code follows a live run and restores one from its journal,
// so both agree.
import type { FailedEvent, LineRange, Position, RunReport } from '../contract.ts';
import type { FailedFileState } from './failedFile.ts';
import { instant } from './instant.ts';
import { complement, type Ranges, sizeOf, union } from './ranges.ts';
import type { JournalRecord, NotStored, ReadRecord, SentRecord, SettledRecord } from './records.ts';

export const FAILURES_MAX = 1_000;
const REASONS_MAX = 1_000;
const MESSAGES_MAX = 100;
const OTHER_REASONS = 'Other reasons';

/** A batch with undecided events. */
export interface OpenBatch {
  readonly batch: number;
  readonly start: Position;
  readonly end: Position;
  readonly events: number;
  readonly firstLine: number;
  readonly lastLine: number;
  settled: Ranges;
}

export class RunState {
  read = 0;
  stored = 0;
  failed = 0;
  skipped = 0;
  bytes = 0;
  durationMs = 0;
  createdDataset = false;
  firstTime: string | undefined;
  lastTime: string | undefined;
  /** Bytes of the file whose events are decided. */
  fileBytes = 0;
  failedFile: FailedFileState = { bytes: 0 };
  /** The end of the last batch read. */
  next: Position | undefined;
  /** The number of the next request. */
  requests = 0;
  readonly open = new Map<number, OpenBatch>();
  /** Requests without a recorded outcome. */
  readonly unanswered = new Map<number, SentRecord>();
  readonly failures: FailedEvent[] = [];
  readonly reasons = new Map<string, number>();
  readonly messages = new Set<string>();
  readonly doubt: LineRange[] = [];

  apply(record: JournalRecord): void {
    switch (record.type) {
      case 'read':
        return this.#applyRead(record);
      case 'sent':
        this.requests = Math.max(this.requests, record.request + 1);
        this.unanswered.set(record.request, record);
        return;
      case 'returned':
        this.unanswered.delete(record.request);
        return;
      case 'settled':
        return this.#applySettled(record);
      case 'dataset':
        this.createdDataset = record.created;
    }
  }

  /** The number of events read but not decided. */
  get unsent(): number {
    let events = 0;
    for (const batch of this.open.values()) events += batch.events - sizeOf(batch.settled);
    return events;
  }

  get doubtful(): number {
    return this.doubt.reduce((sum, { events }) => sum + events, 0);
  }

  /** The position to resume reading: the start of the first undecided batch. */
  get position(): Position | undefined {
    const [first] = [...this.open.values()].sort((a, b) => a.batch - b.batch);
    return first?.start ?? this.next;
  }

  /** The first line of the batches with undecided events, or of the unread rest of the file. */
  get firstUnsentLine(): number {
    const lines = [...this.open.values()].map(({ firstLine }) => firstLine);
    return Math.min(...lines, this.next?.line ?? 1);
  }

  /** Returns whether the outcome of every event in a file of `size` bytes is recorded. */
  isComplete(size: number): boolean {
    const isRead = this.next !== undefined && this.next.stored >= size;
    return isRead && this.open.size === 0 && this.unanswered.size === 0;
  }

  /** Returns the undecided events of a batch; undefined if it was never read. */
  pending(batch: number): Ranges | undefined {
    const open = this.open.get(batch);
    if (open) return complement(open.events, open.settled);
    return this.next !== undefined && batch < this.next.batch ? [] : undefined;
  }

  get report(): Omit<RunReport, 'file' | 'dataset' | 'outcome'> {
    const reasons = [...this.reasons].map(([reason, count]) => ({ reason, count }));
    return {
      read: this.read,
      stored: this.stored,
      failed: this.failed,
      unsent: this.unsent,
      skipped: this.skipped,
      bytes: this.bytes,
      durationMs: this.durationMs,
      failures: this.failures.toSorted((a, b) => a.line - b.line),
      reasons: reasons.sort((a, b) => b.count - a.count),
      doubt: this.doubt.toSorted((a, b) => a.firstLine - b.firstLine),
      messages: [...this.messages],
      ...(this.firstTime !== undefined && { firstTime: this.firstTime }),
      ...(this.lastTime !== undefined && { lastTime: this.lastTime }),
    };
  }

  #applyRead(record: ReadRecord): void {
    this.read += record.events;
    this.skipped += record.skipped;
    this.next = record.end;
    this.#addNotStored(record);
    if (record.events === 0) {
      this.fileBytes += record.end.stored - record.start.stored;
      return;
    }
    const { batch, start, end, events, firstLine, lastLine } = record;
    this.open.set(batch, { batch, start, end, events, firstLine, lastLine, settled: [] });
  }

  #applySettled(record: SettledRecord): void {
    if (record.request !== undefined) this.unanswered.delete(record.request);
    this.stored += record.stored;
    this.failed += record.failed;
    this.skipped += record.skipped;
    this.read -= record.skipped;
    this.bytes += record.bytes;
    this.durationMs = record.durationMs;
    if (record.doubt) this.#addDoubt(record.doubt);
    for (const message of record.messages) {
      if (this.messages.size < MESSAGES_MAX) this.messages.add(message);
    }
    this.#addNotStored(record);
    this.#addTimes(record);
    const open = this.open.get(record.batch);
    if (!open) return;
    open.settled = union(open.events, open.settled, record.ranges);
    if (sizeOf(open.settled) < open.events) return;
    this.open.delete(record.batch);
    this.fileBytes += open.end.stored - open.start.stored;
  }

  #addNotStored({ failures, reasons, failedFile }: NotStored): void {
    this.failedFile = failedFile;
    this.failures.push(...failures.slice(0, FAILURES_MAX - this.failures.length));
    for (const [reason, count] of reasons) {
      const known = this.reasons.has(reason) || this.reasons.size < REASONS_MAX;
      const key = known ? reason : OTHER_REASONS;
      this.reasons.set(key, (this.reasons.get(key) ?? 0) + count);
    }
  }

  #addTimes({ firstTime, lastTime }: SettledRecord): void {
    if (firstTime !== undefined && !isBefore(this.firstTime, firstTime)) this.firstTime = firstTime;
    if (lastTime !== undefined && !isBefore(lastTime, this.lastTime)) this.lastTime = lastTime;
  }

  /** Adds a range of doubtful lines, merged with a directly preceding range. */
  #addDoubt(range: LineRange): void {
    const last = this.doubt.at(-1);
    if (last && last.lastLine + 1 === range.firstLine) {
      this.doubt[this.doubt.length - 1] = {
        firstLine: last.firstLine,
        lastLine: range.lastLine,
        events: last.events + range.events,
      };
    } else this.doubt.push(range);
  }
}

/** Returns whether one time is earlier than another; false if either is unknown. */
function isBefore(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const [first, second] = [instant(a), instant(b)];
  return first !== undefined && second !== undefined && first < second;
}
