/**
 * Follows a query: asks at a pace, one question at a time. It pauses and resumes, waits longer after failures,
 * and stops when the result is out of view. What is asked and where the rows go is up to `poll`.
 */
import type { Failure, Outcome } from '../service/failure.ts';
import type { Clock } from './clock.ts';
import { Rate } from './rate.ts';

export interface Polled {
  readonly added: number;
  /** Whether there are more, so that the next question follows at once. */
  readonly more: boolean;
  /** Whether the rows were there before: they do not count as arriving. */
  readonly earlier?: boolean;
}

export interface FollowerParts {
  readonly clock: Clock;
  /** Asks once; does not throw. Aborted when following pauses. */
  readonly poll: (signal: AbortSignal) => Promise<Outcome<Polled>>;
  /** Between the beginnings of two questions, in milliseconds; read before each of them. */
  readonly interval: () => number;
  readonly changed: () => void;
}

export type FollowState =
  | {
      readonly kind: 'following';
      /** The last question failed; the next one is asked at a time, in milliseconds since 1970. */
      readonly failure?: { readonly failure: Failure; readonly retryAt: number };
    }
  | { readonly kind: 'paused' }
  | { readonly kind: 'stopped'; readonly why: 'person' | 'hidden' }
  | { readonly kind: 'stopped'; readonly why: 'failed'; readonly failure: Failure };

/** Following stops when the result was out of view for this long. */
export const HIDDEN_MS = 3 * 60_000;

const LONGEST_BACKOFF_MS = 60_000;
const SHORTEST_BACKOFF_MS = 1_000;
/** A service that takes longer to answer than the interval still gets a rest of this share of its time. */
const REST_SHARE = 0.25;

export class Follower {
  readonly #parts: FollowerParts;
  readonly #rate = new Rate();
  #state: FollowState = { kind: 'following' };
  #events = 0;
  #since = 0;
  #failures = 0;
  #visible = true;
  #cancelTimer: (() => void) | undefined;
  #cancelHiding: (() => void) | undefined;
  #asking: AbortController | undefined;
  /** The question under way, of an earlier state too: the next one waits for it. */
  #under: Promise<void> = Promise.resolve();
  #turn = 0;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#begin();
  }

  get state(): FollowState {
    return this.#state;
  }

  get events(): number {
    return this.#events;
  }

  /** When it began, or was resumed; milliseconds since 1970. */
  get since(): number {
    return this.#since;
  }

  /** Events per second over the last seconds; undefined before it is known. */
  get perSecond(): number | undefined {
    return this.#state.kind === 'following' ? this.#rate.perSecond : undefined;
  }

  pause(): void {
    if (this.#state.kind === 'following') this.#end({ kind: 'paused' });
  }

  /** Goes on where it was: what has arrived meanwhile comes next. */
  resume(): void {
    if (this.#state.kind === 'following') return;
    this.#failures = 0;
    this.#set({ kind: 'following' });
    this.#begin();
    if (!this.#visible) this.#hide();
  }

  stop(why: 'person' | 'hidden' = 'person'): void {
    if (this.#state.kind !== 'stopped') this.#end({ kind: 'stopped', why });
  }

  /** Asks at once instead of waiting, such as after a deployment is there again. */
  retry(): void {
    if (this.#state.kind !== 'following' || this.#asking !== undefined) return;
    this.#next(0);
  }

  setVisible(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#visible = visible;
    if (visible) this.#cancelHiding?.();
    else this.#hide();
  }

  dispose(): void {
    this.#cancelHiding?.();
    this.#halt();
  }

  #hide(): void {
    this.#cancelHiding?.();
    this.#cancelHiding = this.#parts.clock.after(HIDDEN_MS, () => {
      if (this.#state.kind === 'following') this.stop('hidden');
    });
  }

  #begin(): void {
    this.#since = this.#parts.clock.now();
    this.#rate.restart(this.#since);
    this.#next(0);
  }

  #end(state: FollowState): void {
    this.#halt();
    this.#set(state);
  }

  /** Ends the question under way and asks no other. */
  #halt(): void {
    this.#turn += 1;
    this.#cancelTimer?.();
    this.#asking?.abort();
    this.#asking = undefined;
  }

  #set(state: FollowState): void {
    this.#state = state;
    this.#parts.changed();
  }

  #next(delay: number): void {
    this.#cancelTimer?.();
    this.#turn += 1;
    const turn = this.#turn;
    this.#cancelTimer = this.#parts.clock.after(delay, () => {
      this.#under = this.#under
        .then(() => this.#ask(turn))
        // A listener that throws does not end following: the next question is under way by then.
        .catch(() => undefined);
    });
  }

  async #ask(turn: number): Promise<void> {
    // It was paused while the former question came to its end.
    if (turn !== this.#turn) return;
    const { clock, poll, interval } = this.#parts;
    const asking = new AbortController();
    this.#asking = asking;
    const askedAt = clock.now();
    const outcome = await poll(asking.signal);
    if (turn !== this.#turn) {
      // Paused meanwhile: the rows are there all the same.
      if (outcome.ok && !outcome.value.earlier) this.#events += outcome.value.added;
      return;
    }
    this.#asking = undefined;
    const now = clock.now();
    if (!outcome.ok) return this.#failed(outcome.failure, now);
    const { added, more, earlier } = outcome.value;
    this.#failures = 0;
    if (earlier) this.#rate.restart(now);
    else {
      this.#events += added;
      this.#rate.add(now, added);
    }
    const took = now - askedAt;
    this.#next(more ? 0 : Math.max(interval() - took, took * REST_SHARE));
    this.#set({ kind: 'following' });
  }

  #failed(failure: Failure, now: number): void {
    if (isLasting(failure)) return this.#end({ kind: 'stopped', why: 'failed', failure });
    this.#failures += 1;
    const { retryAfterSeconds } = failure;
    const base = Math.max(this.#parts.interval(), SHORTEST_BACKOFF_MS);
    const backoff = Math.min(LONGEST_BACKOFF_MS, base * 2 ** (this.#failures - 1));
    const delay = retryAfterSeconds === undefined ? backoff : retryAfterSeconds * 1_000;
    this.#next(delay);
    this.#set({ kind: 'following', failure: { failure, retryAt: now + delay } });
  }
}

/** Statuses that the same question gets again. */
const lastingStatuses = new Set([400, 401, 403, 404, 405, 410, 413, 422, 501]);

/** Whether asking again is of no use before a person has done something. */
function isLasting({ kind, status = 0 }: Failure): boolean {
  if (kind === 'token' || kind === 'certificate' || kind === 'redirected') return true;
  return kind === 'refused' && lastingStatuses.has(status);
}
