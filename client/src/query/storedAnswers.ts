// The part of the results store that runs and tasks use. Sends an answer's body to the worker in chunks.
import type { SeenColumn } from '../../../server/src/protocol.ts';
import type { AnswerAbout, AnswerHead } from '../../../table/src/answer.ts';
import type { AnswerId } from '../answers/protocol.ts';
import type { ResultsStore } from '../answers/resultsStore.ts';
import { storeSink } from '../answers/storeSink.ts';
import type { AnswerSink } from '../service/answerSink.ts';

/** Called when a query is sent. Returns a callback that receives its answer. */
export type Asked = (about: AnswerAbout) => (head: AnswerHead) => void;

export type Answers = Pick<StoredAnswers, keyof StoredAnswers>;

interface StoredAnswersOptions {
  /** Whether to also store an answer on disk. */
  readonly keep?: (about: AnswerAbout) => boolean;
  readonly asked?: Asked;
}

export class StoredAnswers {
  readonly #store: ResultsStore;
  readonly #options: StoredAnswersOptions;

  constructor(store: ResultsStore, options: StoredAnswersOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  /** Begins an answer. `onFirstRows` is called when its first rows can be read before all have arrived. */
  begin(
    about: AnswerAbout,
    onFirstRows?: () => void,
  ): AnswerSink<AnswerHead> & { readonly id: AnswerId } {
    const { keep, asked } = this.#options;
    const arriving = this.#store.begin(about, keep?.(about) ?? false, onFirstRows);
    const sink = storeSink(arriving);
    const arrived = asked?.(about);
    return {
      ...sink,
      id: arriving.id,
      finish: async (arrival) => {
        const { head } = await sink.finish(arrival);
        arrived?.(head);
        return head;
      },
    };
  }

  drop(id: AnswerId): void {
    void this.#store.drop(id).catch(() => {
      // Ignore the error, because the rows were lost with the worker, so nothing is left to drop.
    });
  }

  /** Returns values in the answer's columns for completion; none if the answer isn't complete or was dropped. */
  async valuesToOffer(id: AnswerId): Promise<readonly SeenColumn[]> {
    if (this.#store.get(id)?.state !== 'ready') return [];
    return this.#store.rows('valuesToOffer', { answer: id });
  }
}
