/** Translates JSON values to APL literals. */
import { quoteText } from '../../../language/src/index.ts';
import { badMember } from './errors.ts';

/** Returns an APL literal for a value to compare with a field of `type`. Throws an ApiError if there is none. */
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

/** Returns the APL for a number. APL has no literals such as 1e21, so these use `todouble`. */
function numberOf(value: number): string {
  const text = String(value);
  return /e/.test(text) ? `todouble('${text}')` : text;
}
