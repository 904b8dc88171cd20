/** Finds the operators meant by misspelled names. Kusto's operators aren't misspellings, so they are skipped. */
import { closest } from '../../catalog/closest.ts';
import { kustoOperators, kustoScalarOperators } from '../../catalog/kusto.ts';
import { transformNames } from '../../operators/names.ts';
import { binaryOperators } from './precedence.ts';

const wordOperators = [...binaryOperators.keys()].filter((name) => /^[a-z]/.test(name));

export const tabularOperatorMeant = remembering((written) =>
  kustoOperators.has(written) ? undefined : closest(written, transformNames),
);

export const scalarOperatorMeant = remembering((written) =>
  kustoScalarOperators.has(written) ? undefined : closest(written, wordOperators),
);

type Guess = (written: string) => string | undefined;

/** The maximum number of cached results. The cache avoids repeated searches on every keystroke. */
const maxRemembered = 100;

function remembering(guess: Guess): Guess {
  const answers = new Map<string, string | undefined>();
  return (written) => {
    if (answers.has(written)) return answers.get(written);
    if (answers.size === maxRemembered) answers.clear();
    const meant = guess(written);
    answers.set(written, meant);
    return meant;
  };
}
