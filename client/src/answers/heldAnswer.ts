/** An answer in the host's store, without its rows. */
import type { AnswerAbout, AnswerArrival } from '../../../table/src/answer.ts';
import type { AnswerViewState } from '../../../table/src/viewState.ts';
import type { AnswerId, Decoded } from './protocol.ts';

/** For a followed query, the counts are those of the last response body. */
export interface HeldAnswer extends Omit<Decoded, 'notKept'> {
  readonly id: AnswerId;
  readonly about: AnswerAbout;
  readonly arrival: AnswerArrival;
  readonly viewState: AnswerViewState;
  /** A pinned answer is neither evicted from memory nor removed from disk to make room. */
  readonly pinned: boolean;
  /**
   * Whether the rows are in memory. For an arriving answer, only its first rows are. Evicted rows and rows lost in a
   * crash can be restored if they are on disk.
   */
  readonly state: 'arriving' | 'ready' | 'evicted' | 'lost';
}

export type StoreEvent =
  /** The first rows of an answer, or more of them, can be read. `added` follows once all rows have arrived. */
  | { readonly type: 'arriving'; readonly answer: HeldAnswer }
  | { readonly type: 'added' | 'changed'; readonly answer: HeldAnswer }
  | { readonly type: 'removed'; readonly id: AnswerId }
  /** Answers were erased from disk. Answers still in memory have already emitted `changed`. */
  | { readonly type: 'erased'; readonly files: readonly string[] | 'all' }
  /** The worker ended. All answers in memory are now `lost` and have already emitted `changed`. */
  | { readonly type: 'crashed'; readonly message: string };
