// Slow forms of a query with their fast forms, and results that are never used.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeQuery } from '../../../language/src/index.ts';
import { checkClean, checkFix, checkMarks, schema } from './marked.ts';

describe('tolower() or toupper()', () => {
  it('is flagged as needless before a case-insensitive operator', () => {
    checkFix(
      `logs | where tolower(message) contains 'error'
             ^^^^^^^^^^^^^^^^ needless-case`,
      `logs | where message contains 'error'`,
    );
    checkFix(
      `logs | where tolower(message) =~ tolower(method)
             ^^^^^^^^^^^^^^^^ needless-case`,
      'logs | where message =~ method',
    );
    checkFix(
      `logs | where toupper(method) in~ ('GET', 'post')
             ^^^^^^^^^^^^^^^ needless-case`,
      `logs | where method in~ ('GET', 'post')`,
    );
  });

  it('is replaced by a case-insensitive operator', () => {
    checkFix(
      `logs | where tolower(method) == 'get'
             ^^^^^^^^^^^^^^^^^^^^^^^^ caseless-operator`,
      `logs | where method =~ 'get'`,
    );
    checkFix(
      `logs | where tolower(message) !startswith_cs 'get'
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ caseless-operator`,
      `logs | where message !startswith 'get'`,
    );
    checkFix(
      `logs | where tolower(method) !in ('get', 'post')
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ caseless-operator`,
      `logs | where method !in~ ('get', 'post')`,
    );
    checkFix(
      `logs | where tolower(method) == // why
             ^^^^^^^^^^^^^^^^^^^^^^^^^ caseless-operator
  'get'`,
      `logs | where method =~ // why
  'get'`,
    );
  });

  it("isn't flagged if no case-insensitive operator could replace it", () => {
    checkClean([
      'logs | extend m = tolower(method)',
      `logs | where strcat(tolower(method), 'x') == 'getx'`,
      `logs | where tolower(method) has_any (message)`,
    ]);
  });
});

describe('a regular expression equivalent to a plain string', () => {
  it('is replaced by a string operator or replace_string()', () => {
    checkFix(
      `logs | where message matches regex "error"
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-regex`,
      `logs | where message contains_cs 'error'`,
    );
    checkFix(
      `logs | where message matches regex "^GET "
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-regex`,
      `logs | where message startswith_cs 'GET '`,
    );
    checkFix(
      String.raw`logs | where message !matches regex @"(?i)\.php$"
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-regex`,
      `logs | where message !endswith '.php'`,
    );
    checkFix(
      `logs | where method matches regex "^GET$"
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-regex`,
      `logs | where method == 'GET'`,
    );
    checkFix(
      `logs | where message matches regex ".*time out.*"
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ needless-regex`,
      `logs | where message contains_cs 'time out'`,
    );
    checkFix(
      `logs | extend a = replace('-', '_', message)
                          ^^^ needless-regex`,
      `logs | extend a = replace_string('-', '_', message)`,
    );
    checkFix(
      String.raw`logs | extend a = replace_regex('\\.', '', message)
                                ^^^^^ needless-regex`,
      `logs | extend a = replace_string('.', '', message)`,
    );
  });

  it("isn't flagged if it needs regex syntax or isn't constant", () => {
    checkClean([
      `logs | where message matches regex "err.r"`,
      `logs | where message matches regex "a|b"`,
      String.raw`logs | where message matches regex @"\berror\b"`,
      `logs | where message matches regex ".*"`,
      `logs | where message matches regex "^"`,
      String.raw`logs | where message matches regex @"a.\$"`,
      `logs | extend a = replace_regex('^a', 'b', message)`,
      `logs | extend a = replace_regex('a', '$0$0', message)`,
      `logs | extend a = replace_regex('a', method, message)`,
      `logs | extend a = extract('a', 0, message)`,
    ]);
  });
});

describe('the contains operator', () => {
  it('is flagged with severity info', () => {
    const [found] = analyzeQuery("logs | where message contains 'error' | count", schema).problems;
    assert.deepEqual([found?.code, found?.severity], ['slow-contains', 'info']);
  });

  it('is replaced by has if its operand is a whole word', () => {
    checkFix(
      `logs | where message contains 'error'
                     ^^^^^^^^ slow-contains`,
      `logs | where message has 'error'`,
    );
    checkFix(
      `logs | where message !contains_cs 'error' and status == 500
                     ^^^^^^^^^^^^ slow-contains`,
      `logs | where message !has_cs 'error' and status == 500`,
    );
    checkClean([
      `logs | where message contains 'time out'`,
      `logs | where message contains 'er'`,
      `logs | where message contains '-error'`,
      `logs | where message contains method`,
      `logs | where message has 'error'`,
    ]);
  });
});

describe('a search in every field', () => {
  it('is flagged', () => {
    checkMarks(`search 'error'
       ^^^^^^^ unscoped-search`);
    checkMarks(`search in (logs) 'error' or 'fail*'
                 ^^^^^^^ unscoped-search`);
    checkMarks(`logs | where * contains 'error'
             ^ unscoped-search`);
    checkMarks(`logs | search not 'error'
                  ^^^^^^^ unscoped-search`);
  });

  it("isn't flagged if any condition names a field", () => {
    checkClean([
      `search message:'error'`,
      `search in (logs) 'error' and status == 500`,
      `search message:'error' and 'x'`,
      `search *`,
      `logs | where message has 'error'`,
      `logs | count`,
    ]);
  });
});

describe('a filter', () => {
  it('is moved ahead of a summarize, distinct or sort that keeps the filtered columns unchanged', () => {
    checkFix(
      `logs | summarize count() by method | where method == 'GET'
                                   ^^^^^^^^^^^^^^^^^^^^^^^ late-filter`,
      `logs | where method == 'GET' | summarize count() by method`,
    );
    checkFix(
      `logs
| summarize n = count() by method, ['geo.city']
| where ['geo.city'] in ('Rome', 'Lima') and isnotempty(method)
^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ late-filter
| top 5 by n`,
      `logs
| where ['geo.city'] in ('Rome', 'Lima') and isnotempty(method)
| summarize n = count() by method, ['geo.city']
| top 5 by n`,
    );
    checkFix(
      `logs | distinct method, status | where status > 400
                               ^^^^^^^^^^^^^^^^^^^^ late-filter`,
      'logs | where status > 400 | distinct method, status',
    );
    checkFix(
      `logs | sort by wait desc | where status > 400 | take 5
                         ^^^^^^^^^^^^^^^^^^^^ late-filter`,
      'logs | where status > 400 | sort by wait desc | take 5',
    );
  });

  it("isn't moved if it reads a computed column", () => {
    checkClean([
      'logs | summarize n = count() by method | where n > 5',
      `logs | summarize n = count() by method | where n > 5 and method == 'GET'`,
      `logs | summarize n = count() by m = method | where m == 'GET'`,
      'logs | summarize count() by bin(_time, 1h) | where _time > ago(1d)',
      'logs | summarize count() by method | where rand() < 0.5',
      'logs | summarize count() | where count_ > 5',
      `logs | where method == 'GET' | summarize count() by method`,
      `logs | top 5 by wait | where method == 'GET'`,
    ]);
  });
});

describe('a sort', () => {
  it('is flagged if a later stage discards its order', () => {
    checkFix(
      `logs | sort by wait desc | summarize count() by method
     ^^^^^^^^^^^^^^^^^^^ needless-sort`,
      'logs | summarize count() by method',
    );
    checkFix(
      `logs
| sort by wait desc
^^^^^^^^^^^^^^^^^^^ needless-sort
| extend a = wait * 2
| top 5 by a`,
      'logs\n| extend a = wait * 2\n| top 5 by a',
    );
    checkMarks(`logs | sort by wait | order by status | take 5
     ^^^^^^^^^^^^^^ needless-sort`);
    checkMarks(`logs | sort by wait | count
     ^^^^^^^^^^^^^^ needless-sort`);
  });

  it("isn't flagged before make_list() or take, or at the end", () => {
    checkClean([
      'logs | sort by _time asc | summarize make_list(status) by method',
      'logs | sort by _time asc | summarize a = make_list(status)[0]',
      'logs | sort by wait desc | take 5 | summarize avg(wait)',
      'logs | summarize count() by method | sort by count_ desc',
    ]);
  });
});

describe('parse_json()', () => {
  it('is flagged if it is called twice on the same column', () => {
    checkMarks(`logs | extend a = parse_json(message).a, b = parse_json(message).b
                  ^^^^^^^^^^^^^^^^^^^ repeated-parse`);
    checkClean([
      'logs | extend a = parse_json(message).a, b = parse_json(method).b',
      'logs | extend j = parse_json(message) | extend a = j.a, b = j.b',
      `logs | extend a = parse_json('{}'), b = parse_json('{}')`,
    ]);
  });

  it("isn't flagged for one call in each of two pipelines, because pipelines don't share columns", () => {
    checkClean([
      `let seen = logs | extend a = tostring(parse_json(message).a) | distinct a;
logs | extend a = tostring(parse_json(message).a) | where a in (seen)`,
      `logs | extend a = tostring(parse_json(message).a)
| join kind=inner (logs | extend a = tostring(parse_json(message).a) | take 5) on a`,
    ]);
    checkMarks(`logs | extend a = tostring(parse_json(message).a)
| join kind=inner (logs | extend a = tostring(parse_json(message).a), b = parse_json(message).b) on a
                                              ^^^^^^^^^^^^^^^^^^^ repeated-parse`);
  });
});

describe('a time filter on a field other than _time', () => {
  it('is flagged', () => {
    checkMarks(`logs | where created > ago(1h)
             ^^^^^^^ foreign-time-field`);
    checkMarks(
      `logs | where timestamp between (ago(2h) .. now())
             ^^^^^^^^^ foreign-time-field`,
      { datasets: [] },
    );
  });

  it("isn't flagged if _time is filtered too, or if the field is computed", () => {
    checkClean([
      'logs | where _time > ago(1h) and created > ago(1h)',
      'logs | where created > ago(1h) | where _time > ago(1d)',
      'logs | where _time > ago(1h)',
      'logs | where _sysTime > ago(1h)',
      'logs | where isnotnull(created)',
      'logs | extend t = _time | where t > ago(1h)',
      'logs | summarize created = max(created) by method | where created < ago(1h)',
    ]);
  });
});

describe('a conversion', () => {
  it('is removed if the column already has the type', () => {
    checkFix(
      `logs | extend a = toint(status) + 1
                  ^^^^^^^^^^^^^ needless-conversion`,
      'logs | extend a = status + 1',
    );
    checkClean([
      'logs | extend a = toint(load)',
      'logs | extend a = tostring(method)',
      'logs | extend a = toint(body.a)',
      `logs | extend a = toint('5')`,
    ]);
  });

  it("isn't flagged for a time from an aggregate such as max(), because the service may return a number", () => {
    checkClean([
      'logs | summarize last = max(_time) by method | extend ago = now() - todatetime(last)',
      'logs | summarize min(_time) by method | project t = todatetime(min__time)',
      'logs | summarize arg_max(_time, status) | project t = todatetime(_time)',
      'logs | summarize first = arg_min(_time, status) | project t = todatetime(first)',
      'logs | summarize took = max(_time) - min(_time) | extend took = totimespan(took)',
    ]);
    checkMarks(`logs | summarize count() by _time = bin(_time, 1h) | extend t = todatetime(_time)
                                                                ^^^^^^^^^^^^^^^^^ needless-conversion`);
    checkMarks(`logs | summarize n = count() by method | extend a = tolong(n)
                                                    ^^^^^^^^^ needless-conversion`);
  });
});

describe('an unused name', () => {
  it('is removed if it is a let', () => {
    checkFix(
      `let a = 5;
    ^ unused-let
logs | take 5`,
      'logs | take 5',
    );
    checkFix(
      `let a = 5;
    ^ unused-let
logs | extend a = status | where a > 4 | take 5`,
      'logs | extend a = status | where a > 4 | take 5',
    );
    checkClean(['let a = 5; logs | take a', 'let a = logs | take 5; a | count']);
  });

  it('is removed if it is a column that a later stage drops', () => {
    checkFix(
      `logs | extend a = status * 2, b = 1 | project b
              ^ unused-column`,
      'logs | extend b = 1 | project b',
    );
    checkFix(
      `logs | extend a = status * 2, b = 1 | parse method with "G" c | project b, c
              ^ unused-column`,
      'logs | extend b = 1 | parse method with "G" c | project b, c',
    );
    checkFix(
      `logs | extend b = 1, a = status * 2 | summarize sum(b)
                     ^ unused-column`,
      'logs | extend b = 1 | summarize sum(b)',
    );
    checkFix(
      `logs
| extend a = status * 2
         ^ unused-column
| where status > 5
| summarize count()`,
      'logs\n| where status > 5\n| summarize count()',
    );
  });

  it("isn't reported if a later stage or the result may use the column", () => {
    checkClean([
      'logs | extend a = status * 2',
      'logs | extend a = status * 2 | project a',
      'logs | extend a = status * 2 | where a > 5 | count',
      'logs | extend a = status * 2 | where a == 4 | project status',
      'logs | extend a = status * 2 | project-away status',
      'logs | extend a = status * 2 | summarize arg_max(status, *)',
      'logs | extend a = status * 2 | project-keep a*',
      'logs | extend a = status * 2 | join kind=inner (logs | take 5) on $left.a == $right.status | project method',
      'logs | extend a = status * 2 | summarize a = sum(a)',
    ]);
  });
});
