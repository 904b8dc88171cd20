/** Lints for arguments in Kusto's order. The order is recognizable, because usually only the pattern is a constant. */
import type { BoundExpression } from '../binding/bound.ts';
import { replace } from '../edits.ts';
import { type Call, isText, type Linter, report, written } from './linter.ts';

/** For each function, the indexes of the constant argument and the data argument, and their names in messages. */
const orders: ReadonlyMap<string, readonly [number, number, string, string]> = new Map([
  ['countof', [0, 1, 'search string', 'string to search']],
  ['countof_regex', [0, 1, 'pattern', 'string']],
  ['extract', [0, 2, 'pattern', 'string']],
  ['replace', [0, 2, 'pattern', 'string']],
  ['replace_regex', [0, 2, 'pattern', 'string']],
  ['replace_string', [0, 2, 'search string', 'string to change']],
  ['trim', [0, 1, 'characters', 'string']],
  ['trim_end', [0, 1, 'characters', 'string']],
  ['trim_end_regex', [0, 1, 'pattern', 'string']],
  ['trim_regex', [0, 1, 'pattern', 'string']],
  ['trim_start', [0, 1, 'characters', 'string']],
  ['trim_start_regex', [0, 1, 'pattern', 'string']],
]);

export function lintOrder(linter: Linter, call: Call): void {
  const order = orders.get(call.name);
  if (order === undefined) return;
  const [constantAt, dataAt, first, second] = order;
  const constant = call.arguments[constantAt];
  const data = call.arguments[dataAt];
  if (constant === undefined || data === undefined || !isData(constant)) return;
  // Kusto's `replace_regex(source, pattern, new)` has two constants after the data, so check both.
  const others = call.arguments.filter((argument) => argument !== constant);
  if (!isText(data) || !others.every(isText)) return;
  const values = { name: `${call.name}()`, first, second };
  const moved = dataAt === 2 && call.name !== 'extract' ? [...others, constant] : undefined;
  const texts = (moved ?? swappedTwo(call, constantAt, dataAt)).map((one) => written(linter, one));
  const edits = call.arguments.map((argument, i) => replace(argument, texts[i] ?? ''));
  report(linter, 'swapped-arguments', call, values, { title: 'Reorder arguments', edits });
}

/** Returns whether an expression reads a column, and is therefore unlikely to be a search pattern. */
function isData(expression: BoundExpression): boolean {
  if (expression.kind === 'column') return true;
  return expression.kind === 'member' && isData(expression.target);
}

function swappedTwo({ arguments: args }: Call, a: number, b: number): readonly BoundExpression[] {
  return args.map((argument, i) => (i === a ? args[b] : i === b ? args[a] : argument) ?? argument);
}
