/**
 * Operators with a wrong letter, read as the one that is meant, so that a slip in a name leaves the rest of
 * its stage and the columns behind it whole. The words of Kusto are not: they mean something else.
 */
import { kustoOperators, kustoScalarOperators } from '../../binding/kustoHints.ts';
import { closest } from '../../catalog/closest.ts';
import { operators } from './operators.ts';
import { binaryOperators } from './precedence.ts';

/** The tabular operator that `written` is a misspelling of. */
export function tabularOperatorMeant(written: string): string | undefined {
  return kustoOperators.has(written) ? undefined : closest(written, operators.keys());
}

const wordOperators = [...binaryOperators.keys()].filter((name) => /^[a-z]/.test(name));

/** The scalar operator that `written` is a misspelling of. */
export function scalarOperatorMeant(written: string): string | undefined {
  return kustoScalarOperators.has(written) ? undefined : closest(written, wordOperators);
}
