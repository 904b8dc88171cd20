/** Expressions: operators by precedence, operands, calls, access. */
import { describe, it } from 'node:test';
import { checkExpression } from './check.ts';

describe('expressions', () => {
  it('arithmetic binds by precedence, to the left, and signs bind tightest', () => {
    checkExpression('-1 + +2 - -3 * 4 / 5 % 6', '(- (+ (- 1) (+ 2)) (% (/ (* (- 3) 4) 5) 6))');
  });

  it('relations bind tighter than equality', () => {
    checkExpression('a < b == c >= d', '(== (< a b) (>= c d))');
  });

  it('and binds tighter than or, not(…) is a call', () => {
    checkExpression(
      'a == 1 and b == 2 or c == 3 and not(d)',
      '(or (and (== a 1) (== b 2)) (and (== c 3) not(d)))',
    );
  });

  it('every kind of comparison is one operator, case rule and negation included', () => {
    checkExpression(
      'a =~ "x", a !~ "x", a <> 1, a !has_cs "y", a hasprefix "p", a !matches regex @"\\d+"',
      '(=~ a "x") (!~ a "x") (<> a 1) (!has_cs a "y") (hasprefix a "p") (!matches regex a "\\\\d+")',
    );
  });

  it('lists: in and its kin take values, a dynamic array without brackets, or a pipeline', () => {
    checkExpression(
      `b in (1, 2), c in~ ('x'), d !in~ (e | project f), g has_any ("x"), h !in (dynamic([1])), i in dynamic([1])`,
      '(in b [1, 2]) (in~ c ["x"]) (!in~ d [{e | (project f)}]) (has_any g ["x"]) (!in h [(dynamic [1])]) (in i [(dynamic [1])])',
    );
  });

  it('in with nothing in the list is read', () => {
    checkExpression('a in ()', '(in a [])');
  });

  it('between takes two ends', () => {
    checkExpression(
      'a between (1 .. 2), b !between (ago(1d) .. now())',
      '(between a 1 2) (!between b ago(timespan:86400000000000) now())',
    );
  });

  it('members, elements and slices stand behind any operand', () => {
    checkExpression(
      `['a'].b["c"][0].d, f(x).y[0], m[1:], m[:2], m[k + 1:l], m[-1], (a + b).c`,
      `(. ([] ([] (. ['a'] b) "c") 0) d) ([] (. f(x) y) 0) ([:] m 1 _) ([:] m _ 2) ([:] m (+ k 1) l) ([] m (- 1)) (. (() (+ a b)) c)`,
    );
  });

  it('the sides of a join are names with a dollar', () => {
    checkExpression(`$left.['x.y'] == $right.z`, `(== (. $left ['x.y']) (. $right z))`);
  });

  it('a quoted name calls a function too', () => {
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

  it('a pipeline in brackets is a sub-query', () => {
    checkExpression('x == (T | project y)', '(== x {T | (project y)})');
  });

  it('a star stands for all fields', () => {
    checkExpression('* has "GET", count(*)', '(has * "GET") count(*)');
  });

  it('operators that only Kusto has are read, to be explained', () => {
    checkExpression(
      'x has_all ("a", "b"), y !has_any ("c")',
      '(has_all x ["a", "b"]) (!has_any y ["c"])',
    );
  });

  it('no word is reserved: keywords are names where a name stands', () => {
    checkExpression('by, on, kind, title, limit, desc', 'by on kind title limit desc');
  });
});
