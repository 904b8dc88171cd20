/**
 * How a person came to a result from its charts and cells: the ranges that spans were chosen from, and the
 * filters that were added. Each step can be undone, the last one first.
 */
import type { WrittenFilter } from '../../query/addFilter.ts';

/** `Range` is how a range is written where it was set. */
export type StepBack<Range> =
  | { readonly kind: 'range'; readonly former: Range }
  | {
      readonly kind: 'filter';
      readonly filter: WrittenFilter;
      /** The query that ran with the filter. */
      readonly text: string;
    };

/** The query that steps are undone from. */
interface ShownQuery<Range> {
  /** The query that ran. */
  readonly text: string;
  /** Whether a former range can be set again; all can by default. */
  readonly canSet?: (former: Range) => boolean;
}

const maxSteps = 50;

/** By tab or by cell. */
export class StepsBack<Owner, Range> {
  readonly #steps = new Map<Owner, readonly StepBack<Range>[]>();

  /** The steps that can be undone: without the last ones if filters are of another text, or ranges cannot be set. */
  of(owner: Owner, { text, canSet = () => true }: ShownQuery<Range>): readonly StepBack<Range>[] {
    const steps = this.#steps.get(owner) ?? [];
    const last = steps.findLastIndex((step) =>
      step.kind === 'range' ? canSet(step.former) : step.text === text,
    );
    return steps.slice(0, last + 1);
  }

  /** Replaces the steps of an owner; the oldest of many are forgotten. */
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
