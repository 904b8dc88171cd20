/** Rewrites SQL's `like` and `ilike` as APL conditions. `%` matches any text and `_` any character. */
import { quoteText } from '../names.ts';

/** Operators by the positions of `%`: at neither end, only at the start, only at the end, and at both ends. */
const sensitive = ['==', 'endswith_cs', 'startswith_cs', 'contains_cs'] as const;
const insensitive = ['=~', 'endswith', 'startswith', 'contains'] as const;
const negated: Readonly<Record<string, string>> = { '==': '!=', '=~': '!~' };

/** Returns the operator and operand that mean the same as an operator such as `!like` and its pattern, if any. */
export function likeInstead(operator: string, pattern: string): string | undefined {
  const ignoresCase = operator.endsWith('ilike');
  const isNegated = operator.startsWith('!');
  const [, start = '', inner = '', end = ''] = /^(%*)(.*?)(%*)$/s.exec(pattern) ?? [];
  // A pattern that matches everything isn't a condition, and the escape character differs between databases.
  if (inner === '' || pattern.includes('\\')) return undefined;
  if (/[%_]/.test(inner)) {
    const flags = ignoresCase ? '(?is)' : '(?s)';
    const body = inner
      .replace(/[.*+?^${}()|[\]]/g, '\\$&')
      .replace(/%+/g, '.*')
      .replace(/_/g, '.');
    const regex = `${flags}${start === '' ? '^' : ''}${body}${end === '' ? '$' : ''}`;
    return `${isNegated ? '!' : ''}matches regex ${quoteText(regex)}`;
  }
  const place = (start === '' ? 0 : 1) + (end === '' ? 0 : 2);
  const plain = (ignoresCase ? insensitive : sensitive)[place] as string;
  return `${isNegated ? (negated[plain] ?? `!${plain}`) : plain} ${quoteText(inner)}`;
}
