/**
 * Polls a followed query, with one request at a time. Waits longer after failures, and stops when the result is out of
 * view. `poll` sends the requests and stores the rows.
 */
import type { Failure, Outcome } from '../service/failure.ts';
import type { Clock } from './clock.ts';
import { Rate } from './rate.ts';

export interface Polled {
  readonly added: number;
  /** Whether more rows are available, so that the next request follows at once. */
  readonly more: boolean;
  /** Whether the rows existed before following started, so that they don't count as new. */
  readonly earlier?: boolean;
}

export interface FollowerParts {
  readonly clock: Clock;
  /** Sends one request. Must not throw. Aborted when following pauses or stops. */
  readonly poll: (signal: AbortSignal) => Promise<Outcome<Polled>>;
  /** The time between the starts of two requests in milliseconds, read before each request. */
  readonly interval: () => number;
  readonly changed: () => void;
}

export type FollowState =
  | {
      readonly kind: 'following';
      /** The last request's failure, and the time of the next request in milliseconds since 1970. */
      readonly failure?: { readonly failure: Failure; readonly retryAt: number };
    }
  | { readonly kind: 'paused' }
  | { readonly kind: 'stopped'; readonly why: 'person' | 'hidden' }
  | { readonly kind: 'stopped'; readonly why: 'failed'; readonly failure: Failure };

/** The time in milliseconds after which following stops if the result stays out of view. */
export const HIDDEN_MS = 3 * 60_000;

const LONGEST_BACKOFF_MS = 60_000;
const SHORTEST_BACKOFF_MS = 1_000;
/** The minimum pause after an answer, as a share of the answer's duration. */
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
  /** The last request, even if it was aborted. The next request waits until it has ended. */
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

  get since(): number {
    return this.#since;
  }

  /** New events per second over the last seconds; undefined if it isn't known yet. */
  get perSecond(): number | undefined {
    return this.#state.kind === 'following' ? this.#rate.perSecond : undefined;
  }

  pause(): void {
    if (this.#state.kind === 'following') this.#end({ kind: 'paused' });
  }

  /** Resumes following, starting with the events that have arrived in the meantime. */
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

  /** Sends the next request without waiting, for example after a deployment becomes reachable again. */
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

  /** Aborts the current request, and prevents the next one. */
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
        // Ignore errors of listeners, because the next request is already scheduled.
        .catch(() => undefined);
    });
  }

  async #ask(turn: number): Promise<void> {
    // Stop here, because following was paused while the former request ended.
    if (turn !== this.#turn) return;
    const { clock, poll, interval } = this.#parts;
    const asking = new AbortController();
    this.#asking = asking;
    const askedAt = clock.now();
    const outcome = await poll(asking.signal);
    if (turn !== this.#turn) {
      // Following was paused during the request, but its rows were added, so count them.
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

/** Statuses with which the service would also reject a repeated request. */
const lastingStatuses = new Set([400, 401, 403, 404, 405, 410, 413, 422, 501]);

/** Returns whether a retry is useless until the user fixes the problem. */
function isLasting({ kind, status = 0 }: Failure): boolean {
  if (kind === 'token' || kind === 'certificate' || kind === 'redirected') return true;
  return kind === 'refused' && lastingStatuses.has(status);
}
