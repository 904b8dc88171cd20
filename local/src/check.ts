/** Holds a value of a request against its schema. */
import { checkStrict, type TSchema } from '../../api/src/index.ts';
import { ApiError } from './errors.ts';

/** Throws an ApiError that lists what is wrong; `whole` names the value in it. */
export function check(schema: TSchema, value: unknown, whole: string): void {
  const problems = checkStrict(schema, value, whole);
  if (problems.length === 0) return;
  throw new ApiError(
    'bad-request',
    { problems: problems.map((problem) => problem.message).join('; ') },
    { problems },
  );
}
