/** Translates JSON values to APL literals. */
import { quoteText } from '../../../language/src/index.ts';
import { badMember } from './errors.ts';

/** Returns the literal, or a call with one, to compare with a field of `type`. Throws an ApiError if there is none. */
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

/** Returns a number as an APL literal. The grammar has no exponent without a point, so calls `todouble` for one. */
function numberOf(value: number): string {
  const text = String(value);
  return /e/.test(text) ? `todouble('${text}')` : text;
}
