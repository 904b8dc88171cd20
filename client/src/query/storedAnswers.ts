// The results store as runs see it: the body of an answer goes to the worker chunk by chunk.
import type { SeenColumn } from '../../../server/src/protocol.ts';
import type { AnswerAbout, AnswerHead } from '../results/store/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import type { ResultsStore } from '../results/store/resultsStore.ts';
import { storeSink } from '../results/store/storeSink.ts';
import type { Answers, PendingAnswer } from './answers.ts';

/** Told of every answer. */
export type Arrived = (about: AnswerAbout, head: AnswerHead) => void;

export interface StoredAnswersOptions {
  readonly keep?: (about: AnswerAbout) => boolean;
  readonly arrived?: Arrived;
}

export class StoredAnswers implements Answers {
  readonly #store: ResultsStore;
  readonly #keep: (about: AnswerAbout) => boolean;
  readonly #arrived: Arrived;

  /** `keep` says which answers are kept on disk as well. */
  constructor(
    store: ResultsStore,
    { keep = () => false, arrived = () => undefined }: StoredAnswersOptions = {},
  ) {
    this.#store = store;
    this.#keep = keep;
    this.#arrived = arrived;
  }

  begin(about: AnswerAbout): PendingAnswer {
    const arriving = this.#store.begin(about, this.#keep(about));
    const { chunk, finish, abort } = storeSink(arriving);
    return {
      id: arriving.id,
      chunk,
      finish: async (arrival) => {
        const { head } = await finish(arrival);
        this.#arrived(about, head);
        return head;
      },
      abort,
    };
  }

  drop(id: AnswerId): void {
    void this.#store.drop(id).catch(() => {
      // Its rows went with the worker.
    });
  }

  async valuesToOffer(id: AnswerId): Promise<readonly SeenColumn[]> {
    if (this.#store.get(id)?.state !== 'ready') return [];
    return this.#store.rows('valuesToOffer', { answer: id });
  }
}
