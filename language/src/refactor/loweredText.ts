/** Recognizes `tolower` and `toupper` calls, and string constants. */
import type { Expression } from '../syntax/tree.ts';

const caseFunctions: ReadonlyMap<string, (text: string) => string> = new Map([
  ['tolower', (text) => text.toLowerCase()],
  ['toupper', (text) => text.toUpperCase()],
]);

export interface Lowered {
  readonly name: string;
  readonly argument: Expression;
  readonly apply: (text: string) => string;
}

/** Returns a case conversion call's parts, or undefined if the argument would need brackets as an operand. */
export function loweredOperand(node: Expression): Lowered | undefined {
  if (node.kind !== 'Call' || !node.closed) return undefined;
  const apply = caseFunctions.get(node.name.name);
  const [argument, another] = node.arguments;
  if (apply === undefined || argument === undefined || another !== undefined) return undefined;
  const operand =
    argument.kind === 'NameReference' ||
    argument.kind === 'Member' ||
    argument.kind === 'Index' ||
    argument.kind === 'Call' ||
    argument.kind === 'Parenthesized';
  return operand ? { name: node.name.name, argument, apply } : undefined;
}

export function constantText(node: Expression): string | undefined {
  if (node.kind === 'Parenthesized') return constantText(node.expression);
  const isText = node.kind === 'Literal' && typeof node.value === 'string';
  return isText ? (node.value as string) : undefined;
}
