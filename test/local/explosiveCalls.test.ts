// Function calls with short arguments and much work: each ends by itself with a result or a coded
// error, before the query timeout, and can be interrupted quickly.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { drawn } from '../drawn.ts';
import { processMs } from '../processorTime.ts';
import { ALL_TIMES, Deployment } from './deployment.ts';
import { plan } from './planner/engine.ts';

/** Timeout for a call that hangs, generous for a loaded machine. Each call takes about a second. */
const ENDS_MS = 90_000;
const STOPS_MS = 10_000;

let local: Deployment;
before(async () => {
  local = await Deployment.open({ memoryLimit: '2GB' });
});
after(() => local.close());

/** Returns APL for a string of about `count` characters. */
const digits = (count: number) =>
  `replace_string(',', 'a', tostring(range(1000, ${1000 + count / 5}, 1)))`;
const rows = (count: number) => `print i = range(1, ${count}, 1) | mv-expand i to typeof(long)`;
const nested = (times: number, name: string, argument: string) =>
  `${`${name}(`.repeat(times)}${argument}${')'.repeat(times)}`;
const transforms = Array.from(
  { length: 16 },
  (_, i) => `array_length(series_fft(array_concat(a, dynamic([${i}]))))`,
);
const both = 'a = range(1, 100000, 1), b = range(50000, 150000, 1)';

/** The expected result of each call: its only cell, or part of its error. */
const calls: Readonly<Record<string, readonly [apl: string, answer: unknown]>> = {
  'a transform above the item limit': [
    'print s = range(0, 200000, 1) | extend f = series_fft(s)',
    /Fourier transform takes at most 65,536 items, not 200,001/,
  ],
  'a transform of prime length': [
    'print f = array_length(series_fft(range(1, 65521, 1))[0])',
    65_521,
  ],
  'sixteen transforms': [
    `print a = range(1, 60000, 1) | project n = ${transforms.join(' + ')}`,
    32,
  ],
  'a transform in every row': [
    `${rows(5000)} | summarize sum(array_length(series_fft(range(i, i + 99, 1))))`,
    10_000,
  ],
  'hashes of hashes': [
    `${rows(20_000)} | summarize dcount(${nested(20, 'hash_sha512', 'tostring(i)')})`,
    20_000,
  ],
  'a hash of a long string': [
    `print s = ${digits(4_000_000)} | project n = strlen(hash_sha512(s))`,
    128,
  ],
  'a filter as long as the series': [
    'print s = range(1, 50000, 1) | project f = series_fir(s, s)',
    /series_fir takes at most 33,554,432 products/,
  ],
  'a filter with feedback': [
    'print s = range(1, 100000, 1) | project n = array_length(series_iir(s, dynamic([1]), dynamic([1, -1])))',
    100_000,
  ],
  'filling gaps': [
    `print s = series_add(range(1, 100000, 1), parse_json(strcat('[', strrep('null,', 1024), '1]'))) | project n = array_length(series_fill_linear(s))`,
    1025,
  ],
  'a correlation': [`print ${both} | project c = round(series_pearson_correlation(a, a), 6)`, 1],
  'a long string from a range': [
    "print n = strlen(strcat_array(range(1, 1000000, 1), '…'))",
    5_888_896 + 999_999,
  ],
  'parsing JSON from a long string': [
    "print n = strlen(tostring(parse_json(strcat('[',strcat_array(range(1,1000000,1),','),']'))))",
    6_888_897,
  ],
  'a long constant range in every event': [
    `${rows(3000)} | extend a = range(1, 20000, 1) | summarize sum(array_length(a))`,
    60_000_000,
  ],
  'a string repeated many times': [
    "print n = strlen(strrep(strrep(strrep(strrep('abcdefgh', 1024), 1024), 1024), 1024))",
    /strings and arrays made for 1 rows have/,
  ],
  'positions of a letter': [
    `print s = ${digits(500_000)} | project n = indexof(s, 'a', 0, -1, 50000) > 0, m = countof('aa', s)`,
    true,
  ],
  'a replacement that multiplies': [
    `print s = ${digits(500_000)} | project n = strlen(replace_string('a', s, s))`,
    /strings and arrays made for 1 rows have/,
  ],
  'a replacement of each match': [
    `print s = ${digits(500_000)} | project n = strlen(replace_regex('a', s, s))`,
    /strings and arrays made for 1 rows have/,
  ],
  'a string as its own pattern': [
    `print s = ${digits(100_000)} | project n = countof_regex(s, s)`,
    /at most 1,000 characters/,
  ],
  'a long pattern of find_pair': [
    `print s = ${digits(100_000)} | project n = isnotnull(find_pair(pack_array('a:b'), s, '*'))`,
    /find_pair has at most 1,000 bytes, not 111,007/,
  ],
  'a long character table': [
    `print s = ${digits(100_000)} | project n = strlen(translate(s, s, s))`,
    111_007,
  ],
  'a union of sets': [`print ${both} | project n = array_length(set_union(a, b))`, 150_000],
  'an intersection of sets': [
    `print ${both} | project n = array_length(set_intersect(a, b))`,
    50_001,
  ],
  'a difference of sets': [
    `print ${both} | project n = array_length(set_difference(a, b))`,
    49_999,
  ],
  'rotating an array': [
    `print ${both} | project n = array_length(array_shift_left(a, 5)) + array_length(array_rotate_right(a, 7))`,
    200_000,
  ],
  'splitting an array at every index': [
    `print ${both} | project n = array_length(array_split(a, a))`,
    100_001,
  ],
  'shifting an array with a long fill string': [
    `print ${both} | extend s = tostring(b) | project n = array_length(array_shift_left(a, 90000, s))`,
    /strings and arrays made for 1 rows have/,
  ],
  'array_iff with a long repeated string': [
    `print ${both} | extend s = tostring(b) | project n = array_length(array_iff(a, s, 0))`,
    /strings and arrays made for 1 rows have/,
  ],
  array_iff: [`print ${both} | project n = array_length(array_iff(a, a, b))`, 100_000],
  'a bag with many keys': [
    `print a = split(strcat_array(range(1, 100000, 1), ','), ',') | project n = array_length(bag_keys(bag_zip(a, a)))`,
    100_000,
  ],
  'sorted JSON': ['print n = strlen(dynamic_to_json(range(1, 100000, 1)))', 588_896],
  'a URL with many parameters': [
    "print n = array_length(bag_keys(parse_urlquery(strcat_array(range(1, 100000, 1), '=1&'))))",
    100_000,
  ],
  'a range in every row': [
    `${rows(5000)} | summarize sum(array_length(range(i, 1000000, 1)))`,
    /range give [0-9,]+ items for 2,048 rows/,
  ],
  'doubling strings': [
    `print t = 'abcdefgh' ${'| extend t = strcat(t, t) '.repeat(33)}| project n = strlen(t)`,
    /strings and arrays made for 1 rows have/,
  ],
  'doubling strings in every row': [
    `${rows(4000)} | extend t = tostring(i) ${'| extend t = strcat(t, t) '.repeat(20)}| summarize max(strlen(t))`,
    /strings and arrays made for [0-9,]+ rows have/,
  ],
  'doubling arrays': [
    `print a = range(1, 1000, 1) ${'| extend a = array_concat(a, a) '.repeat(25)}| project n = array_length(a)`,
    /strings and arrays made for 1 rows have|exceeds the memory limit/,
  ],
  'doubling arrays of arrays': [
    `print a = pack_array('x') ${'| extend a = pack_array(a, a) '.repeat(28)}| project n = array_length(a)`,
    /strings and arrays made for 1 rows have|exceeds the memory limit/,
  ],
};

describe('a function call', () => {
  for (const [name, [apl, answer]] of drawn(Object.entries(calls))) {
    it(`ends with a result or an error without being interrupted: ${name}`, async () => {
      const since = performance.now();
      const { status, body } = await local.query(apl, ALL_TIMES);
      if (answer instanceof RegExp) {
        // Values built from arrays may exceed this test's memory limit before their own limit.
        const reason = status === 432 ? 'query-memory' : 'query-failed';
        assert.deepEqual([[400, 432].includes(status), body.reason], [true, reason]);
        assert.match(body.message, answer);
      } else {
        assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
        assert.equal(body.tables[0].columns[0][0], answer);
      }
      assert.ok(performance.now() - since < ENDS_MS);
    });
  }
});

const filters = (count: number) =>
  `${rows(count)} | extend s = range(i, i + 3999, 1) | summarize max(array_length(series_fir(s, s)))`;

/** Work of many seconds per chunk of rows, within the limits of each call. */
const long: Readonly<Record<string, string>> = {
  transforms: `${rows(2000)} | summarize sum(array_length(series_fft(range(i, i + 1999, 1))))`,
  hashes: `${rows(2000)} | extend s = strcat_array(range(i, i + 2000, 1), ' ') | summarize max(${nested(60, 'hash_sha512', 's')})`,
  sets: `${rows(2000)} | summarize max(array_length(set_union(range(i, i + 1999, 1), range(i, i + 1000, 1))))`,
  filters: filters(1000),
};

describe('an interrupt', () => {
  for (const [name, apl] of drawn(Object.entries(long))) {
    it(`stops ${name} over many rows`, async () => {
      const stop = new AbortController();
      const { main, macros } = plan(apl);
      await local.store.engine.createMacros(macros);
      const done = local.store.engine
        .use((session) => session.rows(main.sql), stop.signal)
        .then(
          () => 'answered',
          (error: Error) => error.name,
        );
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1_500))]);
      stop.abort();
      const before = processMs();
      assert.ok(['answered', 'AbortError'].includes(await done));
      const used = processMs() - before;
      assert.ok(used < STOPS_MS, `stopped after ${used} ms of the processor`);
    });
  }
});

it("rows that wait for a computed function don't block other requests", async () => {
  const heavy = local.query(filters(250), ALL_TIMES);
  let longest = 0;
  let ended = false;
  heavy.finally(() => {
    ended = true;
  });
  while (!ended) {
    const since = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    longest = Math.max(longest, performance.now() - since);
  }
  assert.equal((await heavy).status, 200);
  assert.ok(longest < 2_000, `the thread was held for ${longest} ms`);
});
