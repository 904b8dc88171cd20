/** Translates JSON values to APL literals. */
import { quoteText } from '../../../language/src/index.ts';
import { badMember } from './errors.ts';

/** Translates a value to an APL literal. Throws an ApiError if APL has no literal for the value. */
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

/** Translates a number. APL has no literals such as 1e21, so uses `todouble` for them. */
function numberOf(value: number): string {
  const text = String(value);
  return /e/.test(text) ? `todouble('${text}')` : text;
}
