/** An answer as the host's store lists it: everything but the rows. */
import type { AnswerAbout, AnswerArrival } from '../../../table/src/answer.ts';
import type { AnswerViewState } from '../../../table/src/viewState.ts';
import type { AnswerId, Decoded } from './protocol.ts';

/** The counts are those of the last body, if the answer follows a query. */
export interface HeldAnswer extends Omit<Decoded, 'notKept'> {
  readonly id: AnswerId;
  readonly about: AnswerAbout;
  readonly arrival: AnswerArrival;
  readonly viewState: AnswerViewState;
  /** A pinned answer is neither evicted nor, on disk, removed for another. */
  readonly pinned: boolean;
  /**
   * Whether the rows can be read: they cannot after the worker has crashed or the answer has been evicted.
   * An answer that is kept on disk can be restored.
   */
  readonly state: 'ready' | 'evicted' | 'lost';
}

export type StoreEvent =
  | { readonly type: 'added' | 'changed'; readonly answer: HeldAnswer }
  | { readonly type: 'removed'; readonly id: AnswerId }
  /** Answers were erased from the disk. Those in memory have had a `changed` event. */
  | { readonly type: 'erased'; readonly files: readonly string[] | 'all' }
  /** The worker ended; every answer that is held is `lost` now, and has had a `changed` event. */
  | { readonly type: 'crashed'; readonly message: string };
