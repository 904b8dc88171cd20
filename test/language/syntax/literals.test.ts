/** Literals of every type, with their parsed values. */
import { describe, it } from 'node:test';
import { checkExpression } from './check.ts';

describe('literal parsing', () => {
  it('accepts whole numbers, including hexadecimal numbers', () => {
    checkExpression(
      '0, 42, 0x1F, 9223372036854775807, -9223372036854775808',
      '0 42 31 9223372036854775807 (- 9223372036854775808)',
    );
  });

  it('accepts real numbers with exponents and without a leading zero', () => {
    checkExpression('1.5, .5, 1e3, 1.5e-3, 2E+2', '1.5 0.5 1000.0 0.0015 200.0');
  });

  it('converts timespan units exactly', () => {
    checkExpression(
      '1w, 1d, 2h, 3m, 4s, 5ms, 6us, 7µs, 8ns, 9tick, 10min, 1sec, 1.5h, 0.1s',
      'timespan:604800000000000 timespan:86400000000000 timespan:7200000000000 timespan:180000000000 timespan:4000000000 timespan:5000000 timespan:6000 timespan:7000 timespan:8 timespan:900 timespan:600000000000 timespan:1000000000 timespan:5400000000000 timespan:100000000',
    );
  });

  it('accepts units, clock times, days and strings in timespan(…)', () => {
    checkExpression(
      `timespan(15s), time(1.5h), timespan(2), timespan('00:05:00'), timespan(1.02:03:04.5), time(-1h), timespan("2h45m")`,
      'timespan:15000000000 timespan:5400000000000 timespan:172800000000000 timespan:300000000000 timespan:93784500000000 timespan:-3600000000000 timespan:9900000000000',
    );
  });

  it('reads 12-02-2022 and 12/02/2022 as month, day and year', () => {
    checkExpression(
      `datetime('12-02-2022') == datetime(2022-12-02), datetime("1/31/2025 10:15")`,
      '(== datetime:1669939200000000000 datetime:1669939200000000000) datetime:1738318500000000000',
    );
  });

  it('accepts the documented formats in datetime(…), quoted or not', () => {
    checkExpression(
      `datetime(2025-01-15), datetime('2022-09-16'), datetime(2019-11-30 23:59:59.9), datetime(2025-07-29T12:00:00Z), datetime(2025-07-29T12:00:00+02:00), datetime(2025-07-29T12:00), datetime(2025-07-29 12:00)`,
      'datetime:1736899200000000000 datetime:1663286400000000000 datetime:1575158399900000000 datetime:1753790400000000000 datetime:1753783200000000000 datetime:1753790400000000000 datetime:1753790400000000000',
    );
  });

  it('preserves nanoseconds and times before 1970', () => {
    checkExpression(
      'datetime(2025-01-15T00:00:00.123456789Z), datetime(1969-12-31T23:59:59.999999999Z), datetime(0001-01-01)',
      'datetime:1736899200123456789 datetime:-1 datetime:-62135596800000000000',
    );
  });

  it('preserves datetime(…) with a time of day or an unknown format as a string', () => {
    checkExpression(
      `datetime(12:30), datetime('15 Jan 2025')`,
      'datetime:12:30 datetime:15 Jan 2025',
    );
  });

  it('accepts a null of each type', () => {
    checkExpression(
      'null, int(null), long(null), real(null), double(null), bool(null), datetime(null), dynamic(null), time(null), string(null)',
      'null null:int null:long null:real null:double null:bool null:datetime (dynamic null) null:time null:string',
    );
  });

  it('accepts typed constants', () => {
    checkExpression(
      'long(-3), int(11), real(1.5), real(nan), real(-inf), bool(true), boolean(0), double(2), long(0x10)',
      '-3 11 1.5 NaN -Infinity true false 2.0 16',
    );
  });

  it('reads a type name with a non-constant argument as a call', () => {
    checkExpression(
      'int(x), datetime(now()), bool(a == b), string("x")',
      'int(x) datetime(now()) bool((== a b)) string("x")',
    );
  });

  it('decodes plain and verbatim strings', () => {
    checkExpression(
      `"a\\"b\\\\c\\n\\t", 'it\\'s', @'a\\''b', @"c""d", "", ''`,
      `"a\\"b\\\\c\\n\\t" "it's" "a\\\\'b" "c\\"d" "" ""`,
    );
  });

  it('keeps unknown escapes as written', () => {
    checkExpression('"(\\d+)\\s\\w"', '"(\\\\d+)\\\\s\\\\w"');
  });

  it('accepts lenient JSON in dynamic(…)', () => {
    checkExpression(
      `dynamic(6), dynamic("x"), dynamic([1, [2.5, "a"], {'k': 100ms, b: [], "c": {}},])`,
      '(dynamic 6) (dynamic "x") (dynamic [1, [2.5, "a"], {k: timespan:100000000, b: [], c: {}}])',
    );
  });

  it("accepts expressions in dynamic(…), where ['z'] is an array", () => {
    checkExpression(
      `dynamic({'path': strcat('/', ['service.name']), 'x': y}), dynamic([-1, 0.5*pi()]), dynamic(['z'])`,
      `(dynamic {path: strcat("/", ['service.name']), x: y}) (dynamic [(- 1), (* 0.5 pi())]) (dynamic ["z"])`,
    );
  });

  it('accepts typeof(…)', () => {
    checkExpression('typeof(long)', '(typeof long)');
  });
});
