/** The binary operators, with their precedence and the form of their right operand. */

/** The right operand. `logical`: a condition. `list`: bracketed values or a subquery. `range`: bounds. `null`: none. */
export type OperatorShape = 'operand' | 'logical' | 'list' | 'range' | 'null';

export interface BinaryOperator {
  readonly name: string;
  readonly precedence: number;
  readonly shape: OperatorShape;
  /** The operator's second word, such as `regex` after `matches`, or `in` after `not`. */
  readonly second?: string;
  /** The code of the problem to report for a misspelled operator or one from another language. */
  readonly foreign?: string;
}

/** The operators, including some that APL lacks, such as `has_all`, so that the binder can report those. */
// biome-ignore format: the columns show the precedence at a glance.
const rows: readonly (readonly [precedence: number, shape: OperatorShape, spellings: string])[] = [
  [1, 'logical', 'or'],
  [2, 'logical', 'and'],
  [3, 'operand', '== != <> =~ !~ : contains !contains contains_cs !contains_cs has !has has_cs !has_cs'],
  [3, 'operand', 'startswith !startswith startswith_cs !startswith_cs endswith !endswith endswith_cs !endswith_cs'],
  [3, 'operand', 'hasprefix !hasprefix hasprefix_cs !hasprefix_cs hassuffix !hassuffix hassuffix_cs !hassuffix_cs'],
  [3, 'operand', 'like !like ilike !ilike'],
  [3, 'list',    'in !in in~ !in~ has_any has_any_cs !has_any !has_any_cs has_all !has_all'],
  [3, 'range',   'between !between'],
  [4, 'operand', '< <= > >='],
  [5, 'operand', '+ -'],
  [6, 'operand', '* / %'],
];

export const equalityPrecedence = 3;
export const rangePrecedence = 5;
export const operandPrecedence = 7;

export const binaryOperators: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>(
  [
    ...rows.flatMap(([precedence, shape, spellings]) =>
      spellings.split(' ').map((name) => [name, { name, precedence, shape }] as const),
    ),
    ['matches', { name: 'matches regex', precedence: 3, shape: 'operand', second: 'regex' }],
    ['!matches', { name: '!matches regex', precedence: 3, shape: 'operand', second: 'regex' }],
    ['=', { name: '==', precedence: 3, shape: 'operand', foreign: 'single-equals' }],
    ['&&', { name: 'and', precedence: 2, shape: 'logical', foreign: 'foreign-operator' }],
  ],
);
