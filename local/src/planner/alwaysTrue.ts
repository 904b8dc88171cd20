/** Warns about `where true`. The message and its code are from the tests of the service's client. */
import type { BoundQuery } from '../../../language/src/index.ts';
import type { Plan } from './plan.ts';

const TEXT = 'where clause always evaluates to TRUE, which will include all data';
const CODE = 'apl_whereclausealwaysevaluatestoTRUEwhichwillincludealldata';

/** Returns a warning for each condition that is the constant `true`, except in sub-queries and views. */
export function alwaysTrue({ pipelines }: BoundQuery): Plan['messages'] {
  const found = pipelines.flatMap(({ stages }) =>
    stages.filter(
      ({ operator }) =>
        operator.kind === 'where' &&
        operator.predicate.kind === 'literal' &&
        operator.predicate.value === true,
    ),
  );
  return found.map((_, i) => ({ code: `${CODE}_${i + 1}`, msg: TEXT }));
}
