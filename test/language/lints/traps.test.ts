// Traps: queries that run but rarely do what was intended, next to similar queries that are correct.
import { describe, it } from 'node:test';
import { checkClean, checkFix, checkMarks } from './marked.ts';

describe('a case-converted value compared with a string', () => {
  it("is flagged if the string's case can never match, and the fix uses a case-insensitive operator", () => {
    checkFix(
      `logs | where tolower(method) == 'GET'
                                ^^^^^ case-mismatch`,
      `logs | where method =~ 'GET'`,
    );
    checkFix(
      `logs | where toupper(method) in ('GET', 'post')
                                        ^^^^^^ case-mismatch`,
      `logs | where method in~ ('GET', 'post')`,
    );
    checkFix(
      `logs | where 'Error' != tolower(message)
             ^^^^^^^ case-mismatch`,
      `logs | where 'Error' !~ message`,
    );
    checkFix(
      `logs | where (tolower(message)) contains_cs 'Err'
                                            ^^^^^ case-mismatch`,
      `logs | where (message) contains 'Err'`,
    );
  });

  it("isn't flagged if the string has the matching case or isn't constant", () => {
    checkClean([
      `logs | where method == 'GET'`,
      `logs | where tolower(method) == message`,
      `logs | where tolower(method) in (message, 'GET')`,
      `logs | extend m = tolower(method) | where m == 'get'`,
      `logs | where tolower(method) > 'A'`,
      `logs | summarize count() by tolower(method)`,
    ]);
  });
});

describe('a wildcard in a string', () => {
  it('is flagged, with an operator such as hasprefix or contains as the fix', () => {
    checkFix(
      `logs | where message has "err*"
                         ^^^^^^ literal-wildcard`,
      `logs | where message hasprefix 'err'`,
    );
    checkFix(
      `logs | where message contains "*time out*"
                              ^^^^^^^^^^^^ literal-wildcard`,
      `logs | where message contains 'time out'`,
    );
    checkFix(
      `logs | where message !has '%error%'
                          ^^^^^^^^^ literal-wildcard`,
      `logs | where message !contains 'error'`,
    );
    checkFix(
      `logs | where message startswith_cs "GET*"
                                   ^^^^^^ literal-wildcard`,
      `logs | where message startswith_cs 'GET'`,
    );
    checkFix(
      `logs | where message startswith "*err"
                                ^^^^^^ literal-wildcard`,
      `logs | where message contains 'err'`,
    );
    checkFix(
      `logs | where message !endswith_cs "err*"
                                  ^^^^^^ literal-wildcard`,
      `logs | where message !contains_cs 'err'`,
    );
  });

  it("isn't flagged if it is likely literal or if the operator supports it", () => {
    checkClean([
      `logs | where message contains "* *"`,
      `logs | where message contains "100%"`,
      `logs | where message contains "%20"`,
      `logs | where message contains "/*"`,
      `logs | where message contains "SELECT * FROM"`,
      `logs | where method == "*"`,
      `logs | where message matches regex "err.*x"`,
      `search method:"err*"`,
    ]);
  });
});

describe('trim() and its variants', () => {
  it('report a regular expression passed as the character set', () => {
    checkFix(
      String.raw`logs | extend a = trim('\\s+', message)
                       ^^^^^^ trim-cutset`,
      String.raw`logs | extend a = trim_regex('\\s+', message)`,
    );
    checkFix(
      `logs | extend a = trim_end("[0-9]+$", message)
                           ^^^^^^^^^ trim-cutset`,
      `logs | extend a = trim_end_regex("[0-9]+$", message)`,
    );
  });

  it('report a word or a prefix passed as the character set', () => {
    checkFix(
      `logs | extend a = trim_start('https://', message)
                             ^^^^^^^^^^ trim-cutset`,
      `logs | extend a = trim_start_regex('https://', message)`,
    );
    checkFix(
      `logs | extend a = trim_start('www.', message)
                             ^^^^^^ trim-cutset`,
      String.raw`logs | extend a = trim_start_regex('www\\.', message)`,
    );
  });

  it('accept a plain set of characters', () => {
    checkClean([
      `logs | extend a = trim(' ', message)`,
      `logs | extend a = trim('[]', message)`,
      `logs | extend a = trim('()', message)`,
      `logs | extend a = trim('--', message)`,
      `logs | extend a = trim(' \\t\\n', message)`,
      `logs | extend a = trim_end('/?&', message)`,
      `logs | extend a = trim_end('.,;!?', message)`,
      `logs | extend a = trim_end('0123456789', message)`,
      `logs | extend a = trim_regex('[0-9]+', message)`,
      `logs | extend a = trim_start('^', message)`,
    ]);
  });
});

describe('a regular expression', () => {
  it('is reported as unsupported if it has lookaround or backreferences', () => {
    checkMarks(`logs | where message matches regex "(?<=a)b"
                                   ^^^^^^^^^ regex-unsupported`);
    checkMarks(`logs | extend a = extract("(?!x)y", 0, message)
                          ^^^^^^^^ regex-unsupported`);
    checkMarks(String.raw`logs | extend a = replace_regex(@"(a)\1", "b", message)
                                ^^^^^^^^ regex-unsupported`);
    checkMarks(`logs | parse kind=regex message with "a(?=b)" x
                                     ^^^^^^^^ regex-unsupported`);
    checkMarks(`logs | redact "(?=x)" on message
              ^^^^^^^ regex-unsupported`);
  });

  it('is reported if it is malformed', () => {
    checkMarks(`logs | where message matches regex "*error*"
                                   ^^^^^^^^^ regex-broken`);
    checkMarks(`logs | where message matches regex "(error"
                                   ^^^^^^^^ regex-broken`);
    checkMarks(`logs | where message matches regex "error)"
                                   ^^^^^^^^ regex-broken`);
    checkMarks(`logs | where message matches regex "[a-z"
                                   ^^^^^^ regex-broken`);
    checkMarks(String.raw`logs | where message matches regex @"a\"
                                   ^^^^^ regex-broken`);
  });

  it("isn't reported if RE2 supports its syntax", () => {
    checkClean([
      String.raw`logs | where message matches regex @"(?i)^(?P<a>\d+)\s+[^\]\[]{2,3}?(?:x|y)*?$"`,
      String.raw`logs | where message matches regex @"[[:alpha:]]+[]a]\pN\p{Greek}\Q(*\E\x{10FFFF}"`,
      String.raw`logs | where message matches regex @"(?<name>a)|^*|(?s).{}"`,
      String.raw`logs | where message matches regex @"a\\1[\1]"`,
    ]);
  });

  it('is reported if it lacks the capture group that extract() requests', () => {
    checkMarks(String.raw`logs | extend a = extract('user=[0-9]+', 1, message)
                                         ^ missing-group`);
    checkMarks(String.raw`logs | extend a = extract(@'(?:a)\((b)[(]', 2, message)
                                            ^ missing-group`);
    checkMarks(`logs | extend a = extract_all('(a)(b)', dynamic([1, 3]), message)
                                        ^^^^^^^^^^^^^^^ missing-group`);
    checkMarks(`logs | extend a = extract_all('(?P<x>a)', dynamic(['y']), message)
                                          ^^^^^^^^^^^^^^ missing-group`);
    checkClean([
      `logs | extend a = extract('user=[0-9]+', 0, message)`,
      `logs | extend a = extract('(a)(?P<b>b)', 2, message)`,
      `logs | extend a = extract_all('(a)(?<b>b)', dynamic([1, 'b']), message)`,
      `logs | extend a = extract_all('a', message), b = extract(method, 3, message)`,
    ]);
  });

  it('is reported if the replacement string refers to a capture group as \\1, and the fix writes $1', () => {
    checkFix(
      String.raw`logs | extend a = replace_regex('(a+)', @'<\1>', message)
                                        ^^^^^^^ rewrite-reference`,
      String.raw`logs | extend a = replace_regex('(a+)', @'<$1>', message)`,
    );
    checkFix(
      String.raw`logs | extend a = replace('(a)(b)', '\\2-\\1', message)
                                    ^^^^^^^^^ rewrite-reference`,
      String.raw`logs | extend a = replace('(a)(b)', '$2-$1', message)`,
    );
    checkClean([
      `logs | extend a = replace_regex('(a+)', '$1', message)`,
      String.raw`logs | extend a = replace_string('a', '\\1', message)`,
    ]);
  });
});

describe('arguments in Kusto order', () => {
  it('are reported and put in APL order by the fix', () => {
    checkFix(
      `logs | extend a = countof(message, 'x')
                  ^^^^^^^^^^^^^^^^^^^^^ swapped-arguments`,
      `logs | extend a = countof('x', message)`,
    );
    checkFix(
      `logs | extend a = replace_string(message, 'x', 'y')
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ swapped-arguments`,
      `logs | extend a = replace_string('x', 'y', message)`,
    );
    checkFix(
      `logs | extend a = trim(message, ' ')
                  ^^^^^^^^^^^^^^^^^^ swapped-arguments`,
      `logs | extend a = trim(' ', message)`,
    );
  });

  it("aren't flagged if all of them are columns or all are constants", () => {
    checkClean([
      `logs | extend a = countof(message, method)`,
      `logs | extend a = countof('x', 'xx')`,
      `logs | extend a = trim_start(method, message)`,
      `logs | extend a = replace_string(method, 'x', message)`,
    ]);
  });
});

describe('null', () => {
  it('is replaced by isnull() or isnotnull() in a comparison', () => {
    checkFix(
      `logs | where status == null
             ^^^^^^^^^^^^^^ null-comparison`,
      `logs | where isnull(status)`,
    );
    checkFix(
      `logs | where null != body.user
             ^^^^^^^^^^^^^^^^^ null-comparison`,
      `logs | where isnotnull(body.user)`,
    );
    checkMarks(`logs | where (status) == int(null)
             ^^^^^^^^^^^^^^^^^^^^^ null-comparison`);
  });

  it("isn't flagged outside a comparison", () => {
    checkClean([
      `logs | extend a = iff(isnull(status), int(null), 1)`,
      `logs | where message == 'null'`,
      `logs | where coalesce(status, 0) == 0`,
    ]);
  });
});

describe('a number interpreted as nanoseconds', () => {
  it('is reported if it is implausibly small', () => {
    checkMarks(`logs | where toint(duration) > 500
                               ^^^ nanoseconds`);
    checkMarks(`logs | where 1.5 < todouble(now() - _time)
             ^^^ nanoseconds`);
    checkMarks(`logs | where tolong(_time) > 1700000000
                             ^^^^^^^^^^ nanoseconds`);
    checkMarks(`logs | where took >= 250
                     ^^^ nanoseconds`);
    checkMarks(`logs | extend a = totimespan(30)
                             ^^ nanoseconds`);
    checkMarks(`logs | summarize count() by bin(toint(_time), 3600)
                                              ^^^^ nanoseconds`);
  });

  it("isn't reported if it is plausible", () => {
    checkClean([
      `logs | where toint(duration) > 500000000`,
      `logs | where toint(duration) > 0`,
      `logs | where toint(load) > 500`,
      `logs | where tolong(message) > 5`,
      `logs | where tolong(_time) > 1700000000000000000`,
      `logs | where took >= 250000`,
      `logs | where wait >= 250`,
      `logs | where duration > 500ms`,
      `logs | extend a = totimespan(wait * 1000000)`,
      `logs | extend a = totimespan(30000000)`,
    ]);
  });
});

describe('a Unix timestamp', () => {
  it('is reported if its size suggests another unit, with the matching function as the fix', () => {
    checkFix(
      `print a = unixtime_seconds_todatetime(1700000000000)
                                      ^^^^^^^^^^^^^ unix-time-unit`,
      `print a = unixtime_milliseconds_todatetime(1700000000000)`,
    );
    checkFix(
      `print a = todatetime(1700000000)
                     ^^^^^^^^^^ unix-time-unit`,
      `print a = unixtime_seconds_todatetime(1700000000)`,
    );
    checkClean([
      `print a = todatetime(1700000000000000000)`,
      `print a = unixtime_milliseconds_todatetime(1700000000000)`,
      `print a = unixtime_seconds_todatetime(0)`,
      `logs | extend a = unixtime_seconds_todatetime(status)`,
      `print a = todatetime('2025-01-31')`,
    ]);
  });
});

describe('a timespan string', () => {
  it('is reported if it contains days or colons, with a timespan literal as the fix', () => {
    checkFix(
      `print a = totimespan('2d')
                     ^^^^ timespan-text`,
      'print a = 2d',
    );
    checkFix(
      `print a = totimespan('1.02:30:00')
                     ^^^^^^^^^^^^ timespan-text`,
      'print a = 1590m',
    );
    checkClean([`print a = totimespan('2h45m')`, `print a = totimespan('100ms')`]);
  });
});

describe('a numeric bin width', () => {
  it('is reported for a time column, with a width in seconds as the fix', () => {
    checkFix(
      `logs | summarize count() by bin(_time, 60)
                                       ^^ bin-width`,
      'logs | summarize count() by bin(_time, 60s)',
    );
    checkMarks(
      `logs | summarize count() by bin(_time, 60)
                                       ^^ bin-width`,
      { datasets: [] },
    );
    checkClean([
      'logs | summarize count() by bin(_time, 60s)',
      'logs | summarize count() by bin(status, 100)',
      'logs | summarize count() by bin(load, 0.5)',
    ]);
  });
});

describe('an impossible condition', () => {
  it('is reported for between with the upper bound first', () => {
    checkFix(
      `logs | where status between (500 .. 400)
                             ^^^^^^^^^^ empty-range`,
      'logs | where status between (400 .. 500)',
    );
    checkFix(
      `logs | where _time between (now() .. ago(1h))
                            ^^^^^^^^^^^^^^^^ empty-range`,
      'logs | where _time between (ago(1h) .. now())',
    );
    checkMarks(`logs | where _time between (datetime(2025-02-01) .. datetime(2025-01-01))
                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ empty-range`);
    checkClean([
      'logs | where status between (400 .. 400)',
      'logs | where load between (-2 .. -1)',
      'logs | where _time between (ago(2h) .. ago(1h))',
      'logs | where _time between (ago(2h) .. 1h)',
      'logs | where _time between (datetime(2025-01-01) .. 14d)',
      'logs | where duration between (1s .. 1m)',
    ]);
  });

  it('is reported for a date part outside its range', () => {
    checkMarks(`logs | where dayofweek(_time) == 7
                                 ^ out-of-range`);
    checkMarks(`logs | where hourofday(_time) >= 24 or getmonth(_time) in (0, 1)
                                 ^^ out-of-range
                                                           ^ out-of-range`);
    checkMarks(`logs | where dayofmonth(_time) != 32
                                  ^^ out-of-range`);
    checkClean([
      'logs | where dayofweek(_time) == 6',
      'logs | where dayofweek(_time) in (0, 6)',
      'logs | where hourofday(_time) >= 22 or hourofday(_time) < 6',
      'logs | where getmonth(_time) == 12',
    ]);
  });

  it('is reported for ago() with a negative timespan', () => {
    checkFix(
      `logs | where _time > ago(-1h)
                         ^^^ future-ago`,
      'logs | where _time > ago(1h)',
    );
    checkClean(['logs | where _time > ago(1h)', 'logs | where _time > now(-1h)']);
  });
});

describe('a percentile', () => {
  it('is reported if it is a fraction such as 0.95 instead of a percentage', () => {
    checkFix(
      `logs | summarize percentile(wait, 0.95)
                                  ^^^^ percent-as-fraction`,
      'logs | summarize percentile(wait, 95)',
    );
    checkMarks(`logs | summarize percentiles_array(wait, 50, 0.999)
                                             ^^^^^ percent-as-fraction`);
    checkClean([
      'logs | summarize percentile(wait, 99.9)',
      'logs | summarize percentile(wait, 0)',
      'logs | summarize percentiles_array(wait, 1, 50)',
    ]);
  });
});

describe('a ratio of counts', () => {
  it('is reported as integer division, with todouble() as the fix', () => {
    checkFix(
      `logs | summarize a = countif(status > 499) / count()
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ whole-division`,
      'logs | summarize a = todouble(countif(status > 499)) / count()',
    );
    checkFix(
      `logs | summarize bad = countif(status > 499), all = count() by method | extend share = bad / all
                                                                                       ^^^^^^^^^ whole-division`,
      'logs | summarize bad = countif(status > 499), all = count() by method | extend share = todouble(bad) / all',
    );
    checkClean([
      'logs | summarize a = 100.0 * countif(status > 499) / count()',
      'logs | extend kilobytes = bytes / 1024',
      'logs | extend a = bytes / status',
      'logs | summarize a = sum(load) / count()',
    ]);
  });
});

describe('a limit', () => {
  it('is reported after a summarize by a time bin followed by another column', () => {
    checkMarks(`logs | summarize count() by bin_auto(_time), method | limit 10
                                                      ^^^^^^^^ limit-after-time-bin`);
    checkClean([
      'logs | summarize count() by method, bin_auto(_time) | limit 10',
      'logs | summarize count() by bin_auto(_time) | limit 10',
      'logs | summarize count() by method | limit 10',
    ]);
  });

  it('is reported if it precedes a filter or a sort', () => {
    checkMarks(`logs | take 100 | where status == 500
                  ^^^^^ early-limit`);
    checkMarks(`logs | limit 10 | sort by wait desc
                  ^^^^ early-limit`);
    checkClean([
      'logs | where status == 500 | take 100',
      'logs | sort by wait desc | take 10 | sort by _time asc',
      'logs | top 10 by wait | where status == 500',
      'logs | summarize count() by method | limit 10 | where count_ > 5',
      'logs | take 50 | summarize make_list(status)',
    ]);
  });
});

describe('a query without a filter or a limit', () => {
  it('is reported, with take 100 as the fix', () => {
    checkFix(
      `logs
^^^^ unbounded-query`,
      'logs | take 100',
    );
    checkFix(
      `logs
^^^^ unbounded-query
| sort by wait desc`,
      'logs\n| sort by wait desc\n| take 100',
    );
    checkClean([
      'logs | take 5',
      'logs | where status == 500',
      'logs | project status',
      'logs | count',
      'logs | sort by wait desc | take 5',
      'let a = logs; a | count',
      'print 1',
    ]);
  });
});

describe('a time compared with a timespan', () => {
  it('is fixed by passing the timespan to ago()', () => {
    checkFix(
      `logs | where _time > 90m
                     ^^^ operand-type`,
      'logs | where _time > ago(90m)',
    );
  });

  it('is fixed without a schema if the compared column is _time', () => {
    checkFix(
      `logs | where _time >= 1h
                      ^^ operand-type`,
      'logs | where _time >= ago(1h)',
      { datasets: [] },
    );
    checkClean(['logs | where _time >= ago(1h)', 'logs | where took >= 1h'], { datasets: [] });
  });
});

describe('an impossible number', () => {
  it('is reported for percentiles outside 0 to 100', () => {
    checkMarks(
      `logs | summarize percentile(wait, 150), percentileif(wait, 100.5, status > 1)
                                  ^^^ impossible-number
                                                           ^^^^^ impossible-number`,
    );
    checkMarks(
      `logs | summarize percentiles_array(wait, 50, 101, -3)
                                             ^^^ impossible-number
                                                  ^^ impossible-number`,
    );
    checkClean(['logs | summarize percentile(wait, 0), percentiles_array(wait, 99.9, 100)']);
  });

  it('is reported for row counts and sample ratios', () => {
    for (const [stage, number] of [
      ['take', '-1'],
      ['limit', '5.5'],
      ['sample', '0'],
      ['sample', '-0.5'],
    ] as const) {
      const line = `logs | ${stage} ${number}`;
      const start = line.length - number.length;
      checkMarks(`${line}\n${' '.repeat(start)}${'^'.repeat(number.length)} impossible-number`);
    }
    checkMarks(
      `logs | top 0.5 by wait
           ^^^ impossible-number`,
    );
    checkClean(['logs | take 0', 'logs | top 5 by wait', 'logs | sample 0.5']);
  });

  it('is reported for a time step without a unit', () => {
    checkFix(
      `logs | make-series count() on _time step 5
                                         ^ bin-width`,
      'logs | make-series count() on _time step 5s',
    );
    checkClean(['logs | make-series count() on status step 5']);
  });
});

describe('a comparison in extend', () => {
  it('is reported if it has == instead of =', () => {
    checkFix(
      `logs | extend method == 'x', y = 1
              ^^^^^^^^^^^^^ comparison-as-column`,
      `logs | extend method = 'x', y = 1`,
    );
  });

  it("isn't reported if it has a name or parentheses", () => {
    checkClean([
      `logs | extend isGet = method == 'GET'`,
      `logs | extend (method == 'GET')`,
      `logs | extend 1 == 2`,
    ]);
  });
});
