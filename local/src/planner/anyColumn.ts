/**
 * Tests whether any column contains a string, as in `* has "x"` and the terms of `search`. DuckDB tests each distinct
 * string of a compressed column once, but only if nothing is wrapped around the column, so the tests are plain.
 */
import type { Span } from '../../../language/src/index.ts';
import * as print from './sql.ts';
import { type Sql, sql } from './sql.ts';
import { constantTermTest, textTest } from './textOperators.ts';
import { plainText, scalarOf, toText, type Value, value } from './values.ts';

/** Separates columns in the searched string. A term never contains this character. */
const columnSeparator = '\u001e';

/** Returns the test as SQL, which may be null instead of false. Ignores a leading `!` of the operator. */
export function anyColumn(
  operator: string,
  columns: readonly Value[],
  right: Value,
  at: Span,
): Sql {
  const positive = operator === '!~' ? '=~' : operator.replace(/^!/, '');
  const needle = scalarOf(right);
  const test = (text: Sql) => textTest(positive, value(text, 'string'), right, at);
  if (typeof needle !== 'string' || needle === '' || positive === 'matches regex') {
    // Use `toText`, because it converts null to an empty string, which may pass the test.
    return anyOf(columns.map((column) => test(toText(column))));
  }
  if (!positive.startsWith('has') || needle.includes(columnSeparator)) {
    return anyOf(columnsWith(needle, columns).map((column) => test(textOf(column))));
  }
  return termInAny(positive, needle, columns, test);
}

/**
 * Tests each column for the string first, and tests for the term only in the few rows that contain the string. A
 * pattern per column would be slow, because DuckDB takes milliseconds to compile each pattern.
 */
function termInAny(
  operator: string,
  needle: string,
  columns: readonly Value[],
  test: (text: Sql) => Sql,
): Sql {
  const isExact = operator === 'has' || operator === 'has_cs';
  const [integers, others] = isExact ? splitIntegers(columns) : [[], columns];
  const equal = integers.flatMap((column) => equalsInteger(column, needle));
  const texts = columnsWith(needle, others).map(textOf);
  if (texts.length === 0) return anyOf(equal);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return anyOf([...equal, test(only)]);
  const contains = print.join(
    texts.map((text) => containsSql(operator, text, needle)),
    ' OR ',
  );
  const all = sql`concat_ws(${print.text(columnSeparator)}, ${print.join(texts)})`;
  const hasTerm = constantTermTest(operator, all, needle);
  return anyOf([...equal, sql`CASE WHEN ${contains} THEN ${hasTerm} ELSE false END`]);
}

/** Returns a test for the string, in any case unless the operator is case-sensitive. */
function containsSql(operator: string, text: Sql, needle: string): Sql {
  const found = print.text(needle);
  if (operator.endsWith('_cs') || withoutLetters.test(needle))
    return sql`contains(${text}, ${found})`;
  const inAnyCase = sql`contains(lower(${text}), lower(${found}))`;
  const rare = [...rareLetters].find((letter) => needle.toLowerCase().includes(letter));
  if (rare === undefined || text.weight > 1) return inAnyCase;
  const letters = [rare, rare.toUpperCase()].map((letter) => print.text(letter));
  const hasLetter = letters.map((letter) => sql`contains(${text}, ${letter})`);
  return sql`((${print.join(hasLetter, ' OR ')}) AND ${inAnyCase})`;
}

/**
 * Letters that are rare in English and in hexadecimal numbers, rarest first. A search for one rules out most strings
 * before the slower conversion to lowercase. `lower` converts no other characters to these letters.
 */
const rareLetters = 'zqxjvwy';

/** Matches ASCII strings without letters, which have no case. */
const withoutLetters = /^[^A-Za-z\u0080-\uffff]+$/;

function anyOf(tests: readonly Sql[]): Sql {
  // Without `coalesce`, a filter tests a column only in the rows that the columns before it don't match.
  return tests.length === 0 ? sql`false` : sql`(${print.join(tests, ' OR ')})`;
}

/** Returns SQL for a column's text. Nulls may stay null, because null never matches a search string. */
function textOf(column: Value): Sql {
  const isPlain = column.variants === undefined && column.type !== 'bool';
  return isPlain ? plainText(column) : toText(column);
}

/**
 * The lowercase search strings that a value of each type can contain as text. Unlisted types can contain any string.
 */
const textParts: Readonly<Partial<Record<Value['type'], RegExp>>> = {
  bool: /^[aeflrstu]+$/,
  datetime: /^[-+:.\dfintyz]+$/,
  long: /^[-\d]+$/,
  // Includes `NaN`, `Infinity` and exponents.
  real: /^[-+.\deafinty]+$/,
  timespan: /^[-+.:\ddhmnsuµ]+$/,
};

function columnsWith(needle: string, columns: readonly Value[]): readonly Value[] {
  const folded = needle.toLowerCase();
  return columns.filter(
    ({ type, variants }) => variants !== undefined || textParts[type]?.test(folded) !== false,
  );
}

function splitIntegers(columns: readonly Value[]): readonly [readonly Value[], readonly Value[]] {
  const isInteger = ({ type, variants }: Value) => variants === undefined && type === 'long';
  return [columns.filter(isInteger), columns.filter((column) => !isInteger(column))];
}

/** Plans a term test for integers as comparisons. A minus sign is not part of a term. */
function equalsInteger({ sql: column }: Value, needle: string): readonly Sql[] {
  const [, sign, digits] = /^(-?)(0|[1-9]\d{0,18})$/.exec(needle) ?? [];
  if (digits === undefined || needle === '-0') return [];
  const number = BigInt(digits);
  const equal = new Set(sign === '-' ? [-number] : [number, -number]);
  return [...equal].filter(print.isLong).map((found) => sql`${column} = ${print.long(found)}`);
}
