// What came of ingesting a file, and the words for it. Nothing is left out: every event is either stored,
// refused with a reason, or named as not sent.
import type { Failure } from '../api/failure.ts';

/** A reason for which events were not stored, and how many. */
export interface FailureReason {
  readonly error: string;
  readonly count: number;
  /** The time of the first such event, as the service told it. */
  readonly firstTimestamp?: string;
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
}

const number = new Intl.NumberFormat('en-US');
const REASONS_SHOWN = 3;

/** Events in words: `1 event`, `12,000 events`. */
export function eventsInWords(count: number): string {
  return `${number.format(count)} ${count === 1 ? 'event' : 'events'}`;
}

/** The outcome as one or more sentences. */
export function outcomeInWords(outcome: IngestOutcome): string {
  const { file, dataset, ingested, failed } = outcome;
  const sentences: string[] = [];
  if (outcome.problem !== undefined) {
    sentences.push(`${file} was not ingested whole. ${problemInWords(outcome.problem)}`);
    sentences.push(stoppedInWords(outcome));
  } else if (outcome.cancelled) {
    sentences.push(`Ingesting ${file} was cancelled.`, stoppedInWords(outcome));
  } else {
    sentences.push(`${eventsInWords(ingested)} of ${file} ${are(ingested)} stored in ${dataset}.`);
  }
  if (failed > 0) {
    sentences.push(
      `${eventsInWords(failed)} ${are(failed)} not stored: ${reasonsInWords(outcome)}.`,
    );
  }
  sentences.push(...outcome.notices.map(fullStop));
  return sentences.join(' ');
}

/** The problem as sentences. What the service says of its request is said of the whole file after it. */
function problemInWords(problem: string): string {
  const told = problem.replace(/\s*Nothing of the request is stored\.$/, '');
  return fullStop(told.charAt(0).toUpperCase() + told.slice(1));
}

function stoppedInWords({ ingested, dataset, stoppedAtLine }: IngestOutcome): string {
  if (ingested === 0) return 'Nothing of it is stored.';
  const where =
    stoppedAtLine === undefined ? '' : `, and none from line ${number.format(stoppedAtLine)} on`;
  return `${eventsInWords(ingested)} before that ${are(ingested)} stored in ${dataset}${where}.`;
}

function reasonsInWords({ failures, failed }: IngestOutcome): string {
  if (failures.length === 0) return 'the service gave no reason';
  const [only] = failures;
  if (only?.count === failed) return only.error.replace(/\.$/, '');
  const shown = failures
    .slice(0, REASONS_SHOWN)
    .map(({ error, count }) => `${error.replace(/\.$/, '')} (${number.format(count)})`);
  const told = failures.reduce((sum, { count }) => sum + count, 0);
  const more = failures.length > REASONS_SHOWN || told < failed ? ', and others' : '';
  return `${shown.join('; ')}${more}`;
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function fullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Counts reasons, most frequent first; events differ in number, reasons seldom do. */
export class ReasonCount {
  readonly #reasons = new Map<string, { count: number; firstTimestamp?: string }>();

  add(error: string, timestamp: string | undefined): void {
    const known = this.#reasons.get(error);
    if (known) known.count += 1;
    else if (this.#reasons.size < REASONS_KEPT) {
      this.#reasons.set(error, { count: 1, ...(timestamp && { firstTimestamp: timestamp }) });
    }
  }

  list(): FailureReason[] {
    return [...this.#reasons]
      .map(([error, about]) => ({ error, ...about }))
      .sort((a, b) => b.count - a.count);
  }
}

const REASONS_KEPT = 1_000;
