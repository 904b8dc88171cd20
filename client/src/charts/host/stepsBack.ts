/**
 * How a person came to a result from its charts and cells: the ranges that spans were chosen from, and the
 * filters that were added. Each step can be undone, the last one first.
 */
import type { WrittenFilter } from '../../results/addFilter.ts';

/** `Range` is how a range is written where it was set. */
export type StepBack<Range> =
  | { readonly kind: 'range'; readonly former: Range }
  | {
      readonly kind: 'filter';
      readonly filter: WrittenFilter;
      /** What was run with the filter. */
      readonly text: string;
    };

const maxSteps = 50;

export function withStep<Range>(
  steps: readonly StepBack<Range>[],
  step: StepBack<Range>,
): readonly StepBack<Range>[] {
  return [...steps, step].slice(-maxSteps);
}

/** The steps that can be undone from a query: without the last ones if their filters are of another text. */
export function stepsFrom<Range>(
  steps: readonly StepBack<Range>[] | undefined,
  text: string,
): readonly StepBack<Range>[] {
  const last = steps?.findLastIndex((step) => step.kind === 'range' || step.text === text) ?? -1;
  return steps?.slice(0, last + 1) ?? [];
}

/** What is said of the last step. */
export function backState<Range>(steps: readonly StepBack<Range>[]) {
  const last = steps.at(-1);
  return {
    canGoBack: last !== undefined,
    ...(last?.kind === 'filter' && { filter: last.filter.condition }),
  };
}
