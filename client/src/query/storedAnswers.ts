// The results store as runs see it: the body of an answer goes to the worker chunk by chunk.
import type { SeenColumn } from '../../../server/src/protocol.ts';
import type { AnswerAbout, AnswerHead } from '../../../table/src/answer.ts';
import type { AnswerId } from '../results/store/protocol.ts';
import type { ResultsStore } from '../results/store/resultsStore.ts';
import { storeSink } from '../results/store/storeSink.ts';
import type { Answers, PendingAnswer } from './answers.ts';

/** Told of every question as it is sent; gives what is told of its answer. */
export type Asked = (about: AnswerAbout) => (head: AnswerHead) => void;

interface StoredAnswersOptions {
  readonly keep?: (about: AnswerAbout) => boolean;
  readonly asked?: Asked;
}

export class StoredAnswers implements Answers {
  readonly #store: ResultsStore;
  readonly #keep: (about: AnswerAbout) => boolean;
  readonly #asked: Asked;

  /** `keep` says which answers are kept on disk as well. */
  constructor(
    store: ResultsStore,
    { keep = () => false, asked = () => () => undefined }: StoredAnswersOptions = {},
  ) {
    this.#store = store;
    this.#keep = keep;
    this.#asked = asked;
  }

  begin(about: AnswerAbout): PendingAnswer {
    const arriving = this.#store.begin(about, this.#keep(about));
    const { chunk, finish, abort } = storeSink(arriving);
    const arrived = this.#asked(about);
    return {
      id: arriving.id,
      chunk,
      finish: async (arrival) => {
        const { head } = await finish(arrival);
        arrived(head);
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
