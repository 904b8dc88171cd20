// What came of ingesting a file, and the words for it. Nothing is left out: every event is either stored,
// refused with a reason, or named as not sent.
import type { Failure } from '../api/failure.ts';

/** A reason for which events were not stored, and how many. */
export interface FailureReason {
  readonly error: string;
  readonly count: number;
  /** The time of the first such event, as the service told it. */
  readonly firstTimestamp?: string;
  /** The number of the first such event in the file, from 1, where the service told it. */
  readonly firstEvent?: number;
}

export interface IngestOutcome {
  readonly file: string;
  readonly dataset: string;
  readonly ingested: number;
  readonly failed: number;
  readonly failures: readonly FailureReason[];
  /** Notices of the service, such as fields that a locked schema dropped. */
  readonly notices: readonly string[];
  readonly requests: number;
  /** Whether the person stopped it. */
  readonly cancelled: boolean;
  /** Why it stopped before the end of the file; absent when all of it was sent. */
  readonly problem?: string;
  /** The same as the service or the network told it, where it was one of them. */
  readonly failure?: Failure;
  /** The first line of the file that is not stored, where it stopped early. */
  readonly stoppedAtLine?: number;
  /** The last line that a cancelled request had; whether its lines are stored is not known. */
  readonly lastSentLine?: number;
}

/** By a call, since a formatter that is made at the start has all of `Intl` loaded there. */
const grouped = (count: number): string => count.toLocaleString('en-US');
const REASONS_SHOWN = 3;

/** Events in words: `1 event`, `12,000 events`. */
export function eventsInWords(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'event' : 'events'}`;
}

/** The outcome as one or more sentences. */
export function outcomeInWords(outcome: IngestOutcome): string {
  const { file, dataset, ingested, failed } = outcome;
  const sentences: string[] = [];
  if (outcome.problem !== undefined) {
    const extent = ingested === 0 ? 'was not ingested' : 'was not ingested completely';
    sentences.push(`${file} ${extent}. ${problemInWords(outcome.problem)}`);
    sentences.push(stoppedInWords(outcome));
  } else if (outcome.cancelled) {
    sentences.push(`Ingestion of ${file} was cancelled.`, stoppedInWords(outcome));
  } else {
    sentences.push(`Ingested ${eventsInWords(ingested)} from ${file} into ${dataset}.`);
  }
  if (failed > 0) {
    sentences.push(
      `${eventsInWords(failed)} ${were(failed)} rejected: ${reasonsInWords(outcome)}.`,
    );
  }
  sentences.push(...outcome.notices.map(fullStop));
  return sentences.join(' ');
}

/** The problem as sentences. What the service says of its request is said of the whole file after it. */
function problemInWords(problem: string): string {
  const message = problem.replace(/\s*No events of the request were stored\.$/, '');
  return fullStop(message.charAt(0).toUpperCase() + message.slice(1));
}

function stoppedInWords(outcome: IngestOutcome): string {
  const { ingested, dataset, stoppedAtLine, lastSentLine } = outcome;
  if (stoppedAtLine !== undefined && lastSentLine !== undefined) {
    const lines = `lines ${grouped(stoppedAtLine)} to ${grouped(lastSentLine)}`;
    const before =
      ingested === 0
        ? ''
        : `The preceding ${eventsInWords(ingested)} ${were(ingested)} stored in ${dataset}. `;
    return `${before}It is not known whether ${lines} were stored.`;
  }
  if (ingested === 0) return 'No events were stored.';
  const where =
    stoppedAtLine === undefined ? '' : `, and none from line ${grouped(stoppedAtLine)} onward`;
  return `The preceding ${eventsInWords(ingested)} ${were(ingested)} stored in ${dataset}${where}.`;
}

function reasonsInWords({ failures, failed }: IngestOutcome): string {
  if (failures.length === 0) return 'the service did not report a reason';
  const [only] = failures;
  if (only?.count === failed) {
    return only.count === 1
      ? reasonInWords(only)
      : `${only.error.replace(/\.$/, '')}${firstInWords(only, ' (', ')')}`;
  }
  const shown = failures
    .slice(0, REASONS_SHOWN)
    .map((reason) =>
      reason.count === 1 && reason.firstEvent !== undefined
        ? reasonInWords(reason)
        : `${reason.error.replace(/\.$/, '')} (${grouped(reason.count)}${firstInWords(reason, ', ', '')})`,
    );
  const counted = failures.reduce((sum, { count }) => sum + count, 0);
  const more = failures.length > REASONS_SHOWN || counted < failed ? ', and others' : '';
  return `${shown.join('; ')}${more}`;
}

/** The reason of a single event. */
function reasonInWords({ error, firstEvent }: FailureReason): string {
  const reason = error.replace(/\.$/, '');
  return firstEvent === undefined ? reason : `event ${grouped(firstEvent)}: ${reason}`;
}

function firstInWords({ firstEvent }: FailureReason, before: string, after: string): string {
  return firstEvent === undefined ? '' : `${before}first in event ${grouped(firstEvent)}${after}`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function fullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Counts reasons, most frequent first; events differ in number, reasons seldom do. */
export class ReasonCount {
  readonly #reasons = new Map<string, Omit<FailureReason, 'error'>>();

  /** `eventsBefore` is the number of events in the file that precede the request, whose events are numbered from 1. */
  add(told: string, timestamp: string | undefined, eventsBefore: number): void {
    const [, place, reason] = /^event (\d+): (.+)$/s.exec(told) ?? [];
    const error = reason ?? told;
    const known = this.#reasons.get(error);
    if (known) this.#reasons.set(error, { ...known, count: known.count + 1 });
    else if (this.#reasons.size < REASONS_KEPT) {
      this.#reasons.set(error, {
        count: 1,
        ...(timestamp && { firstTimestamp: timestamp }),
        ...(place && { firstEvent: eventsBefore + Number(place) }),
      });
    }
  }

  list(): FailureReason[] {
    return [...this.#reasons]
      .map(([error, about]) => ({ error, ...about }))
      .sort((a, b) => b.count - a.count);
  }
}

const REASONS_KEPT = 1_000;
