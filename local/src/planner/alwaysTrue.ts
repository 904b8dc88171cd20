/** Filters that let everything through: the service says so in the answer, in these words. Source: client tests. */
import type { BoundQuery } from '../../../language/src/index.ts';
import type { Plan } from './plan.ts';

const TEXT = 'where clause always evaluates to TRUE, which will include all data';
const CODE = 'apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata';

/** A message for each `where true`, numbered, with the line and column of its condition from 1. */
export function alwaysTrue({ pipelines, tree }: BoundQuery): Plan['messages'] {
  const starts = pipelines.flatMap(({ stages }) =>
    stages.flatMap(({ operator }) =>
      operator.kind === 'where' &&
      operator.predicate.kind === 'literal' &&
      operator.predicate.value === true
        ? [operator.predicate.start]
        : [],
    ),
  );
  return starts.map((start, i) => {
    const lines = tree.text.slice(0, start).split(/\r\n?|\n/);
    const place = `line: ${lines.length}, col: ${lines.at(-1)!.length + 1}`;
    return { code: `${CODE}_${i + 1}`, msg: `${place}: ${TEXT}` };
  });
}
