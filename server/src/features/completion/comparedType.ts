/** The type that an operand has to have by the comparison that follows it: of `status` in `status >= 500`. */
import type { ParameterType } from '../../../../language/src/index.ts';

const textOperator =
  /^(?:=~|!~|!?in~|!?(?:contains|startswith|endswith|has|hasprefix|hassuffix|has_any|has_all)(?:_cs)?\b(?!~)|matches\b)/;
const operator = /^(?:==|!=|<>|>=|<=|>|<|!?in\b|!?between\b)[ \t]*\(?[ \t]*/;

/** How a constant of each type begins. */
const constants: readonly (readonly [RegExp, ParameterType])[] = [
  [/^-?\d+(?:\.\d+)?(?:d|h|m|s|ms|us|ns|microseconds?|ticks?)\b|^timespan\b/, 'timespan'],
  [/^-?[\d.]/, 'real'],
  [/^[@hH]?["']/, 'string'],
  [/^(?:datetime|date|now|ago|startof\w+|endof\w+)\b/, 'datetime'],
  [/^(?:true|false)\b/, 'bool'],
];

/** Reads the text behind an operand. Undefined where no comparison with a constant follows. */
export function comparedType(text: string): ParameterType | undefined {
  const behind = text.trimStart();
  if (textOperator.test(behind)) return 'string';
  const found = operator.exec(behind)?.[0];
  if (found === undefined) return undefined;
  const value = behind.slice(found.length);
  return constants.find(([begins]) => begins.test(value))?.[1];
}
