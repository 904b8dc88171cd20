/**
 * The name of a column that the query gives none. The public documentation shows only some of these
 * names, so the whole choice is kept here: what it shows first, Kusto's rule where it is silent.
 */
import { aggregateNamed } from '../catalog/index.ts';
import type { Expression, NameReference } from '../syntax/tree.ts';

/** Functions that give their first argument another form and keep its name, as `bin(_time, 1h)` does. */
const keepsName: ReadonlySet<string> = new Set([
  'bin',
  'bin_auto',
  'startofday',
  'startofmonth',
  'startofweek',
  'startofyear',
  'endofday',
  'endofmonth',
  'endofweek',
  'endofyear',
  'tostring',
  'toint',
  'tolong',
  'toreal',
  'todouble',
  'tobool',
  'todatetime',
  'totimespan',
  'todynamic',
]);

/**
 * Aggregates whose name of a column is shown by the documentation or the service's own clients. After
 * any other unnamed aggregate a later stage may use a name that nobody can foresee.
 */
const shown: ReadonlySet<string> = new Set(['avg', 'count', 'max', 'min', 'sum']);

export function isShownName(aggregate: string): boolean {
  return shown.has(aggregate);
}

/** What a name in an expression is called; rename asks what a derived name becomes when another does. */
export type NameOf = (node: NameReference) => string;

const asWritten: NameOf = (node) => node.name;

/** The name of an unnamed expression, or undefined when nothing in it has one. */
export function derivedName(
  expression: Expression,
  nameOf: NameOf = asWritten,
): string | undefined {
  switch (expression.kind) {
    case 'NameReference':
      return nameOf(expression);
    case 'Parenthesized':
      return derivedName(expression.expression, nameOf);
    case 'Member':
    case 'Index':
      return pathName(expression, nameOf);
    case 'Call':
      return callName(expression.name.name, expression.arguments, nameOf);
    default:
      return undefined;
  }
}

function callName(name: string, args: readonly Expression[], nameOf: NameOf): string | undefined {
  const aggregate = aggregateNamed(name);
  const [first] = args;
  if (aggregate === undefined) {
    return keepsName.has(name) && first !== undefined ? derivedName(first, nameOf) : undefined;
  }
  const naming = aggregate.columnName;
  if (naming !== undefined && 'fixed' in naming) return naming.fixed;
  const field = first === undefined ? '' : (derivedName(first, nameOf) ?? '');
  return `${naming?.prefix ?? name}_${field}`;
}

/** `a.b['c'][0]` is called `a_b_c_0`, as in Kusto. */
function pathName(expression: Expression, nameOf: NameOf): string | undefined {
  const parts: string[] = [];
  let node = expression;
  for (;;) {
    if (node.kind === 'Member') {
      if (node.name.kind === 'Missing') return undefined;
      parts.push(node.name.name);
      node = node.target;
    } else if (node.kind === 'Index') {
      if (node.index.kind !== 'Literal') return undefined;
      parts.push(String(node.index.value));
      node = node.target;
    } else {
      break;
    }
  }
  const root = derivedName(node, nameOf);
  if (root === undefined) return undefined;
  parts.push(root);
  return parts.reverse().join('_');
}

/**
 * Gives out names that are not taken yet: the second `count_` is `count_1`, as in Kusto. Numbered names are
 * known by their highest number, since a set of the hundred thousands that a text may ask for is slow.
 */
export class Names {
  readonly #taken = new Set<string>();
  /** By name, the number above those that have been put behind it; made when the first one is. */
  #next: Map<string, number> | undefined;
  #unnamed = 0;
  readonly #isColumn: (name: string) => boolean;

  /** `isColumn` tells the columns that stay, whose place an expression without a name does not take. */
  constructor(isColumn: (name: string) => boolean = () => false) {
    this.#isColumn = isColumn;
  }

  /** Takes `name`; false when it is taken already. */
  take(name: string): boolean {
    if (this.#isNumbered(name)) return false;
    const before = this.#taken.size;
    return this.#taken.add(name).size > before;
  }

  /** `name`, or `name` with the first number that makes it free. */
  free(name: string): string {
    if (this.take(name)) return name;
    // The number of `x1` with a 2 behind it would read as 12.
    const endsInDigit = /\d$/.test(name);
    this.#next ??= new Map();
    let number = this.#next.get(name) ?? 1;
    let numbered = `${name}${number}`;
    while (this.#taken.has(numbered) || (endsInDigit && this.#isNumbered(numbered)))
      numbered = `${name}${++number}`;
    this.#next.set(name, number + 1);
    if (endsInDigit) this.#taken.add(numbered);
    return numbered;
  }

  /** A name for an expression that has none. */
  unnamed(): string {
    for (;;) {
      const name = `Column${++this.#unnamed}`;
      if (!this.#isColumn(name) && this.take(name)) return name;
    }
  }

  /** Whether `name` is another with a number that was put behind that, or found taken then. */
  #isNumbered(name: string): boolean {
    if (this.#next === undefined) return false;
    const at = name.search(/(?<!\d)[1-9]\d*$/);
    return at > 0 && Number(name.slice(at)) < (this.#next.get(name.slice(0, at)) ?? 0);
  }
}
