/** Expressions: operators by precedence, operands, calls, access. */
import { describe, it } from 'node:test';
import { checkExpression } from './check.ts';

describe('expression parsing', () => {
  it('assigns signs the highest precedence and groups arithmetic from left to right', () => {
    checkExpression('-1 + +2 - -3 * 4 / 5 % 6', '(- (+ (- 1) (+ 2)) (% (/ (* (- 3) 4) 5) 6))');
  });

  it('assigns relational operators a higher precedence than equality operators', () => {
    checkExpression('a < b == c >= d', '(== (< a b) (>= c d))');
  });

  it('gives `and` higher precedence than `or`, and reads not(…) as a call', () => {
    checkExpression(
      'a == 1 and b == 2 or c == 3 and not(d)',
      '(or (and (== a 1) (== b 2)) (and (== c 3) not(d)))',
    );
  });

  it('reads negated and case-insensitive comparisons as single operators', () => {
    checkExpression(
      'a =~ "x", a !~ "x", a <> 1, a !has_cs "y", a hasprefix "p", a !matches regex @"\\d+"',
      '(=~ a "x") (!~ a "x") (<> a 1) (!has_cs a "y") (hasprefix a "p") (!matches regex a "\\\\d+")',
    );
  });

  it('accepts values, an unparenthesized dynamic array or a pipeline after `in` and has_any', () => {
    checkExpression(
      `b in (1, 2), c in~ ('x'), d !in~ (e | project f), g has_any ("x"), h !in (dynamic([1])), i in dynamic([1])`,
      '(in b [1, 2]) (in~ c ["x"]) (!in~ d [{e | (project f)}]) (has_any g ["x"]) (!in h [(dynamic [1])]) (in i [(dynamic [1])])',
    );
  });

  it('accepts an empty list after `in`', () => {
    checkExpression('a in ()', '(in a [])');
  });

  it('accepts a lower and an upper bound after between', () => {
    checkExpression(
      'a between (1 .. 2), b !between (ago(1d) .. now())',
      '(between a 1 2) (!between b ago(timespan:86400000000000) now())',
    );
  });

  it('accepts properties, indexes and slices of any operand', () => {
    checkExpression(
      `['a'].b["c"][0].d, f(x).y[0], m[1:], m[:2], m[k + 1:l], m[-1], (a + b).c`,
      `(. ([] ([] (. ['a'] b) "c") 0) d) ([] (. f(x) y) 0) ([:] m 1 _) ([:] m _ 2) ([:] m (+ k 1) l) ([] m (- 1)) (. (() (+ a b)) c)`,
    );
  });

  it('reads $left and $right as names', () => {
    checkExpression(`$left.['x.y'] == $right.z`, `(== (. $left ['x.y']) (. $right z))`);
  });

  it('accepts a quoted name as the function of a call', () => {
    checkExpression(
      `['array_shift_left'](x, 1), ["strlen"]('y')`,
      `['array_shift_left'](x, 1) ['strlen']("y")`,
    );
  });

  it('accepts named arguments, stars and pipelines in calls', () => {
    checkExpression(
      `f(n=strlen(x), who=['span id'], *), toscalar(T | count), g()`,
      `f(n=strlen(x), who=['span id'], *) toscalar({T | (count)}) g()`,
    );
  });

  it('reads a pipeline in parentheses as a subquery', () => {
    checkExpression('x == (T | project y)', '(== x {T | (project y)})');
  });

  it('accepts a star in place of a column or an argument', () => {
    checkExpression('* has "GET", count(*)', '(has * "GET") count(*)');
  });

  it('accepts Kusto-only operators, so that they can be reported', () => {
    checkExpression(
      'x has_all ("a", "b"), y !has_any ("c")',
      '(has_all x ["a", "b"]) (!has_any y ["c"])',
    );
  });

  it('accepts keywords as column names', () => {
    checkExpression('by, on, kind, title, limit, desc', 'by on kind title limit desc');
  });
});
