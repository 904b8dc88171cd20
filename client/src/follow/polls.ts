/** Requests of followed queries: append new events to the answer, or run the query again and replace the answer. */
import { arrivalColumn } from '../../../server/src/protocol.ts';
import type { AnswerAbout } from '../../../table/src/answer.ts';
import type { HeldAnswer } from '../answers/heldAnswer.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { storeSink } from '../answers/storeSink.ts';
import { type Asking, ask, notRunFailure, type Question } from '../service/ask.ts';
import { type Failure, failed, type Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { type RangeParameters, timestamp } from '../time/timeRange.ts';
import { Arrivals, type Overlap } from './arrivals.ts';
import type { Clock } from './clock.ts';
import { cursorColumn, type EventsPlan, eventQuery } from './eventQuery.ts';
import type { FollowerParts, Polled } from './follower.ts';

type Poll = FollowerParts['poll'];

export interface PollParts {
  readonly store: ResultsStore;
  readonly clock: Clock;
  /** The metadata of the answer's query. Each request sets its own times. */
  readonly about: AnswerAbout;
  readonly times: () => RangeParameters;
  readonly service: (signal: AbortSignal) => Promise<Outcome<Service>>;
  readonly limits: () => Pick<Asking, 'timeoutMs' | 'maxBytes'>;
  readonly newestFirst: () => boolean;
  readonly asked: (about: AnswerAbout) => void;
  /** Called with the first answer, and with each answer that replaces it. */
  readonly answered: (answer: HeldAnswer) => void;
}

interface EventBounds {
  readonly first: number;
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly overlap: Overlap;
}

const DAY_NS = 86_400_000_000_000n;

/** Requests the events that have arrived since the last request. */
export class EventsPoll {
  readonly #parts: PollParts;
  readonly #plan: EventsPlan;
  readonly #bounds: EventBounds;
  #arrivals: Arrivals;
  #answer: HeldAnswer | undefined;

  constructor(parts: PollParts, plan: EventsPlan, bounds: EventBounds) {
    this.#parts = parts;
    this.#plan = plan;
    this.#bounds = bounds;
    this.#arrivals = this.#newArrivals();
  }

  get skipped(): boolean {
    return this.#arrivals.skipped;
  }

  readonly poll: Poll = async (signal): Promise<Outcome<Polled>> => {
    const { store, clock, about, answered, newestFirst } = this.#parts;
    const former = this.#current();
    const arrivals = this.#arrivals;
    const question = arrivals.next(clock.now());
    const follow = {
      cursor: cursorColumn,
      arrival: arrivalColumn,
      maxRows: this.#bounds.maxRows,
      maxBytes: this.#bounds.maxBytes,
      newestFirst: newestFirst(),
      ...(arrivals.forgetBefore !== undefined && { forgetBefore: arrivals.forgetBefore }),
    };
    const to = former ? { answer: former.id, table: 0 } : { ...about, askedAt: clock.now() };
    const events = { apl: eventQuery(this.#plan, question), includeCursorField: true };
    const asked = await asking(this.#parts, signal, events, () =>
      storeSink(store.follow(to, follow)),
    );
    if (!asked.ok) {
      if (asked.failure.kind === 'tooLarge') arrivals.shrink();
      return asked;
    }
    const { followed } = asked.value;
    this.#answer = asked.value;
    if (former === undefined) answered(asked.value);
    if (followed === undefined) return { ok: true, value: { added: 0, more: false } };
    const more = arrivals.took(followed, clock.now());
    const { added } = followed;
    return { ok: true, value: { added, more, ...(former === undefined && { earlier: true }) } };
  };

  /** Returns the answer to append to; undefined if its rows were removed, so that following starts over. */
  #current(): HeldAnswer | undefined {
    if (this.#answer === undefined) return undefined;
    const held = this.#parts.store.get(this.#answer.id);
    if (held?.state === 'ready') return held;
    this.#answer = undefined;
    this.#arrivals = this.#newArrivals();
    return undefined;
  }

  #newArrivals(): Arrivals {
    const { first, maxRows, overlap } = this.#bounds;
    return new Arrivals(first, maxRows, overlap);
  }
}

/** Runs the query again, and replaces the former answer. */
export function rowsPoll(parts: PollParts): Poll {
  const { store, clock, about, times, answered } = parts;
  return async (signal) => {
    const askedAt = clock.now();
    const asked = await asking(parts, signal, { apl: about.query }, () =>
      storeSink(store.begin({ ...about, ...times(), askedAt }, false)),
    );
    if (!asked.ok) return asked;
    answered(asked.value);
    return { ok: true, value: { added: 0, more: false } };
  };
}

/** Follows events. Switches to `rows` if the service rejects the first request for events. */
export function eventsOrRows(events: EventsPoll, rows: () => Poll): Poll {
  let poll = events.poll;
  let isFirst = true;
  return async (signal) => {
    const outcome = await poll(signal);
    if (isFirst && !outcome.ok && isRefusal(outcome.failure)) {
      isFirst = false;
      poll = rows();
      return poll(signal);
    }
    if (outcome.ok) isFirst = false;
    return outcome;
  };
}

function isRefusal({ kind, status }: Failure): boolean {
  return kind === 'refused' && (status === 400 || status === 422);
}

/** Extends a range by a day into the future, because some senders' clocks are ahead. */
export function openEnded(
  { startTime }: Pick<RangeParameters, 'startTime'>,
  now: number,
): RangeParameters {
  return { startTime, endTime: timestamp(BigInt(now) * 1_000_000n + DAY_NS) ?? 'now' };
}

async function asking(
  { clock, about, times, service, limits, asked }: PollParts,
  signal: AbortSignal,
  query: Pick<Question, 'apl' | 'includeCursorField'>,
  sink: () => ReturnType<typeof storeSink>,
): Promise<Outcome<HeldAnswer>> {
  try {
    const found = await service(signal);
    if (!found.ok) return found;
    const { variables } = about;
    const question = { ...query, ...times(), ...(variables && { variables }) };
    const how = {
      service: found.value,
      datasets: about.datasets,
      askPerson: true,
      ...limits(),
      signal,
    };
    asked({ ...about, askedAt: clock.now() });
    return await ask(question, how, sink());
  } catch (error) {
    return failed(notRunFailure(error, about.deployment));
  }
}
