/** Binds the `name=value` options of operators to constants, and reports unknown options and invalid values. */
import { type OperatorName, operatorNamed } from '../catalog/index.ts';
import type { OperatorOption } from '../catalog/types.ts';
import { didYouMean } from '../problems.ts';
import type * as syntax from '../syntax/tree.ts';
import { type Binder, hintFor, report, reportMisspelt } from './binder.ts';
import { bindExpression } from './expressions.ts';
import { noRow } from './sources.ts';

/** Options that APL's documentation lacks but the service may support. Most are from Kusto. */
const undocumented: Readonly<Partial<Record<OperatorName, readonly string[]>>> = {
  externaldata: ['skipFirstRow'],
  'parse-kv': ['quote', 'escape', 'greedy', 'regex'],
  union: ['kind', 'isfuzzy'],
};

/**
 * Returns the string and boolean options of an operator by name. An unquoted word is a string if it isn't the name of a
 * `let` statement or parameter.
 */
export function readOptions(
  operator: OperatorName,
  properties: readonly syntax.Property[],
  binder: Binder,
): ReadonlyMap<string, string | boolean> {
  const documented = operatorNamed(operator)?.options ?? [];
  const others = undocumented[operator] ?? [];
  const values = new Map<string, string | boolean>();
  for (const { name: node, value } of properties) {
    const { name } = node;
    const option = documented.find((one) => one.name === name);
    if (option === undefined && !others.includes(name)) {
      const known = [...documented.map((one) => one.name), ...others];
      reportMisspelt(binder, 'unknown-option', node, name, known, { name, operator });
    }
    const constant = constantOf(value, binder);
    if (option !== undefined) checkOption(option, value, constant, binder);
    if (constant !== undefined) values.set(name, constant);
  }
  return values;
}

/** Returns the value of a string or boolean option. Returns undefined for any other value, such as a `let` name. */
function constantOf(value: syntax.Expression, binder: Binder): string | boolean | undefined {
  if (value.kind === 'NameReference' && !binder.values.has(value.name)) return value.name;
  const bound = bindExpression(value, noRow(binder));
  const constant = bound.kind === 'literal' ? bound.value : undefined;
  return typeof constant === 'string' || typeof constant === 'boolean' ? constant : undefined;
}

function checkOption(
  option: OperatorOption,
  value: syntax.Expression,
  constant: string | boolean | undefined,
  binder: Binder,
): void {
  if (option.type === 'bool') {
    if (typeof constant !== 'boolean' && value.kind === 'Literal') {
      const values = { option: option.name, known: 'true, false', hint: '' };
      report(binder, 'option-value', value, values);
    }
    return;
  }
  if (option.values === undefined || typeof constant !== 'string') return;
  const words = option.values.map(({ name }) => name);
  checkWord(option.name, words, constant, value, binder);
}

export function checkWord(
  option: string,
  known: readonly string[],
  word: string,
  span: syntax.Node,
  binder: Binder,
): void {
  if (word === '' || known.includes(word)) return;
  const hint = hintFor(binder, word, known);
  const values = { option, known: known.join(', '), hint: didYouMean(hint) };
  report(binder, 'option-value', span, values, span.kind === 'Name' ? hint : undefined);
}

export function wordsOf(operator: OperatorName, option: string): readonly string[] {
  const row = operatorNamed(operator)?.options?.find(({ name }) => name === option);
  return (row?.values ?? []).map(({ name }) => name);
}

export function textOption(
  values: ReadonlyMap<string, string | boolean>,
  name: string,
): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' ? value : undefined;
}
