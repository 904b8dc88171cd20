// Kusto and SQL constructs with an exact APL form: the fixes that the checker offers lead to that form, and constructs
// without one get no fix.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixesFor } from '../../language/src/editing.ts';
import { likeInstead } from '../../language/src/fixes/likePattern.ts';
import { analyze, analyzeQuery, applyEdits, type Problem } from '../../language/src/index.ts';
import { marked, schema, unmarked } from './lints/marked.ts';
import { seeded } from './random.ts';

/** Queries with marked problems, and the queries after the first fix of each error. */
const forms: readonly (readonly [marked: string, fixed: string])[] = [
  [
    `let bad = materialize(logs | where status >= 500);
          ^^^^^^^^^^^ kusto-function
bad | summarize n = count() by Method
                               ^^^^^^ unknown-column`,
    'let bad = logs | where status >= 500;\nbad | summarize n = count() by method',
  ],
  [
    `logs | summarize percentiles(load, 50, 99.9) by method
                 ^^^^^^^^^^^ kusto-function`,
    'logs | summarize percentile_load_50 = percentile(load, 50), percentile_load_99_9 = percentile(load, 99.9) by method',
  ],
  [
    `logs | summarize (a, b) = percentiles(load * 2, 5, 95)
                          ^^^^^^^^^^^ kusto-function`,
    'logs | summarize a = percentile(load * 2, 5), b = percentile(load * 2, 95)',
  ],
  [
    `logs | summarize low = percentiles(load, 5, 95)
                       ^^^^^^^^^^^ kusto-function`,
    'logs | summarize low = percentile(load, 5), percentile_load_95 = percentile(load, 95)',
  ],
  [
    `logs | summarize take_any(message, method), any(status) by ['geo.city']
                 ^^^^^^^^ kusto-function
                                            ^^^ kusto-function`,
    "logs | summarize arg_max(message, method), any_status = max(status) by ['geo.city']",
  ],
  [
    `logs | summarize any(status, method), (m, b) = take_any(message, body) by ['geo.city']
                 ^^^ kusto-function
                                               ^^^^^^^^ kusto-function`,
    "logs | summarize (any_status, any_method) = arg_max(status, method), (m, b) = arg_max(message, body) by ['geo.city']",
  ],
  [
    `logs | summarize m = take_anyif(message, status > 400) by method
                     ^^^^^^^^^^ kusto-function`,
    'logs | summarize m = maxif(message, status > 400) by method',
  ],
  [
    `logs | summarize median(load) by bin_at(created, 1d, datetime(2024-01-01))
                 ^^^^^^ kusto-function
                                 ^^^^^^ kusto-function`,
    'logs | summarize percentile(load, 50) by created = bin(created - datetime(2024-01-01), 1d) + datetime(2024-01-01)',
  ],
  [
    `logs | summarize n = count() by day = bin_at(created, 1d, now())
                                      ^^^^^^ kusto-function`,
    'logs | summarize n = count() by day = bin(created - now(), 1d) + now()',
  ],
  [
    `logs | extend x = mod(status + 1, 5) * 2 | take 5
                  ^^^ kusto-function`,
    'logs | extend x = ((status + 1) % 5) * 2 | take 5',
  ],
  [
    `logs | extend m = minute(_time), d = format_datetime(_time, 'yyyy-MM-dd') | take 5
                  ^^^^^^ kusto-function
                                     ^^^^^^^^^^^^^^^ kusto-function`,
    "logs | extend m = datetime_part('minute', _time), d = substring(tostring(_time), 0, 10) | take 5",
  ],
  [
    `logs | project d = format_datetime(created, 'dd/MM/yy HH:mm') | take 5
                   ^^^^^^^^^^^^^^^ kusto-function`,
    "logs | project d = strcat(substring(tostring(created), 8, 2), '/', substring(tostring(created), 5, 2), '/', substring(tostring(created), 2, 2), ' ', substring(tostring(created), 11, 5)) | take 5",
  ],
  [
    `logs | summarize n = COUNT(*), m = count(1) by method
                     ^^^^^ unknown-function
                                         ^ argument-count`,
    'logs | summarize n = count(), m = count() by method',
  ],
  [
    `logs | where _time > ago(15 minutes) | count
                            ^^^^^^^ expected-comma`,
    'logs | where _time > ago(15m) | count',
  ],
  [
    `logs | where message LIKE '%timed out%' or method not like 'G_T%' | count
                     ^^^^ kusto-scalar-operator
                                                  ^^^^^^^^ kusto-scalar-operator`,
    "logs | where message contains_cs 'timed out' or method !matches regex '(?s)^G.T' | count",
  ],
  [
    `logs | serialize | where status == 1 | render timechart
       ^^^^^^^^^ kusto-operator
                                       ^^^^^^ kusto-operator`,
    'logs | where status == 1',
  ],
  [
    `logs | evaluate bag_unpack(geo) | summarize n = count() by method, city
       ^^^^^^^^ kusto-operator`,
    "logs | summarize n = count() by method, ['geo.city']",
  ],
  [
    `let isBad = (code: long, least: long) { code >= least };
            ^ no-functions
logs | where isBad(status, 400 + 100) and not(isBad(bytes, 1)) | count`,
    'logs | where (status >= (400 + 100)) and not((bytes >= 1)) | count',
  ],
  [
    `let recent = () { logs | where _time > ago(1h) };
             ^ no-functions
recent() | count`,
    'let recent = logs | where _time > ago(1h);\nrecent | count',
  ],
];

/** Constructs without an exact form. Each has one problem and no fix. */
const withoutFix: readonly string[] = [
  'logs | extend n = row_number() | take 5',
  "logs | extend d = format_datetime(_time, 'MMM d') | take 5",
  "logs | extend d = format_datetime(_time, 'yyyy-MM-dd HH:mm:ss.fff') | take 5",
  'logs | extend d = format_datetime(_time, method) | take 5',
  "logs | extend d = format_datetime(message, 'HH:mm') | take 5",
  "logs | summarize any(status, ['geo.city']) by method",
  "logs | where message like '%' | count",
  "logs | where message like 'a\\\\%b' | count",
  'logs | where message like method | count',
  'logs | summarize take_any(body) by method',
  'logs | summarize take_any(strlen(message)) by method',
  'logs | summarize take_any(status + 1) by method',
  'logs | summarize anyif(body, status > 400) by method',
  'logs | serialize n = row_number() | take 5',
  'logs | evaluate bag_unpack(body) | take 5',
  'logs | extend city = 1 | evaluate bag_unpack(geo) | take 5',
  'logs | evaluate autocluster() | take 5',
  'let f = (t: (x: long)) { t | count };\nlogs | count',
  'let f = (x: long = 5) { x };\nlogs | where status == f(1) | count',
  'let f = (x: long) { x };\nlogs | where status == f(f(1)) | count',
  'let f = (x: long) { x };\nlogs | where status == f(1, 2) | count',
];

const isError = ({ severity }: Problem) => severity === 'error';

/** Applies the first fix of the first error that has one, until none has. */
function fixedText(text: string): string {
  const analysis = analyzeQuery(text, schema);
  const fixes = analysis.problems.filter(isError).map((one) => fixesFor(analysis, one, schema)[0]);
  const fix = fixes.find((one) => one !== undefined);
  return fix === undefined ? text : fixedText(applyEdits(text, fix.edits));
}

describe('fixes of Kusto and SQL constructs', () => {
  for (const [written, fixed] of forms) {
    it(`write the APL form: ${written.split('\n')[0]}`, () => {
      const text = unmarked(written);
      const analysis = analyze(text, schema);
      const problems = analysis.problems.filter(isError);
      assert.equal(marked(text, { ...analysis, problems }), written);
      assert.equal(fixedText(text), fixed);
      assert.deepEqual(analyzeQuery(fixed, schema).problems.filter(isError), []);
    });
  }

  for (const text of withoutFix) {
    it(`aren't offered without an exact form: ${text.replace(/\n/g, ' ')}`, () => {
      assert.notDeepEqual(analyzeQuery(text, schema).problems.filter(isError), []);
      assert.equal(fixedText(text), text);
    });
  }

  it('are exact where the APL form means the same', () => {
    const isExact = (text: string) => {
      const analysis = analyzeQuery(text, schema);
      const [fix] = fixesFor(analysis, analysis.problems.find(isError) as Problem, schema);
      assert.ok(fix, text);
      return fix.isExact === true;
    };
    const exactForms = [
      'logs | summarize percentiles(load, 50, 95) by method',
      'logs | summarize count(*)',
      'logs | summarize count() by bin_at(_time, 1d, datetime(2024-01-01))',
      'logs | where status !between (200 .. 299) | count',
      'logs | where message has_all ("a", "b") | count',
      'logs | where _time > ago(15 minutes) | count',
      'logs | where status = 200 | count',
      'logs | extend status-class = 5 | take 5',
      'logs | where status == 200 | render timechart',
      'let f = (x: long) { x > 5 };\nlogs | where f(status) | count',
    ];
    const guesses = [
      'logs | summarize median(load)',
      'logs | summarize any(status)',
      'logs | extend x = mod(status, 5) | take 5',
      "logs | where message like 'a%' | count",
      "logs | extend d = format_datetime(_time, 'yyyy/MM') | take 5",
      'logs | evaluate bag_unpack(geo) | take 5',
      'logs | where (status == 200 | count',
    ];
    for (const text of exactForms) assert.ok(isExact(text), text);
    for (const text of guesses) assert.ok(!isExact(text), text);
  });

  it('write a like pattern as a regular expression that matches the same strings', () => {
    const random = seeded(5);
    const word = (letters: string, length: number) =>
      Array.from({ length }, () => random.pick([...letters])).join('');
    let compared = 0;
    for (let i = 0; i < 2_000; i++) {
      const pattern = word('ab.%_(', 1 + random.below(5));
      const instead = likeInstead('like', pattern);
      if (instead === undefined) continue;
      const [, operator = '', quoted = ''] = /^(.*) '(.*)'$/.exec(instead) ?? [];
      const operand = quoted.replaceAll('\\\\', '\\');
      const text = word('ab.(', random.below(6));
      assert.equal(holds(text, operator, operand), isLike(text, pattern), `${text} ${instead}`);
      compared++;
    }
    assert.ok(compared > 1_500);
  });
});

/** Evaluates an APL condition on a string. */
function holds(text: string, operator: string, operand: string): boolean {
  switch (operator) {
    case '==':
      return text === operand;
    case 'startswith_cs':
      return text.startsWith(operand);
    case 'endswith_cs':
      return text.endsWith(operand);
    case 'contains_cs':
      return text.includes(operand);
    default:
      assert.equal(operator, 'matches regex');
      return new RegExp(operand.replace('(?s)', ''), 's').test(text);
  }
}

/** Evaluates SQL's `like` one character at a time. */
function isLike(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '%')
    return isLike(text, pattern.slice(1)) || (text !== '' && isLike(text.slice(1), pattern));
  if (text === '' || (pattern[0] !== '_' && pattern[0] !== text[0])) return false;
  return isLike(text.slice(1), pattern.slice(1));
}
