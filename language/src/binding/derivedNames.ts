/** Derives names for unnamed columns. Names that the public documentation doesn't show follow Kusto's rules. */
import { aggregateNamed } from '../catalog/index.ts';
import type { Expression, NameReference } from '../syntax/tree.ts';

/** Functions whose result column has the name of the first argument: `bin(_time, 1h)` results in `_time`. */
const keepsName: ReadonlySet<string> = new Set([
  ...'bin bin_auto startofday startofmonth startofweek startofyear endofday'.split(' '),
  ...'endofmonth endofweek endofyear tostring toint tolong toreal todouble tobool'.split(' '),
  ...'todatetime totimespan todynamic'.split(' '),
]);

/** Aggregates whose derived column name is documented or used by the service's clients. All other names are guesses. */
const shown: ReadonlySet<string> = new Set(['avg', 'count', 'max', 'min', 'sum']);

export function isShownName(aggregate: string): boolean {
  return shown.has(aggregate);
}

/** Returns the name of a reference. A custom function can apply a rename. */
export type NameOf = (node: NameReference) => string;

const asWritten: NameOf = (node) => node.name;

/** Returns the derived name of an unnamed expression, or undefined if no name can be derived. */
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

/** Returns the name derived from a path. `a.b['c'][0]` becomes `a_b_c_0`, as in Kusto. */
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

/** Makes names unique by appending numbers, like Kusto. Stores one number per name instead of all numbered names. */
export class Names {
  readonly #taken = new Set<string>();
  /** Maps a base name to its next suffix: `count_` to 2 if `count_1` was returned. Created on first use. */
  #next: Map<string, number> | undefined;
  #unnamed = 0;
  readonly #isColumn: (name: string) => boolean;

  /** The method `unnamed` skips names for which `isColumn` returns true. */
  constructor(isColumn: (name: string) => boolean = () => false) {
    this.#isColumn = isColumn;
  }

  /** Reserves `name`. Returns false if it is already taken. */
  take(name: string): boolean {
    if (this.#isNumbered(name)) return false;
    const before = this.#taken.size;
    return this.#taken.add(name).size > before;
  }

  /** Returns `name`, or `name` with the first number that makes it unique. */
  free(name: string): string {
    if (this.take(name)) return name;
    // `x12` may be `x1` with the number 2, or `x` with the number 12. So check the allocated numbers.
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

  unnamed(): string {
    for (;;) {
      const name = `Column${++this.#unnamed}`;
      if (!this.#isColumn(name) && this.take(name)) return name;
    }
  }

  /** Returns whether the number at the end of `name` was already allocated. */
  #isNumbered(name: string): boolean {
    if (this.#next === undefined) return false;
    const at = name.search(/(?<!\d)[1-9]\d*$/);
    return at > 0 && Number(name.slice(at)) < (this.#next.get(name.slice(0, at)) ?? 0);
  }
}
