// Identifies the events of a request that the service didn't store. The local deployment returns their numbers. The
// hosted service only returns their times, which other events may share, so all candidates are then listed.
import type { Batch, FailedEvent, SendResult } from '../contract.ts';
import type { InspectedEvent } from './divide.ts';
import { instant } from './instant.ts';

type Failure = Extract<SendResult, { kind: 'answered' }>['failures'][number];

const NO_REASON = 'The service did not report a reason';
const TEXT_CHARACTERS_MAX = 2_000;
const REASONS_LISTED_MAX = 5;

export interface MatchedFailures {
  /** The failures to report. The ones with `among` have no text in `texts`. */
  readonly failures: readonly FailedEvent[];
  /** Texts of the events known not to be stored, as in the file. */
  readonly texts: readonly string[];
  /** The reasons of all failures. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
}

/**
 * Matches failures to events. `events` are the request's events in order, or empty if the file can't be read again.
 * `failed` is the number of events not stored, which may exceed the listed failures.
 */
export function matchFailures(
  events: readonly InspectedEvent[],
  request: Pick<Batch, 'events' | 'firstLine' | 'lastLine'>,
  failures: readonly Failure[],
  failed: number,
): MatchedFailures {
  const reasons = new Map<string, number>();
  const count = (reason: string, times = 1) =>
    reasons.set(reason, (reasons.get(reason) ?? 0) + times);
  /** Reasons by index in the request. */
  const reasonByIndex = new Map<number, string>();
  const unnamed: { readonly reason: string; readonly time: bigint | undefined }[] = [];
  for (const { error, timestamp } of failures.slice(0, failed)) {
    const [, number, rest] = /^event (\d+): (.+)$/s.exec(error) ?? [];
    const index = Number(number) - 1;
    const reason = rest ?? (error || NO_REASON);
    count(reason);
    if (events[index] && !reasonByIndex.has(index)) reasonByIndex.set(index, reason);
    else unnamed.push({ reason, time: timestamp === undefined ? undefined : instant(timestamp) });
  }
  for (let missing = failed - failures.length; missing > 0; missing -= 1) {
    unnamed.push({ reason: NO_REASON, time: undefined });
  }
  if (failed > failures.length) count(NO_REASON, failed - failures.length);

  const unidentified =
    events.length === 0
      ? [
          candidateEvents(
            request.firstLine,
            request.lastLine,
            request.events,
            [...reasons.keys()],
            failed,
          ),
        ]
      : nameByTime(events, unnamed, reasonByIndex);
  const indexes = [...reasonByIndex.keys()].sort((a, b) => a - b);
  return {
    failures: [
      ...indexes.map((index) =>
        failedEvent(events[index] as InspectedEvent, reasonByIndex.get(index) ?? ''),
      ),
      ...unidentified,
    ],
    texts: indexes.map((index) => (events[index] as InspectedEvent).text),
    reasons: [...reasons],
  };
}

/** Creates a report entry for an event, with its text truncated. */
export function failedEvent(
  { line, lastLine, text }: Pick<InspectedEvent, 'line' | 'lastLine' | 'text'>,
  reason: string,
  by: FailedEvent['by'] = 'service',
): FailedEvent {
  return { line, lastLine, reason, text: text.slice(0, TEXT_CHARACTERS_MAX), by };
}

/**
 * Identifies events by time if there are no more candidates than failures. Returns the other failures and their
 * candidates.
 */
function nameByTime(
  events: readonly InspectedEvent[],
  unnamed: readonly { readonly reason: string; readonly time: bigint | undefined }[],
  reasonByIndex: Map<number, string>,
): FailedEvent[] {
  if (unnamed.length === 0) return [];
  const byTime = new Map<bigint | undefined, number[]>();
  for (const [index, event] of events.entries()) {
    if (reasonByIndex.has(index)) continue;
    const time = event.time === undefined ? undefined : instant(event.time);
    append(byTime, time, index);
  }
  // A time that no event has is the arrival time, which events without a time get.
  const keyOf = (time: bigint | undefined) =>
    time !== undefined && byTime.has(time) ? time : undefined;
  const reasonsByKey = new Map<bigint | undefined, string[]>();
  for (const { reason, time } of unnamed) append(reasonsByKey, keyOf(time), reason);

  const unidentified: FailedEvent[] = [];
  for (const [key, reasons] of [...reasonsByKey].sort(([a], [b]) => knownFirst(a, b))) {
    // Without a known time, the events without a time are the candidates, or all events not yet identified if there are
    // too few of them.
    const candidates =
      key === undefined && (byTime.get(undefined)?.length ?? 0) < reasons.length
        ? [...events.keys()].filter((index) => !reasonByIndex.has(index))
        : (byTime.get(key) ?? []);
    if (candidates.length <= reasons.length) {
      for (const [at, index] of candidates.entries())
        reasonByIndex.set(index, reasons[at] as string);
      continue;
    }
    const first = events[candidates[0] as number] as InspectedEvent;
    const last = events[candidates.at(-1) as number] as InspectedEvent;
    unidentified.push(
      candidateEvents(first.line, last.lastLine, candidates.length, reasons, reasons.length),
    );
  }
  return unidentified;
}

function candidateEvents(
  line: number,
  lastLine: number,
  events: number,
  reasons: readonly string[],
  count: number,
): FailedEvent {
  const reason = [...new Set(reasons)].slice(0, REASONS_LISTED_MAX).join('; ');
  return { line, lastLine, reason, text: '', by: 'service', among: { events, count } };
}

function knownFirst(a: bigint | undefined, b: bigint | undefined): number {
  return Number(a === undefined) - Number(b === undefined);
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
