// Shares one dataset between several concurrent runs. It is created once, and deleted only after all runs, because
// while one run has stored nothing, another may be about to.
import type { CreateResult, Sink } from '../contract.ts';

export class SharedDataset {
  #creating: Promise<CreateResult> | undefined;
  #deleteIfEmpty: (() => Promise<void>) | undefined;

  /** Returns a sink for one of the runs. */
  share(sink: Sink): Sink {
    const { create, deleteIfEmpty } = sink;
    return {
      send: (batch, signal) => sink.send(batch, signal),
      ...(create && {
        create: (signal) => {
          this.#creating ??= create.call(sink, signal);
          return this.#creating;
        },
      }),
      ...(deleteIfEmpty && {
        deleteIfEmpty: async () => {
          this.#deleteIfEmpty = () => deleteIfEmpty.call(sink);
        },
      }),
    };
  }

  /** Deletes the dataset if a run created it and it is empty. Called after the last run. */
  async end(): Promise<void> {
    await this.#deleteIfEmpty?.();
  }
}
