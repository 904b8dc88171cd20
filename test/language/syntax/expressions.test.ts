/** Expressions: operators by precedence, operands, calls, access. */
import { describe, it } from 'node:test';
import { checkExpression } from './check.ts';

describe('in expressions', () => {
  it('arithmetic binds by precedence, left to right, and signs bind tightest', () => {
    checkExpression('-1 + +2 - -3 * 4 / 5 % 6', '(- (+ (- 1) (+ 2)) (% (/ (* (- 3) 4) 5) 6))');
  });

  it('relational operators bind tighter than equality', () => {
    checkExpression('a < b == c >= d', '(== (< a b) (>= c d))');
  });

  it('and binds tighter than or, and not(…) is a call', () => {
    checkExpression(
      'a == 1 and b == 2 or c == 3 and not(d)',
      '(or (and (== a 1) (== b 2)) (and (== c 3) not(d)))',
    );
  });

  it('each comparison is one operator, including case variant and negation', () => {
    checkExpression(
      'a =~ "x", a !~ "x", a <> 1, a !has_cs "y", a hasprefix "p", a !matches regex @"\\d+"',
      '(=~ a "x") (!~ a "x") (<> a 1) (!has_cs a "y") (hasprefix a "p") (!matches regex a "\\\\d+")',
    );
  });

  it('in and has_any take values, an unparenthesized dynamic array, or a pipeline', () => {
    checkExpression(
      `b in (1, 2), c in~ ('x'), d !in~ (e | project f), g has_any ("x"), h !in (dynamic([1])), i in dynamic([1])`,
      '(in b [1, 2]) (in~ c ["x"]) (!in~ d [{e | (project f)}]) (has_any g ["x"]) (!in h [(dynamic [1])]) (in i [(dynamic [1])])',
    );
  });

  it('in accepts an empty list', () => {
    checkExpression('a in ()', '(in a [])');
  });

  it('between takes a lower and an upper bound', () => {
    checkExpression(
      'a between (1 .. 2), b !between (ago(1d) .. now())',
      '(between a 1 2) (!between b ago(timespan:86400000000000) now())',
    );
  });

  it('members, elements and slices can be read from any operand', () => {
    checkExpression(
      `['a'].b["c"][0].d, f(x).y[0], m[1:], m[:2], m[k + 1:l], m[-1], (a + b).c`,
      `(. ([] ([] (. ['a'] b) "c") 0) d) ([] (. f(x) y) 0) ([:] m 1 _) ([:] m _ 2) ([:] m (+ k 1) l) ([] m (- 1)) (. (() (+ a b)) c)`,
    );
  });

  it('$left and $right are names', () => {
    checkExpression(`$left.['x.y'] == $right.z`, `(== (. $left ['x.y']) (. $right z))`);
  });

  it('a quoted name can call a function', () => {
    checkExpression(
      `['array_shift_left'](x, 1), ["strlen"]('y')`,
      `['array_shift_left'](x, 1) ['strlen']("y")`,
    );
  });

  it('arguments may be named, starred or pipelines', () => {
    checkExpression(
      `f(n=strlen(x), who=['span id'], *), toscalar(T | count), g()`,
      `f(n=strlen(x), who=['span id'], *) toscalar({T | (count)}) g()`,
    );
  });

  it('a pipeline in parentheses is a subquery', () => {
    checkExpression('x == (T | project y)', '(== x {T | (project y)})');
  });

  it('a star means all fields', () => {
    checkExpression('* has "GET", count(*)', '(has * "GET") count(*)');
  });

  it('operators that only Kusto has are parsed, so that they can be reported', () => {
    checkExpression(
      'x has_all ("a", "b"), y !has_any ("c")',
      '(has_all x ["a", "b"]) (!has_any y ["c"])',
    );
  });

  it('no word is reserved: keywords can be names', () => {
    checkExpression('by, on, kind, title, limit, desc', 'by on kind title limit desc');
  });
});
