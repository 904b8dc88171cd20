/**
 * Operators with a wrong letter, read as the one that is meant, so that a slip in a name leaves the rest of
 * its stage and the columns behind it whole. The words of Kusto are not: they mean something else.
 */
import { closest } from '../../catalog/closest.ts';
import { kustoOperators, kustoScalarOperators } from '../../catalog/kusto.ts';
import { operators } from './operators.ts';
import { binaryOperators } from './precedence.ts';

const wordOperators = [...binaryOperators.keys()].filter((name) => /^[a-z]/.test(name));

/** The tabular operator that `written` is a misspelling of. */
export const tabularOperatorMeant = remembering((written) =>
  kustoOperators.has(written) ? undefined : closest(written, operators.keys()),
);

/** The scalar operator that `written` is a misspelling of. */
export const scalarOperatorMeant = remembering((written) =>
  kustoScalarOperators.has(written) ? undefined : closest(written, wordOperators),
);

type Guess = (written: string) => string | undefined;

/** How many answers are kept: a wrong word stands in the text on every keystroke until it is mended. */
const mostRemembered = 100;

/** The same guess, which is made once for a word. */
function remembering(guess: Guess): Guess {
  const answers = new Map<string, string | undefined>();
  return (written) => {
    if (answers.has(written)) return answers.get(written);
    if (answers.size === mostRemembered) answers.clear();
    const meant = guess(written);
    answers.set(written, meant);
    return meant;
  };
}
