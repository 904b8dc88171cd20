/** The annotations for a dashboard's charts, requested once per set of datasets until the next refresh. */

import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import { type Annotation, annotationMarks, unreadNote } from '../../charts/host/marksSource.ts';
import { type ChartMarks, noMarks } from '../../charts/marks.ts';
import type { Outcome } from '../../service/failure.ts';
import type { RequestQueue } from '../model/requestQueue.ts';

export interface BoardAnnotationsParts {
  readonly queue: RequestQueue;
  /** Lists annotations of the datasets up to `end`, an RFC 3339 time. */
  list(
    datasets: readonly string[],
    end: string | undefined,
    signal: AbortSignal,
  ): Promise<Outcome<readonly Annotation[]>>;
  onProblem(): void;
}

export class BoardAnnotations {
  readonly #parts: BoardAnnotationsParts;
  /** Annotations by dataset names, written as a JSON array. */
  readonly #listed = new Map<string, Promise<readonly Annotation[]>>();
  problem: string | undefined;

  constructor(parts: BoardAnnotationsParts) {
    this.#parts = parts;
  }

  async of(answer: HeldAnswer): Promise<ChartMarks> {
    const { datasetNames, tables } = answer.head;
    const annotations = await this.#list([...new Set(datasetNames)].sort(), tables[0]?.range?.end);
    return { ...noMarks, ...annotationMarks(annotations, answer) };
  }

  /** Clears the cache, so the next chart requests annotations again. */
  forget(): void {
    this.#listed.clear();
    this.#setProblem(undefined);
  }

  #list(datasets: readonly string[], end: string | undefined): Promise<readonly Annotation[]> {
    if (datasets.length === 0) return Promise.resolve([]);
    const key = JSON.stringify(datasets);
    const known = this.#listed.get(key);
    if (known !== undefined) return known;
    const listed = new Promise<readonly Annotation[]>((resolve) => {
      const lost = () => {
        this.#listed.delete(key);
        resolve([]);
      };
      this.#parts.queue.put({
        key: `annotations ${key}`,
        isFirst: true,
        dropped: lost,
        run: async (signal) => {
          // Settle at once, because after a late answer, `lost` would delete a newer request for the same datasets.
          signal.addEventListener('abort', lost);
          const answer = await this.#parts.list(datasets, end, signal);
          if (signal.aborted) return;
          if (!answer.ok) {
            const note = unreadNote('Annotations', answer.failure);
            this.#setProblem(note ?? 'The token may not read annotations.');
          }
          resolve(answer.ok ? answer.value : []);
        },
      });
    });
    this.#listed.set(key, listed);
    return listed;
  }

  #setProblem(problem: string | undefined): void {
    if (this.problem === problem) return;
    this.problem = problem;
    this.#parts.onProblem();
  }
}
