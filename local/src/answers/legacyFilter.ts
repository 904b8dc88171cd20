/**
 * The filter in the echo of a query, in the older shape: the conditions of the `where` stages that the query begins
 * with. One that this shape cannot say leaves all of it out, since a part would be another filter.
 */
import { parseQuery, type syntax } from '../../../language/src/index.ts';
import { formatNanos } from '../time.ts';

export interface LegacyFilter {
  readonly op: string;
  readonly field?: string;
  readonly value?: unknown;
  readonly caseSensitive?: boolean;
  readonly children?: readonly LegacyFilter[];
}

/** Characters of a query whose filter is reported: longer ones would hold up other requests. */
const LENGTH_MAX = 20_000;

/** Levels that conditions may nest. */
const DEPTH_MAX = 500;

/** Operators on a field and a constant, with what they become where the constant is on the left. */
const comparisons: Readonly<Record<string, { readonly op: string; readonly flipped?: string }>> = {
  '==': { op: '==', flipped: '==' },
  '!=': { op: '!=', flipped: '!=' },
  '<>': { op: '!=', flipped: '!=' },
  '>': { op: '>', flipped: '<' },
  '>=': { op: '>=', flipped: '<=' },
  '<': { op: '<', flipped: '>' },
  '<=': { op: '<=', flipped: '>=' },
  'matches regex': { op: 'regexp' },
  '!matches regex': { op: 'not-regexp' },
};

const textComparisons: Readonly<Record<string, string>> = {
  contains: 'contains',
  startswith: 'starts-with',
  endswith: 'ends-with',
};

const existence: Readonly<Record<string, string>> = {
  isnotnull: 'exists',
  isnull: 'not-exists',
};

class Inexpressible extends Error {}

/** The filter of a query; undefined where it has none, or one that cannot be translated. */
export function legacyFilter(apl: string): LegacyFilter | undefined {
  if (apl.length > LENGTH_MAX) return undefined;
  try {
    const { statements } = parseQuery(apl);
    const queries = statements.filter((statement) => statement.kind === 'QueryStatement');
    const [query, second] = queries;
    if (query === undefined || second !== undefined) return undefined;
    const { source, stages } = query.pipeline;
    const names = namesOf(statements);
    if (source.kind !== 'DatasetSource' || names.has(source.name.name)) return undefined;
    const first = stages.findIndex(({ operator }) => operator.kind !== 'WhereOperator');
    const predicates = stages
      .slice(0, first < 0 ? undefined : first)
      .flatMap(({ operator }) => (operator.kind === 'WhereOperator' ? [operator.predicate] : []));
    if (predicates.length === 0) return undefined;
    return joined('and', new Reader(names).all(predicates));
  } catch (error) {
    // Nested conditions may take more stack than there is.
    if (error instanceof Inexpressible || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The names that stand for values and not for fields. */
function namesOf(statements: readonly syntax.Statement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap((statement) => {
      if (statement.kind === 'LetStatement') {
        return statement.name.kind === 'Name' ? [statement.name.name] : [];
      }
      return statement.kind === 'DeclareStatement'
        ? statement.parameters.map(({ name }) => name.name)
        : [];
    }),
  );
}

/** Children of the same operator are joined: `a and b and c` is one list. */
function joined(op: 'and' | 'or', filters: readonly LegacyFilter[]): LegacyFilter {
  const children = filters.flatMap((each) => (each.op === op ? (each.children ?? []) : [each]));
  return children.length === 1 ? children[0]! : { op, children };
}

class Reader {
  readonly #values: ReadonlySet<string>;
  #depth = 0;

  constructor(values: ReadonlySet<string>) {
    this.#values = values;
  }

  all(predicates: readonly syntax.Expression[]): LegacyFilter[] {
    return predicates.map((predicate) => this.#filter(predicate));
  }

  #filter(node: syntax.Expression): LegacyFilter {
    // The answer must be written and read as well.
    if (this.#depth >= DEPTH_MAX) throw new Inexpressible();
    this.#depth += 1;
    const filter = this.#read(node);
    this.#depth -= 1;
    return filter;
  }

  #read(node: syntax.Expression): LegacyFilter {
    switch (node.kind) {
      case 'Parenthesized':
        return this.#filter(node.expression);
      case 'Unary':
        if (node.operator === 'not') return this.#not(node.operand);
        break;
      case 'Binary':
        return this.#binary(node);
      case 'Between':
        if (node.operator === 'between') {
          const field = this.#field(node.left);
          const [low, high] = [constant(node.low), constant(node.high)];
          return joined('and', [
            { op: '>=', field, value: low },
            { op: '<=', field, value: high },
          ]);
        }
        break;
      case 'InExpression':
        if (node.operator === 'in') {
          const field = this.#field(node.left);
          const filters = node.items.map((item) => ({ op: '==', field, value: constant(item) }));
          if (filters.length > 0) return joined('or', filters);
        }
        break;
      case 'Call': {
        const [only, second] = node.arguments;
        if (only === undefined || second !== undefined) break;
        if (node.name.name === 'not') return this.#not(only);
        const op = existence[node.name.name];
        if (op !== undefined) return { op, field: this.#field(only) };
        break;
      }
    }
    throw new Inexpressible();
  }

  #not(operand: syntax.Expression): LegacyFilter {
    return { op: 'not', children: [this.#filter(operand)] };
  }

  #binary({ operator, left, right }: syntax.Binary): LegacyFilter {
    if (operator === 'and' || operator === 'or') return joined(operator, this.all([left, right]));
    const [, not, word, cased] = /^(!?)(\w+?)(_cs)?$/.exec(operator) ?? [];
    const text = word === undefined ? undefined : textComparisons[word];
    if (text !== undefined) {
      const op = not === '!' ? `not-${text}` : text;
      const caseSensitive = cased !== undefined;
      return { op, field: this.#field(left), value: constant(right), caseSensitive };
    }
    const comparison = comparisons[operator];
    if (comparison === undefined) throw new Inexpressible();
    const { op, flipped } = comparison;
    if (flipped !== undefined && left.kind === 'Literal') {
      return { op: flipped, field: this.#field(right), value: constant(left) };
    }
    return { op, field: this.#field(left), value: constant(right) };
  }

  #field(node: syntax.Expression): string {
    if (node.kind === 'Parenthesized') return this.#field(node.expression);
    if (node.kind === 'NameReference' && !this.#values.has(node.name)) return node.name;
    if (node.kind === 'Member' && node.name.kind === 'Name') {
      return `${this.#field(node.target)}.${node.name.name}`;
    }
    throw new Inexpressible();
  }
}

/** A constant as JSON; a time in RFC 3339. */
function constant(node: syntax.Expression): string | number | boolean {
  if (node.kind === 'Parenthesized') return constant(node.expression);
  if (node.kind === 'Unary' && node.operator === '-') {
    const value = constant(node.operand);
    if (typeof value === 'number') return -value;
  }
  if (node.kind !== 'Literal') throw new Inexpressible();
  const { type, value } = node;
  if (type === 'datetime' && typeof value === 'bigint') return formatNanos(value);
  if (type === 'long' && Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value === 'string' && type === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'boolean') return value;
  throw new Inexpressible();
}
