/** Values of JSON as literals of APL. */
import { quoteText } from '../../../language/src/index.ts';
import { badMember } from './errors.ts';

/** A value that a field of a type is compared with. Throws an ApiError for what has no literal. */
export function literalOf(value: unknown, type: string, where: string): string {
  switch (typeof value) {
    case 'string':
      return type === 'datetime' ? `todatetime(${quoteText(value)})` : quoteText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return numberOf(value);
    default:
      throw badMember(where, 'be text, a number, true or false');
  }
}

/** A number in digits: the grammar has no exponent without a point. */
function numberOf(value: number): string {
  const text = String(value);
  return /e/.test(text) ? `todouble('${text}')` : text;
}
