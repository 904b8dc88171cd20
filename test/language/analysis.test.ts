/**
 * Analysis of documents: their queries, problems with document offsets, and the names and tables behind messages.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kustoFunctions, kustoOperators } from '../../language/src/catalog/kusto.ts';
import {
  aggregates,
  analyze,
  analyzeQuery,
  functionNamed,
  functions,
  operatorNamed,
  operators,
  type Problem,
  parseQuery,
  problemRows,
  quoteName,
  scalarOperators,
} from '../../language/src/index.ts';
import { check, schema } from './binding/marked.ts';

const document = `// the first
users
| where stauts == 'x'

logs | take 5

let n = 5;
logs
| where status == n | whree ok
`;

test('problems and queries of a document report their offsets within the entire document', () => {
  const { problems, queries } = analyze(document, schema);
  assert.deepEqual(
    problems.map(({ start, end, code }) => [document.slice(start, end), code]),
    [
      ['stauts', 'unknown-column'],
      ['whree', 'unknown-operator'],
    ],
  );
  assert.equal(queries.length, 3);
  for (const query of queries) {
    assert.equal(document.slice(query.start, query.end), query.text);
    assert.equal(query.bound.tree.text, query.text);
  }
  assert.deepEqual(
    queries.map(({ bound }) => bound.pipelines.length),
    [1, 1, 1],
  );
});

test('an empty document has no problems and no queries', () => {
  assert.deepEqual(analyze('', schema), { problems: [], queries: [] });
  assert.deepEqual(analyze('\n// only a comment\n', schema).problems, []);
});

const isUnknown = ({ code }: Problem) => code === 'unknown-column';

test('the analysis of a query does not depend on its position in the document', () => {
  const alone = analyzeQuery('users | where stauts == 1', schema).problems.find(isUnknown);
  const later = analyze('logs\n\nusers | where stauts == 1', schema).problems.find(isUnknown);
  assert.ok(alone !== undefined && later !== undefined);
  assert.deepEqual({ ...alone, start: alone.start + 6, end: alone.end + 6 }, later);
});

test('the binder adds no problem at an offset that already has a syntax error', () => {
  const { problems } = analyzeQuery('logs | where status == | summarize count( by ok', schema);
  const spans = problems.map(({ start, end }) => `${start}-${end}`);
  assert.equal(new Set(spans).size, spans.length);
  assert.ok(problems.every(({ severity }) => severity === 'error'));
});

test('problems are sorted by offset', () => {
  const { problems } = analyzeQuery(
    'logs | extend a = nope(b) + nop(c) | where ) | wher x',
    schema,
  );
  const starts = problems.map(({ start }) => start);
  assert.deepEqual(
    starts,
    [...starts].sort((a, b) => a - b),
  );
  assert.ok(starts.length >= 4);
});

test('every message ends as a sentence and has all its placeholders filled', () => {
  for (const [code, row] of Object.entries(problemRows)) {
    assert.match(code, /^[a-z]+(-[a-z]+)*$/);
    assert.match(row.message, /[.}]$/, code);
  }
  const { problems } = check(
    `
logs
| where foo(status) > 1 and geo.city == 'x' and _time.x == 1
        ^^^ unknown-function
                            ^^^^^^^^ dotted-column
                                                ^^^^^^^ property-of-scalar
`,
    schema,
  );
  for (const { message } of problems) assert.doesNotMatch(message, /[{}]|undefined/);
});

test("a Kusto name doesn't exist in APL, but its suggested replacement does", () => {
  for (const [name, instead] of [...kustoFunctions, ...kustoOperators]) {
    for (const [, mentioned] of instead.matchAll(/\b([a-z]\w*)\((?!2025)/g)) {
      assert.ok(functionNamed(mentioned as string), `${name}: no function ${mentioned}`);
    }
  }
  for (const name of kustoFunctions.keys()) assert.equal(functionNamed(name), undefined, name);
  for (const [name, instead] of kustoOperators) {
    assert.equal(operatorNamed(name), undefined, name);
    const [, mentioned] = /^Use ([a-z-]+)[ ,.]/.exec(instead) ?? [];
    const known = mentioned === undefined || ['a', 'one', 'the'].includes(mentioned);
    assert.ok(known || operatorNamed(mentioned), `${name}: no operator ${mentioned}`);
  }
});

// ── Names ─────────────────────────────────────────────────────────────────────────────────────────

/** Returns a deterministic generator of numbers in [0, 1): a linear congruential generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Queries with `@` wherever a name is allowed. */
const places = [
  '@ | count',
  'd | where @ == 1 and @ has "x" and not(@) or -@ > 1',
  'd | where @ in (@, 1) and @ between (@ .. @) and a.@ == 1',
  'd | project a, @, b | project-away @',
  'd | extend a = @, b = strlen(@) + 1 | extend @ = 1',
  'd | sort by a, @ desc | top 5 by @',
  'd | summarize max(@), avg(x) by a, @',
  'd | project-reorder a, @ | project-rename z = @ | distinct @',
  'd | join @ on @ | join kind=inner @ on $left.@ == $right.@',
  "d | parse @ with 'a' b | mv-expand @",
  'let @ = 5; union @, d',
];

/** Reports whether a quoted name is read back as that name in every position. */
function readsBack(name: string): boolean {
  return places.every((place) => {
    const query = place.replaceAll('@', () => quoteName(name));
    const tree = parseQuery(query);
    if (tree.problems.length > 0) return false;
    const known = new Set(['a', 'b', 'd', 'x', 'z', name]);
    const { bound } = analyzeQuery(query);
    const names = bound.references
      .filter(({ meaning }) => meaning.kind !== 'function')
      .map((reference) => reference.name);
    return (
      names.includes(name) && names.every((read) => known.has(read) || read.endsWith(`_${name}`))
    );
  });
}

test('quoteName() makes keywords, function names and special characters parse as names in every position', () => {
  const words = [
    ...'status a1 _ A and or not in by asc desc true false null dynamic let set with to'.split(' '),
    ...'typeof int real double date time guid matches on kind from step as default nulls'.split(
      ' ',
    ),
    ...'first last withsource hint pattern restrict alias materialize toscalar pivot'.split(' '),
    ...[...functions, ...aggregates, ...operators].map(({ name }) => name),
    ...scalarOperators.map(({ name }) => name),
    ...[...kustoFunctions.keys(), ...kustoOperators.keys()],
    'geo.city',
    'a-b',
    '1a',
    ' ',
    "it's",
    'a"b',
    'back\\slash',
    'new\nline',
    'tab\t',
    '\r',
    '// no comment',
    "']",
    '\u00e9t\u00e9',
    '\u{1f600}',
    '\ud800',
    '__proto__',
  ];
  for (const word of words) assert.ok(readsBack(word), JSON.stringify(word));
});

test('quoteName() makes random strings parse as names in every position', () => {
  const next = random(7);
  const alphabet = 'ab1_.- \\\'"[]()|;,=*/\n\r\t\u00e9\u{1f600}\u2028\0';
  const letters = [...alphabet];
  for (let i = 0; i < 200; i++) {
    const length = 1 + Math.floor(next() * 8);
    const name = Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join(
      '',
    );
    assert.ok(readsBack(name), JSON.stringify(name));
  }
});

test('quoteName leaves plain names unquoted', () => {
  assert.equal(quoteName('status'), 'status');
  assert.equal(quoteName('geo.city'), "['geo.city']");
  assert.equal(quoteName("it's"), "['it\\'s']");
  assert.equal(quoteName(''), "['']");
});

// ── Hostile and large input ───────────────────────────────────────────────────────────────────────

test("the analysis of random tokens doesn't throw and reports only problems within the text", () => {
  const next = random(11);
  const pieces = [
    ...'| ( ) [ ] { } , ; = == . .. " \' ` $left $right * - + / : \n'.split(' '),
    ...'logs users where extend project summarize count() by join on in let x union search'.split(
      ' ',
    ),
    ...'status geo.city bin(_time,1h) dynamic( typeof( between has 5 1.5 1h datetime( !between'.split(
      ' ',
    ),
  ];
  for (let i = 0; i < 3_000; i++) {
    const length = 1 + Math.floor(next() * 30);
    const text = Array.from({ length }, () => pieces[Math.floor(next() * pieces.length)]).join(' ');
    const { problems } = analyze(text, schema);
    for (const { start, end } of problems) {
      assert.ok(start >= 0 && start <= end && end <= text.length, text);
    }
  }
});

test('in a 200 KB query that repeats one construct, the last stage is still analyzed', () => {
  const shapes: [string, (i: number) => string, string][] = [
    ['users | where ', (i) => `status == ${i} or `, 'id == 1 | zzz'],
    ['users | extend x = ', () => 'strlen(', '| zzz'],
    ['users ', (i) => `| extend x${i} = status `, '| zzz'],
    ['users ', () => '| join users on id ', '| zzz'],
    ['users | project ', (i) => `a${i} = stauts, `, 'id | zzz'],
    ['users | where ', (i) => `unknown${i} == 1 and `, 'id == 1 | zzz'],
    ['users | where ', (i) => `unknown${i}(1) and `, 'id == 1 | zzz'],
    ['users | where a', () => '.b', '| zzz'],
    ['union ', () => 'u*, ', 'users | zzz'],
    ['users | summarize ', () => 'count(), ', 'count() | zzz'],
    ['', (i) => `let x${i} = ${i}; `, 'users | zzz'],
    ['', () => '(', ''],
  ];
  for (const [start, part, end] of shapes) {
    let text = start;
    for (let i = 0; text.length < 200_000; i++) text += part(i);
    text += end;
    const { problems } = analyzeQuery(text, schema);
    const last = problems.at(-1);
    assert.ok(last !== undefined && last.end <= text.length, start + part(0));
    // The last stage is also read, except after an unclosed bracket.
    if (end !== '' && !part(0).endsWith('(')) {
      assert.equal(text.slice(last.start, last.end), 'zzz', start + part(0));
    }
  }
});
