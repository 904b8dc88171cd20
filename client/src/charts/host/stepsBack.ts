/** Stores the ranges and filters that the user set in charts and cells, to undo them in reverse order. */
import type { WrittenFilter } from '../../query/addFilter.ts';

/** `Range` is the format in which the surface stores a range. */
export type StepBack<Range> =
  | { readonly kind: 'range'; readonly former: Range }
  | {
      readonly kind: 'filter';
      readonly filter: WrittenFilter;
      /** The query's text including the filter. */
      readonly text: string;
    };

interface ShownQuery<Range> {
  /** The text of the query that ran. */
  readonly text: string;
  /** Returns whether a former range can be restored. If absent, every range can be restored. */
  readonly canSet?: (former: Range) => boolean;
}

const maxSteps = 50;

/** Stores the steps by owner, such as a tab or a cell. */
export class StepsBack<Owner, Range> {
  readonly #steps = new Map<Owner, readonly StepBack<Range>[]>();

  /** Returns the steps up to the last undoable one: a range that can be restored, or a filter in this query text. */
  of(owner: Owner, { text, canSet = () => true }: ShownQuery<Range>): readonly StepBack<Range>[] {
    const steps = this.#steps.get(owner) ?? [];
    const last = steps.findLastIndex((step) =>
      step.kind === 'range' ? canSet(step.former) : step.text === text,
    );
    return steps.slice(0, last + 1);
  }

  /** Replaces an owner's steps. Keeps only the latest `maxSteps`. */
  set(owner: Owner, steps: readonly StepBack<Range>[]): void {
    this.#steps.set(owner, steps.slice(-maxSteps));
  }

  forget(owners: Iterable<Owner>): void {
    for (const owner of owners) this.#steps.delete(owner);
  }
}

/** Describes the last step for the Back button. */
export function backState<Range>(steps: readonly StepBack<Range>[]) {
  const last = steps.at(-1);
  return {
    canGoBack: last !== undefined,
    ...(last?.kind === 'filter' && { filter: last.filter.condition }),
  };
}
