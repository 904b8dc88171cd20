/**
 * Infers an operand's type from the comparison after it, such as a number in `where $0 >= 500` (`$0` is the cursor).
 */
import { scalarOperators } from '../catalog/index.ts';
import type { ParameterType, ScalarOperatorRow } from '../catalog/types.ts';
import type { Place } from './place.ts';
import { isScalarType, returnedBy } from './scalarTypes.ts';

/** Categories of operators that compare operands of the same type. */
const comparing: ReadonlySet<string> = new Set(['comparison', 'equality', 'membership', 'range']);

/** Operators that compare operands of the same type. The longest are first, because `in` is a prefix of `in~`. */
const operators = scalarOperators
  .filter(({ category }) => category === 'string' || comparing.has(category))
  .sort((a, b) => b.name.length - a.name.length);

/** Returns the type that the comparison after the cursor requires of its left operand. */
export function comparedType({ text, tokens, replace, next }: Place): ParameterType | undefined {
  let index = next;
  while ((tokens[index]?.start ?? replace.end) < replace.end) index += 1;
  const start = tokens[index]?.start;
  if (start === undefined) return undefined;
  const operator = operators.find(({ name }) => isWrittenAt(text, start, name));
  if (operator === undefined) return undefined;
  if (operator.category === 'string') return 'string';
  return typeFrom({ text, tokens }, index, start + operator.name.length);
}

function isWrittenAt(text: string, start: number, name: ScalarOperatorRow['name']): boolean {
  const after = text.charAt(start + name.length);
  return text.startsWith(name, start) && !(/\w$/.test(name) && /[\w~]/.test(after));
}

/** Returns the type of the operand after the operator. The first item determines a list's type. */
function typeFrom(
  { text, tokens }: Pick<Place, 'text' | 'tokens'>,
  index: number,
  end: number,
): ParameterType | undefined {
  for (const { kind, start, end: tokenEnd } of tokens.slice(index, index + 6)) {
    const word = text.slice(start, tokenEnd);
    if (start < end || word === '(' || word === '-') continue;
    if (kind === 'long' || kind === 'real') return 'real';
    if (isScalarType(kind)) return kind;
    return kind === 'word' ? typeOfWord(word) : undefined;
  }
  return undefined;
}

/** Returns the type of a boolean, or of a literal or call that starts with the word. */
function typeOfWord(word: string): ParameterType | undefined {
  if (word === 'true' || word === 'false') return 'bool';
  const type = isScalarType(word) ? word : returnedBy(word);
  return type === 'unknown' ? undefined : type;
}
