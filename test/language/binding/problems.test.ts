/** Binding problems: unknown names, wrong arguments and mismatched types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, columnsOf, schema } from './marked.ts';

test('an unknown column is reported with the closest name', () => {
  const { problems } = check(
    `
logs
| where stauts == 200
        ^^^^^^ unknown-column: Did you mean 'status'?
`,
    schema,
  );
  assert.equal(problems[0]?.suggestion, 'status');
  assert.equal(problems[0]?.severity, 'error');
});

test("Kusto's names of the event time are replaced with _time if no column has the name in another case", () => {
  const fields = [
    { name: '_time', type: 'datetime' },
    { name: 'event_type', type: 'string' },
  ];
  const datasets = [{ name: 'logs', fields }];
  for (const name of ['Timestamp', 'timestamp', 'TimeGenerated', 'EventTime']) {
    const { problems } = check(
      `
logs
| where ${name} > ago(1h)
        ${'^'.repeat(name.length)} unknown-column: Did you mean '_time'?
`,
      { datasets, complete: true },
    );
    assert.equal(problems[0]?.suggestion, '_time');
  }
  const own = [{ name: 'logs', fields: [...fields, { name: 'timestamp', type: 'datetime' }] }];
  check(
    `
logs
| where Timestamp > ago(1h)
        ^^^^^^^^^ unknown-column: Did you mean 'timestamp'?
`,
    { datasets: own, complete: true },
  );
  check(
    `
logs
| summarize n = count()
| where Timestamp > 1
        ^^^^^^^^^ unknown-column: Unknown column 'Timestamp'.
`,
    { datasets, complete: true },
  );
});

test('an unknown column is reported only once, even if a column computed from it is used later', () => {
  check(
    `
logs
| project x = stauts, method
              ^^^^^^ unknown-column
| where x == 1 and method == "GET"
| summarize count() by x
`,
    schema,
  );
});

test("a name isn't reported as unknown if the schema is missing or incomplete", () => {
  check('nowhere | where anything == 1 | project other, geo.city | join elsewhere on id');
  check("['github-push-event'] | where anything.at.all == 1", schema);
  check('logs | where attributes.anything == 1 and tags[0] == "x"', schema);
  check('logs | where code == 200 or code == "ok"', schema);
});

test('an invalid let is reported only once, even if it is used later', () => {
  check(
    `
let recent = () { logs };
             ^ no-functions
recent | where status > 5
`,
    schema,
  );
  check(
    `
let twice = (x:long) { x * 2 };
            ^ no-functions
logs | extend y = twice(status)
`,
    schema,
  );
});

test('a timespan that lacks a unit or is quoted is reported with the correct literal', () => {
  check(
    `
logs | where _time > ago(60)
                         ^^ argument-type: Add a unit, such as 60s.
`,
    schema,
  );
  const { problems } = check(
    `
logs | where _time > ago('1h')
                         ^^^^ argument-type: Use 1h.
`,
    schema,
  );
  assert.equal(problems[0]?.suggestion, '1h');
  const { problems: ofBin } = check(
    `
logs | summarize count() by bin(_time, '15m')
                                       ^^^^^ argument-type: Use 15m.
`,
    schema,
  );
  assert.equal(ofBin[0]?.suggestion, '15m');
});

test('an unknown dataset is reported, including inside a join', () => {
  check(
    `
logs
| join kind=inner (
    uesrs
    ^^^^^ unknown-dataset: Did you mean 'users'?
    | where anything == 1
  ) on $left.status == $right.id
`,
    schema,
  );
  check(
    `
['github-push-evnt'] | take 10
^^^^^^^^^^^^^^^^^^^^ unknown-dataset: Did you mean ['github-push-event']?
`,
    schema,
  );
});

test('the last parts of a dotted name are reported with the only column that ends with them', () => {
  const fields = ['_time', 'attributes.http.method', 'attributes.http.route', 'span.kind', 'kinds'];
  const spans = fields.map((name) => ({ name, type: name === '_time' ? 'datetime' : 'string' }));
  const known = { complete: true, datasets: [{ name: 'spans', fields: spans }] };
  check(
    `
spans
| where Route == "/" and kind == "server" and span == 1
        ^^^^^ unknown-column: Did you mean ['attributes.http.route']?
                         ^^^^ unknown-column: Did you mean ['span.kind']?
                                              ^^^^ unknown-column: Unknown column 'span'.
| summarize count() by http.method
                       ^^^^^^^^^^^ unknown-column: Did you mean ['attributes.http.method']?
`,
    known,
  );
  const twice = [...spans, { name: 'request.route', type: 'string' }];
  check(
    `
spans | where route == "/"
              ^^^^^ unknown-column: Unknown column 'route'.
`,
    { complete: true, datasets: [{ name: 'spans', fields: twice }] },
  );
});

test('a dotted column is reported in an indexed path, and inside parse_json()', () => {
  const { problems } = check(
    `
logs
| where geo["city"] == "Lisbon"
        ^^^^^^^^^^^ dotted-column: use ['geo.city']
| extend a = parse_json(geo).city, b = tostring(todynamic(tostring(geo))["country"])
             ^^^^^^^^^^^^^^^^^^^^ dotted-column: use ['geo.city']
                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dotted-column: use ['geo.country']
| take 5
`,
    schema,
  );
  assert.deepEqual(
    problems.map(({ suggestion }) => suggestion),
    ["['geo.city']", "['geo.city']", "['geo.country']"],
  );
  check('logs | extend a = parse_json(method).city, b = attributes["city"] | take 5', schema);
});

test("a single '=' among the arguments of a function is a comparison", () => {
  check(
    `
logs
| summarize a = countif(ok = true), b = arg_max(_time, latest = status) by x = iff(status = 5, 1, 2)
                           ^ single-equals
                                                                                          ^ single-equals
`,
    schema,
  );
});

test('several names for the result of an aggregate that returns one column are reported', () => {
  check(
    `
logs
| summarize (a, b) = percentiles_array(duration, 5, 95), (c, d) = arg_max(_time, status)
             ^^^^ several-names: percentiles_array() returns one column. Use one name instead of 2.
`,
    schema,
  );
});

test('an unquoted dotted column is reported with its quoted form', () => {
  const { problems } = check(
    `
logs | where geo.city == "Lisbon"
             ^^^^^^^^ dotted-column: use ['geo.city']
`,
    schema,
  );
  assert.equal(problems[0]?.suggestion, "['geo.city']");
  check(
    `
logs | where geo.ctiy == "Lisbon"
             ^^^^^^^^ unknown-column: Did you mean ['geo.city']?
`,
    schema,
  );
  const partial = {
    datasets: [{ name: 'd', complete: false, fields: [{ name: 'geo.city', type: 'string' }] }],
  };
  check(
    `
d | where geo.city == "Lisbon"
          ^^^^^^^^ likely-dotted-column
`,
    partial,
  );
});

test('a column dropped by an earlier stage is reported as dropped, not as unknown', () => {
  check(
    `
logs
| project status
| where method == "GET" and nothing == 1
        ^^^^^^ dropped-column: removed by an earlier project
                            ^^^^^^^ unknown-column
| project-away status
| where status == 1
        ^^^^^^ dropped-column: project-away
`,
    schema,
  );
  const { problems } = check(
    `
logs
| summarize count() by method
| where geo.city == "Mumbai"
        ^^^^^^^^ dropped-column: The column 'geo.city' was removed by an earlier summarize
`,
    schema,
  );
  assert.equal(problems[0]?.suggestion, undefined);
});

test('a column used in the stage that creates it is reported', () => {
  check(
    `
users
| extend a = id + 1, b = a * 2
                         ^ sibling-column
| extend c = a, a = id
| project d = c + b, e = d
                         ^ sibling-column
| where d > 1 and a > 1
                  ^ dropped-column
`,
    schema,
  );
});

test('an unknown function or operator is reported with the closest name', () => {
  check(`
logs
| extend x = strlne(method)
             ^^^^^^ unknown-function: Did you mean 'strlen()'?
| summarize coutn() by x
            ^^^^^ unknown-function: Did you mean 'count()'?
| sumarize count()
  ^^^^^^^^ unknown-operator: Did you mean 'summarize'?
`);
});

test('Kusto operators and functions are reported with their APL replacement', () => {
  check(`
logs
| where status !between (1 .. 2)
               ^^^^^^^^ kusto-scalar-operator: not(x between (a .. b))
| summarize percentiles(duration, 50, 95)
            ^^^^^^^^^^^ kusto-function: percentiles_array()
| render timechart
  ^^^^^^ kusto-operator: Remove it
`);
});

test('a missing argument is reported at the call, and an extra argument at its own position', () => {
  check(`
logs
| extend a = strlen(), b = strlen(method, 1, 2)
             ^^^^^^^^ argument-count: strlen() expects 1 argument, but got 0
                                          ^^^^ argument-count: got 3
| extend c = iff(a > 1, "x")
             ^^^^^^^^^^^^^^^ argument-count: expects 3 arguments, but got 2
| summarize count(a) by b, c
                  ^ argument-count: expects no arguments
`);
});

test('unknown set options and undocumented functions are reported', () => {
  check(`
set stricttype;
    ^^^^^^^^^^ unknown-set-option: Did you mean 'stricttypes'?
set querytrace;
    ^^^^^^^^^^ unknown-set-option: Unknown option 'querytrace' of set.
logs | summarize presence(*), dimensional_analysis(ok, pack_array(a, b))
                 ^^^^^^^^ undocumented-function: The function presence() is undocumented
                              ^^^^^^^^^^^^^^^^^^^^ undocumented-function
`);
});

test('a string is reported as the row count of take and as the operand of a minus sign', () => {
  check(`
logs
| extend d = -'x', e = -1h
              ^^^ signed-value
| project d, e
| take 'ten'
       ^^^^^ number-expected: take expects a number, but got a string
`);
});

test('items of the wrong kind are reported in redact, project-rename and summarize', () => {
  check(`
logs
| redact status on body
         ^^^^^^ redact-pattern: but got the column status
| project-rename a = b, c = strlen(d), e
                        ^^^^^^^^^^^^^ rename-item
                                       ^ rename-item
| summarize x = a > 1, y = 1 + countif(a > 2) by c
                ^ aggregate-advised
                ^^^^^ no-aggregate
`);
});

test('a misspelled column is reported even after an aggregate with an unpredictable output name', () => {
  check(`
logs
| summarize dcount(user), total = count() by method
| where dcount_user > 1 and distinct_user > 2 and totl > 3 and methods != 'x' and p99 > 1
                                                  ^^^^ unknown-column: Did you mean 'total'?
                                                               ^^^^^^^ unknown-column: Did you mean 'method'?
`);
});

test('an unknown option or option value of an operator is reported', () => {
  check(`
logs
| redact replaceTokn='x', replaceHash='yes' 'a'
         ^^^^^^^^^^^ unknown-option: Did you mean 'replaceToken'?
                                      ^^^^^ option-value: must be one of true, false
| parse kind=regx body with 'x' y
             ^^^^ option-value: Did you mean 'regex'?
| parse-kv body as (k) with (pair_delimiter=' ', kv_delimter='=', quote='"')
                                                 ^^^^^^^^^^^ unknown-option: Did you mean 'kv_delimiter'?
| mv-expand kind=set k
                 ^^^ option-value: must be one of array, bag
| union withsource=s kind=outer isfuzzy=true other
| search kind=sensitive k:'x'
              ^^^^^^^^^ option-value
`);
  check(`
externaldata (a:string) ['https://example.com/a.csv'] with (format='cvs', skipFirstRow=true, mapping='x')
                                                                   ^^^^^ option-value: Did you mean 'csv'?
                                                                                             ^^^^^^^ unknown-option
`);
});

test('an argument of a wrong type or value causes a warning if the types are known', () => {
  check(
    `
logs
| extend a = startofday(method), b = startofday(code), c = startofday(attributes.x)
                        ^^^^^^ argument-type: Convert it with todatetime()
| extend d = datetime_part('mouth', _time)
                           ^^^^^^^ argument-value: Did you mean 'month'?
`,
    schema,
  );
});

test('an invalid character is reported, with // suggested if it is a # before a comment', () => {
  check(
    `
logs
| where status >= 500 # only bad ones
                      ^ bad-character: Comments start with //.
| where method == 'a' § 'b'
                      ^ bad-character: Invalid character '§'.
`,
    schema,
  );
});

test('count without parentheses in summarize is reported with count() as the fix', () => {
  for (const known of [undefined, schema]) {
    const { problems } = check(
      `
logs
| summarize count, n = count by method
            ^^^^^ aggregate-expected: Did you mean 'count()'?
                       ^^^^^ aggregate-expected: Did you mean 'count()'?
`,
      known,
    );
    assert.deepEqual(
      problems.map(({ suggestion }) => suggestion),
      ['count()', 'count()'],
    );
  }
});

test('aggregates outside summarize or inside another aggregate are reported', () => {
  check(
    `
logs
| where count() > 1
        ^^^^^ aggregate-outside-summarize
| summarize status, max(avg(duration)), n = count() + 1 by method
            ^^^^^^ aggregate-expected
                        ^^^ nested-aggregate
`,
    schema,
  );
});

test("a condition that isn't a bool is reported", () => {
  check(
    `
logs
| where status
        ^^^^^^ bool-expected
| where ok and method
               ^^^^^^ bool-expected
| where ok and attributes.enabled and code
`,
    schema,
  );
});

test('a comparison with a literal of the wrong type is reported, with a converted literal as the fix', () => {
  const { problems } = check(
    `
logs
| where status == "200" and method == 5
                  ^^^^^ never-equal: Use 200.
                                      ^ never-equal: Use '5'.
| where status in (200, "404") and ok == "yes"
                        ^^^^^ never-equal
                                   ^^^^^^^^^^^ never-equal
| where code == true
                ^^^^ never-equal
| where _time > "2025-01-01"
                ^^^^^^^^^^^^ operand-type: Use datetime(2025-01-01).
`,
    schema,
  );
  assert.deepEqual(
    problems.map(({ suggestion }) => suggestion),
    ['200', "'5'", '404', undefined, undefined, 'datetime(2025-01-01)'],
  );
  assert.ok(problems.every(({ severity }) => severity === 'warning'));
});

test("operand types that an operator doesn't support are reported", () => {
  check(
    `
logs
| extend a = _time + _time, b = method * 2, c = took / 2, d = _time - 1h, e = code + 1
             ^^^^^^^^^^^^^ operand-type
                                ^^^^^^^^^^ operand-type
| where status contains "2" and took < 1
        ^^^^^^^^^^^^^^^^^^^ operand-type
                                ^^^^^^^^ operand-type
`,
    schema,
  );
});

test('a duplicate column name in one stage is reported', () => {
  check(`
logs
| project a = 1, a = 2
                 ^ duplicate-column
| summarize n = count(), n = dcount(a)
                         ^ duplicate-column
`);
});

test('join reports unknown kinds and `and` between its conditions', () => {
  const { problems } = check(
    `
logs
| join users on $left.status == $right.id and $left.method == $right.name
                                          ^^^ join-condition-and
| join kind=iner users on status
            ^^^^ join-kind: Did you mean 'inner'?
| join kind=fullouter users on status
            ^^^^^^^^^ join-kind-unsupported
`,
    schema,
  );
  assert.equal(problems[0]?.suggestion, ',');
});

test('columns in a join condition are resolved in the table of their side', () => {
  check(
    `
logs
| project status, method
| join users on $left.sttus == $right.id, $right.nmae == $left.method
                      ^^^^^ unknown-column: Did you mean 'status'?
                                                 ^^^^ unknown-column: Did you mean 'name'?
`,
    schema,
  );
  check(
    `
logs
| join users on method
                ^^^^^^ unknown-column
| join (logs | project duration) on durtion
                                    ^^^^^^^ unknown-column
`,
    schema,
  );
});

test('a datatable reports an unknown type and a wrong number of values', () => {
  check(`
datatable (a:long, b:strng) [1, "x", 2]
                     ^^^^^ unknown-type: Did you mean 'string'?
                                     ^ datatable-values: (3) is not a multiple
`);
});

test('a row count in sample is reported, because sample expects a ratio', () => {
  check(`
logs
| sample 100
         ^^^ sample-ratio: take 100
| sample 0.1
`);
});

test('property access on a scalar column is reported', () => {
  check(
    `
logs | extend x = method.first
                  ^^^^^^^^^^^^ property-of-scalar
`,
    schema,
  );
});

test('lets and query parameters are resolved in statements after their declaration', () => {
  check(
    `
declare query_parameters (wanted:string = "GET");
let limit_ms = 500;
let slow = logs | where duration > limit_ms;
let both = union slow, users;
slow
| where method == wanted and method in ((users | project name)) and method in~ (slow)
| join both on status
| where limit_mz > 1
        ^^^^^^^^ unknown-column: Did you mean 'limit_ms'?
`,
    schema,
  );
});

test('a let can be an alias of a dataset or of another let', () => {
  check("let t = ['logs']; t | where status == 200", schema);
  check('let t = (logs); let u = t; users | join (u) on name == method', schema);
  check('let t = anything; t | where x == 1');
  check(
    `
let t = ['lgos']; t | count
        ^^^^^^^^ unknown-dataset: Did you mean 'logs'?`,
    schema,
  );
  assert.equal(columnsOf('let t = users; t', schema), 'id:long name:string status:string');
  assert.equal(columnsOf('let n = 1; let m = n; print m'), 'm:long');
});

test('a name declared twice is reported', () => {
  check(`
let t = logs; let t = t | count; t
                  ^ declared-twice: The name 't' is already declared`);
  check(`
declare query_parameters (n:long); let n = n + 1; print n
                                       ^ declared-twice`);
});

test('iff and case report values of different types', () => {
  check(
    `
logs | extend a = case(status > 1, 1, status > 2, 'b', 'c')
                                                  ^^^ branch-type: one is a long and this is a string`,
    schema,
  );
  check(
    `
logs | extend b = iff(status > 1, method, status)
                                          ^^^^^^ branch-type: Convert it with tostring()`,
    schema,
  );
  check(
    "logs | extend a = iff(ok, 1, 2.5), b = iff(ok, 'x', dynamic(null)), c = iff(ok, null, 1s), " +
      'd = case(ok, method, tags), e = iff(ok, code, method)',
    schema,
  );
});

test('a missing default is a warning in case() and an error in iff()', () => {
  check(
    `
logs | extend a = case(status > 1, 'x', status > 2, 'y')
                  ^^^^ missing-default: case() has no default value`,
    schema,
  );
  check(
    `
logs | extend a = case(status > 1, 'x'), b = iff(status > 1, 'x')
                  ^^^^ missing-default: case() has no default value
                                             ^^^^^^^^^^^^^^^^^^^^ argument-count: iff() expects 3 arguments`,
    schema,
  );
  check(
    `
logs | extend a = case(status > 1)
                  ^^^^^^^^^^^^^^^^ argument-count: case() expects at least 3 arguments`,
    schema,
  );
  check("logs | extend a = case(status > 1, 'x', status > 2, 'y', dynamic(null))", schema);
});

test('a datetime modulo a timespan yields a timespan', () => {
  check('logs | extend a = now() % 1h | extend b = a + 1s', schema);
  check('logs | extend a = ago(now() % 1h)', schema);
});

test("an invalid row count is reported with the operator's name as written, limit or take", () => {
  check(`
logs | limit 'a'
             ^^^ number-expected: limit expects a number`);
  check(`
logs | take 'a'
            ^^^ number-expected: take expects a number`);
});
