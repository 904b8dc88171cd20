/**
 * Kinds in which APL answers otherwise than Kusto on purpose: the sentence that says so, and for each case
 * what APL answers, worked out from that sentence. `refused` is the code of a query that cannot be run.
 * A sentence is of spec/apl/semantics.md, or a fact of spec/apl/catalog.json or of the examples of the
 * documentation where that page says nothing.
 */
import type { Cell } from './oracle.ts';

export type Expected =
  | {
      readonly rows: readonly (readonly Cell[])[];
      /** The wire types of the columns, where they are not those of Kusto. */
      readonly types?: readonly string[];
    }
  | { readonly refused: string };

export interface Difference {
  readonly kind: string;
  readonly sentence: string;
  readonly source: 'semantics.md' | 'catalog.json' | 'apl-docs.jsonl';
  readonly cases: Readonly<Record<string, Expected>>;
}

export const differences: readonly Difference[] = [
  {
    kind: 'day-of-week',
    sentence: '`dayofweek` is an int 0 (Sunday) to 6 (KQL: timespan).',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-datetime-timespan-0014': { rows: [[1]], types: ['integer'] },
      'saoc90/t1-datetime-timespan-0007': { rows: [[1], [4], [2], [6]], types: ['integer'] },
      'kusto-docs/day-of-week-function-00': { rows: [[0]], types: ['integer'] },
      'kusto-docs/day-of-week-function-01': { rows: [[1]], types: ['integer'] },
      'saoc90/agent-null-and-edge-0028~3': {
        rows: [
          [null, null, null, null, null],
          ['2020-01-01T00:00:00Z', null, '2019-12-31T00:00:00Z', 3, 1],
        ],
        types: ['datetime', 'datetime', 'datetime', 'integer', 'integer'],
      },
      'kusto-docs/day-of-week-function-02': { rows: [[2, 0]], types: ['integer', 'integer'] },
      'saoc90/agent-datetime-timespan-0037~3': {
        rows: [
          [
            '2020-03-29T01:30:00Z',
            { timespan: '01:00:00' },
            '2020-03-29T02:30:00Z',
            '2020-03-29T00:30:00Z',
            '2020-03-29T01:00:00Z',
            0.0,
          ],
          [
            '2020-10-25T02:30:00Z',
            { timespan: '-01:00:00' },
            '2020-10-25T01:30:00Z',
            '2020-10-25T03:30:00Z',
            null,
            0.0,
          ],
          [
            '2024-02-29T23:00:00Z',
            { timespan: '02:00:00' },
            '2024-03-01T01:00:00Z',
            '2024-02-29T21:00:00Z',
            '2024-02-29T22:00:00Z',
            4.6296296296296295e-14,
          ],
        ],
      },
    },
  },
  {
    kind: 'exclusive-slice',
    sentence: 'array_slice end exclusive (KQL inclusive).',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-dynamic-json-0002': {
        rows: [[{ dynamic: [1, 2, 3, 4, 5] }, { dynamic: [2, 3] }]],
      },
      'saoc90/agent-dynamic-json-0031': {
        rows: [[{ dynamic: { items: [10, 20, 30, 40] } }, { dynamic: [20] }]],
      },
      'saoc90/agent-dynamic-json-0032': {
        rows: [[{ dynamic: [1, 2, 3, 4, 5] }, { dynamic: [5, 4, 3, 2, 1] }, { dynamic: [4] }]],
      },
      'saoc90/agent-dynamic-json-0000~2': { rows: [[12, 3]] },
      'saoc90/agent-dynamic-json-0008~3': {
        rows: [[{ dynamic: [5, 2, 8, 1, 9, 3] }, { dynamic: [9, 8] }, { dynamic: [1] }, 17]],
      },
      'saoc90/agent-dynamic-json-0010~3': {
        rows: [
          [0, 10, null],
          [1, 20, 30],
          [2, 30, 60],
        ],
      },
      'saoc90/agent-dynamic-json-0033~3': { rows: [[20, { dynamic: [20] }]] },
      'kusto-docs/array-slice-function-02': {
        rows: [[{ dynamic: [1, 2, 3, 4, 5] }, { dynamic: [3] }]],
      },
    },
  },
  {
    kind: 'innerunique',
    sentence: '`innerunique` here = first right match per left row (KQL de-duplicates the left).',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-joins-lookup-union-0009': {
        rows: [
          [1, 10, 1, 100],
          [1, 11, 1, 100],
        ],
      },
      'saoc90/agent-joins-lookup-union-0010': {
        rows: [
          [1, 10, 1, 100],
          [1, 11, 1, 100],
          [1, 12, 1, 100],
        ],
      },
      'saoc90/agent-joins-lookup-union-0032~2': {
        rows: [
          [1, 10, 1, 100],
          [1, 11, 1, 100],
          [1, 12, 1, 100],
        ],
      },
      'kusto-docs/join-innerunique-01': {
        rows: [
          [1, 'val1.1', 1, 'val1.3'],
          [1, 'val1.2', 1, 'val1.3'],
        ],
      },
    },
  },
  {
    kind: 'missing-text',
    sentence: '`isnull("")` is false, `isempty("")` true.',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-joins-lookup-union-0019': {
        rows: [
          [1, 'a', 1, 'x'],
          [2, 'b', null, null],
          [null, 'n', null, null],
        ],
      },
      'saoc90/agent-joins-lookup-union-0030': {
        rows: [
          [1, 'a', 'x2'],
          [1, 'a', 'x'],
          [2, 'b', null],
          [3, 'c', 'z'],
        ],
      },
      'saoc90/agent-joins-lookup-union-0002~2': {
        rows: [
          [1, 'a', null, null],
          [4, 'd', null, null],
        ],
      },
      'saoc90/agent-joins-lookup-union-0013~2': {
        rows: [
          [1, 'a', null],
          [2, 'b', null],
          [3, null, 30],
          [4, null, 40],
        ],
      },
      'saoc90/agent-joins-lookup-union-0034~2': {
        rows: [
          [10, 99, 1, 'a', 'x'],
          [11, 98, 2, 'b', 'y'],
          [12, null, 3, 'c', null],
        ],
      },
      'saoc90/agent-joins-lookup-union-0001~3': {
        rows: [
          [1, 'a', null, null, 'a|'],
          [2, 'b', 2, 'x', 'b|x'],
          [3, 'c', 3, 'y', 'c|y'],
        ],
      },
      'saoc90/agent-joins-lookup-union-0031~3': {
        rows: [
          ['café', 1, 'café', 10],
          ['café', 2, null, null],
        ],
      },
      'kusto-docs/join-leftouter-00': {
        rows: [
          ['b', 3, 'b', 10],
          ['b', 2, 'b', 10],
          ['c', 4, 'c', 20],
          ['c', 4, 'c', 30],
          ['a', 1, null, null],
        ],
      },
      'saoc90/agent-joins-lookup-union-0020~3': {
        rows: [
          [1, 'a', 'x'],
          [2, 'b', null],
          [3, 'c', 'z'],
        ],
      },
      'saoc90/agent-joins-lookup-union-0003~2': {
        rows: [
          [1, 'a', null, null],
          [4, 'd', null, null],
        ],
      },
      'saoc90/agent-joins-lookup-union-0003~3': {
        rows: [
          [1, 'a', null, null, 'null'],
          [2, 'b', 2, 'x', 'x'],
          [3, 'c', 3, 'y', 'y'],
          [4, 'd', null, null, 'null'],
        ],
      },
      'saoc90/agent-joins-lookup-union-0019~3': {
        rows: [
          [1, 'a', 'x', 'hit'],
          [2, 'b', null, 'miss'],
          [3, 'c', 'z', 'hit'],
        ],
      },
    },
  },
  {
    kind: 'unmatched-parts',
    sentence: 'pattern may begin with a column name or `*`; unmatched gives nulls.',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-parse-search-0007~2': {
        rows: [
          ['[k1=v1][k2=v2]', null, 'v2]', null],
          ['[k3=v3]', null, null, null],
        ],
      },
      'saoc90/agent-parse-search-0009~2': { rows: [['field1=onlyone', 'onlyone', null]] },
      'saoc90/agent-parse-search-0037~2': {
        rows: [
          ['a==b', '=b', null],
          ['c=d=e', null, 'd=e'],
        ],
      },
    },
  },
  {
    kind: 'null-keys',
    sentence:
      'logical-operators page: `==` false when either side null, `!=` true when either side null',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-null-and-edge-0004~2': { rows: [[1, 1, 'one']] },
      'saoc90/agent-null-and-edge-0007~2': {
        rows: [
          [null, null],
          [1, 'x'],
          [2, null],
        ],
      },
    },
  },
  {
    kind: 'bags-expanded',
    sentence: 'mv-expand [kind=(bag|array)], default array',
    source: 'catalog.json',
    cases: {
      'saoc90/agent-nested-pipelines-let-cte-0028': {
        rows: [
          [{ dynamic: ['a', 1] }],
          [{ dynamic: ['b', [1, 2, 3]] }],
          [{ dynamic: 10 }],
          [{ dynamic: 20 }],
          [{ dynamic: 30 }],
        ],
      },
      'saoc90/t1-dynamic-json-0008': {
        rows: [
          [{ dynamic: ['a', 1] }],
          [{ dynamic: ['b', [1, 2, 3]] }],
          [{ dynamic: 10 }],
          [{ dynamic: 20 }],
          [{ dynamic: 30 }],
          [{ dynamic: ['nested', { x: 'y' }] }],
          [null],
        ],
      },
      'kusto-docs/mv-expand-operator-01': {
        rows: [
          [1, { dynamic: ['prop1', 'a1'] }],
          [1, { dynamic: ['prop2', 'b1'] }],
          [2, { dynamic: ['prop1', 'a2'] }],
          [2, { dynamic: ['prop2', 'b2'] }],
        ],
      },
    },
  },
  {
    kind: 'search-table',
    sentence: '`search` string terms map to has/hasprefix/hassuffix/contains/regex by `*` position',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-parse-search-0018': {
        rows: [['the quick brown'], ['fox jumps over']],
        types: ['string'],
      },
      'saoc90/agent-parse-search-0020': { rows: [['apple pie']], types: ['string'] },
      'saoc90/agent-parse-search-0038': {
        rows: [['Hello World'], ['HELLO'], ['hello']],
        types: ['string'],
      },
      'saoc90/agent-parse-search-0015~2': {
        rows: [
          ['alpha', 'x'],
          ['Beta', 'y'],
        ],
        types: ['string', 'string'],
      },
      'saoc90/agent-parse-search-0016~2': { rows: [['The Quick Brown Fox']], types: ['string'] },
      'saoc90/agent-parse-search-0018~2': { rows: [['10.5']], types: ['string'] },
      'saoc90/agent-parse-search-0040~2': { rows: [['needle'], ['haystack']] },
    },
  },
  {
    kind: 'trim-cutset',
    sentence:
      'trim/trim_start/trim_end are cutset functions (KQL: regex); regex forms have `_regex`.',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-string-ops-0023': {
        rows: [
          ['xxabcxx', 'abc', 'abcxx'],
          ['abc', 'abc', 'abc'],
          ['xxx', '', ''],
          ['', '', ''],
        ],
      },
      'saoc90/agent-string-ops-0027~2': {
        rows: [
          ['xxhelloxx', 'helloxx', 'xxhelloxx', 'hello'],
          ['__world__', '__world__', '__world', 'world'],
          ['midxxmid', 'midxxmid', 'midxxmid', 'midxxmid'],
        ],
      },
      'saoc90/agent-string-ops-0024~3': {
        rows: [
          ['trailing   ', 'trailing', 'trailing   ', 8, 'trailing'],
          ['   leading', '   leading', 'leading', 10, 'leading'],
          ['  both  ', '  both', 'both  ', 6, 'both'],
          ['none', 'none', 'none', 4, 'none'],
        ],
      },
      'saoc90/agent-string-ops-0044~3': {
        rows: [
          ['trim\tme\t', 'trim\tme\t', 8, 8, 0],
          ['  pad  ', '  pad  ', 7, 7, 0],
          ['xxstripxx', 'trip', 4, 9, 5],
          ['', '', 0, 0, 0],
        ],
      },
      'kusto-docs/trim-start-function-02': {
        rows: [['    Hello, world!    ', '    Hello, world!    ']],
      },
    },
  },
  {
    kind: 'countof-order',
    sentence: 'countof/countof_regex take (pattern, text); KQL countof is (text, search).',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-string-ops-0014~2': {
        rows: [
          ["a''b", 0, 1, 2],
          ["a'b'c", 0, 1, 3],
          ["'start", 0, 0, -1],
          ["end'", 0, 3, 3],
          ["''", 0, 0, -1],
        ],
      },
      'saoc90/agent-string-ops-0015~2': {
        rows: [
          ['back\\slash', 10, 4, 0],
          ['double\\\\slash', 13, 6, 0],
          ['none', 4, -1, 0],
        ],
      },
      'saoc90/agent-null-and-edge-0043~3': {
        rows: [
          ["O'Brien", 7, "O'BRIEN", "'Brien", 0],
          ['a"b', 3, 'A"B', '"b', 0],
          ['tab\ttab', 7, 'TAB\tTAB', 'ab\ttab', 0],
          ['', 0, '', '', 0],
        ],
      },
      'saoc90/agent-string-ops-0011~3': {
        rows: [
          ['He said "hi"', 12, 0, 8, -1],
          ['tab\there', 8, 0, -1, 3],
          ['mix"\t"end', 9, 0, 3, 4],
        ],
      },
      'saoc90/t1-string-ops-0092': { rows: [[0], [0], [0], [0], [0], [0], [0], [0]] },
    },
  },
  {
    kind: 'encoded-blank',
    sentence: 'hello%20world%20%26%20special%20chars',
    source: 'apl-docs.jsonl',
    cases: {
      'kusto-docs/url-encode-function-00': {
        rows: [['https://www.bing.com/hello world', 'https%3A%2F%2Fwww.bing.com%2Fhello%20world']],
      },
    },
  },
  {
    kind: 'replace-order',
    sentence: 'replace_string(lookup, rewrite, text)',
    source: 'catalog.json',
    cases: {
      'saoc90/agent-string-ops-0019~2': {
        rows: [
          ['abcabc', 'XY', '_', ''],
          ['aaaa', 'XY', '_', ''],
          ['', 'XY', '_', ''],
        ],
      },
      'saoc90/t1-string-ops-0090': {
        rows: [['Z'], ['Z'], ['Z'], ['Z'], ['Z'], ['Z'], ['Z'], ['Z']],
      },
      'kusto-docs/replace-string-function-00': {
        rows: [['A magic trick can turn a cat into a dog', 'hamster']],
      },
      'saoc90/agent-string-ops-0029': {
        rows: [
          ['one two three', '_', '[\\1]'],
          ['a-b-c', '_', '[\\1]'],
          ['x', '_', '[\\1]'],
        ],
      },
      'saoc90/agent-string-ops-0012~3': {
        rows: [
          ["O'Brien's", 0, "''", 7],
          ["it''s", 0, "''", 3],
          ["''", 0, "'", -1],
          ["a'b'c'd", 0, "''", 3],
        ],
      },
      'saoc90/agent-string-ops-0030~3': {
        rows: [
          ['x;y,z|w', { dynamic: [';', ',', '|'] }, 3, '_'],
          ['a-b', { dynamic: ['-'] }, 1, '_'],
          ['single', null, null, '_'],
        ],
      },
    },
  },
  {
    kind: 'go-texts',
    sentence: 'Formatting: floats shortest form, datetime RFC3339Nano, timespan Go style (`1m20s`)',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-type-casts-coercion-0021': {
        rows: [['123', '1.5', 'true', '2020-01-01T00:00:00Z', '24h0m0s']],
      },
      'saoc90/agent-type-casts-coercion-0020~3': {
        rows: [['123', '1.5', 'true', '2020-01-01T00:00:00Z', '24h0m0s']],
      },
      'saoc90/agent-type-casts-coercion-0029': { rows: [[1, 0, 'true']] },
      'saoc90/agent-type-casts-coercion-0019~3': {
        rows: [
          [true, 1, 1, 1, 'true', true],
          [false, 0, 0, 0, 'false', false],
        ],
      },
      'saoc90/k-tostringts': { rows: [['26h0m0s']] },
      'kusto-docs/strcat-delim-function-00': { rows: [['1-2-A-1s']] },
      'saoc90/agent-string-ops-0034~3': {
        rows: [
          ['1.5e3', 1500, true, '1500'],
          ['-2.5', -2.5, true, '-2.5'],
          ['3.14159', Number('3.14159'), true, '3.14159'],
        ],
      },
      'kusto-docs/hash-md5-function-00': {
        rows: [['f5a7924e621e84c9280a9a27e1bcb7f6', 'cbedd1c35c83b21c73dd2416abbe8f0b']],
      },
      'kusto-docs/hash-sha1-function-00': {
        rows: [
          ['70c07ec18ef89c5309bbb0937f3a6342411e1fdd', 'dcc3004138b218d607f62c6adaba7a5761437701'],
        ],
      },
    },
  },
  {
    kind: 'missing-bool',
    sentence: '`tostring(null)` is `""`; a nil bool prints `"false"`',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-null-and-edge-0032~3': {
        rows: [
          [false, 0, 'false', true, false, false],
          [true, 1, 'true', false, true, true],
          [null, null, 'false', null, null, null],
        ],
      },
    },
  },
  {
    kind: 'strict-numbers',
    sentence:
      '`toint` of strings accepts only a strict signed integer form (no hex; fractions not mentioned); `todouble` follows Go float syntax',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-type-casts-coercion-0046': { rows: [[null, null]] },
      'saoc90/agent-type-casts-coercion-0008~2': { rows: [[null, null, null, null, null]] },
      'saoc90/agent-type-casts-coercion-0048~2': {
        rows: [
          ['  123  ', null, null],
          ['\t456\t', null, null],
          ['00789', 789, 789],
          ['+0', 0, 0],
          ['-0', 0, 0],
          ['007', 7, 7],
          ['0b101', null, null],
        ],
      },
    },
  },
  {
    kind: 'go-durations',
    sentence: '`totimespan` strings are Go durations (`2h45m`, no `d`), unlike the `2d` literal.',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-type-casts-coercion-0015~3': {
        rows: [[{ timespan: '1.02:03:04.5' }, 'null', null]],
      },
    },
  },
  {
    kind: 'long-int',
    sentence: 'int = long (both 64-bit; KQL int is 32)',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-null-and-edge-0044~2': {
        rows: [
          [-2147483649, -2147483649, -2147483649],
          [2147483648, 2147483648, 2147483648],
          [null, null, null],
        ],
      },
    },
  },
  {
    kind: 'nanoseconds',
    sentence: '`toint(datetime)` is ns since epoch',
    source: 'semantics.md',
    cases: {
      'saoc90/f-tolongdt': { rows: [['1577836800000000000']] },
    },
  },
  {
    kind: 'range-of-nanoseconds',
    sentence: 'end-of functions end in `.9999999` (100 ns) although timestamps carry nanoseconds',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-null-and-edge-0035': { refused: 'invalid-argument' },
      'saoc90/agent-null-and-edge-0036': { refused: 'invalid-argument' },
      'saoc90/agent-datetime-timespan-0028~2': { refused: 'invalid-argument' },
      'saoc90/agent-datetime-timespan-0037~2': { refused: 'invalid-argument' },
      'saoc90/agent-datetime-timespan-0015~3': { refused: 'invalid-argument' },
      'saoc90/agent-datetime-timespan-0016~3': { refused: 'invalid-argument' },
    },
  },
  {
    kind: 'nothing-averaged',
    sentence: 'No match: `sumif` 0; `avgif`, `maxif`, `varianceif` null.',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-null-and-edge-0023': { rows: [[0, null, null, null, 0]] },
      'saoc90/t1-aggregation-0019': {
        rows: [
          ['p', 2.5],
          ['q', null],
        ],
      },
    },
  },
  {
    kind: 'whole-results',
    sentence: 'ceiling, sign: int; datetime_diff: long',
    source: 'catalog.json',
    cases: {
      'saoc90/agent-datetime-timespan-0028': { rows: [[2]], types: ['integer'] },
      'saoc90/agent-datetime-timespan-0012~2': {
        rows: [[15, 52, 36]],
        types: ['integer', 'integer', 'integer'],
      },
      'saoc90/agent-datetime-timespan-0028~3': {
        rows: [
          ['2024-02-29T00:00:00Z', '2020-02-29T00:00:00Z', 48, 16, 4, 209],
          ['2020-01-31T00:00:00Z', '2019-12-31T00:00:00Z', 1, 1, 1, 4],
          ['2021-03-01T00:00:00Z', '2020-12-31T00:00:00Z', 3, 1, 1, 9],
        ],
        types: ['datetime', 'datetime', 'integer', 'integer', 'integer', 'integer'],
      },
      'saoc90/t1-type-casts-coercion-0015': {
        rows: [[-5], [0], [1], [4], [100001]],
        types: ['integer'],
      },
      'saoc90/t1-type-casts-coercion-0023': {
        rows: [[-1], [0], [1], [1], [1]],
        types: ['integer'],
      },
      'kusto-docs/datetime-diff-function-00': {
        rows: [[17, 2, 13, 5, 29, 2, 5, 10, 100, 100, -700]],
        types: [
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
          'integer',
        ],
      },
      'saoc90/agent-null-and-edge-0013~3': {
        rows: [
          [1.5, 1, 1.5, 2],
          [2.5, 2, 2.5, 3],
          [null, null, null, null],
        ],
        types: ['float', 'float', 'float', 'integer'],
      },
      'kusto-docs/sign-function-00': {
        rows: [[-1, 0, 1]],
        types: ['integer', 'integer', 'integer'],
      },
    },
  },
  {
    kind: 'type-of-null',
    sentence: 'values: string,int,long,real,bool,datetime,timespan,dynamic,array,dictionary,null',
    source: 'catalog.json',
    cases: {
      'saoc90/agent-type-casts-coercion-0042~2': { rows: [['null', 'null', 'real', 'null']] },
    },
  },
  {
    kind: 'series-stats',
    sentence: 'series_stats returns one array (KQL: several columns)',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-window-series-scan-0015~2': {
        rows: [
          [
            { dynamic: [10, 0, 0, 0, 50] },
            {
              dynamic: [
                '2021-01-01T00:00:00.0000000Z',
                '2021-01-02T00:00:00.0000000Z',
                '2021-01-03T00:00:00.0000000Z',
                '2021-01-04T00:00:00.0000000Z',
                '2021-01-05T00:00:00.0000000Z',
              ],
            },
            { dynamic: [0, 1, 50, 4, 12, 470, 21.6794833886788] },
          ],
        ],
        types: ['dynamic', 'dynamic', 'dynamic'],
      },
    },
  },
  {
    kind: 'salted-hash',
    sentence: '`hash` accepts any scalar "except real"',
    source: 'semantics.md',
    cases: {
      'kusto-docs/hash-function-01': { rows: [['-7930820375413371884']] },
    },
  },
  {
    kind: 'indexof-regex-order',
    sentence: 'order (start, occurrence, length) against indexof (start, length, occurrence)',
    source: 'semantics.md',
    cases: {
      'kusto-docs/indexof-regex-function-00': { rows: [[0, -1, null, null, null]] },
    },
  },
  {
    kind: 'schema-words',
    sentence: '`getschema` prints `datetime string`',
    source: 'semantics.md',
    cases: {
      'kusto-docs/mv-expand-operator-05': {
        rows: [
          ['a', 0, 'string', 'string'],
          ['b', 1, 'dynamic', 'unknown'],
          ['c', 2, 'long', 'integer'],
        ],
      },
    },
  },
  {
    kind: 'bad-json',
    sentence: '`parse_json` of bad JSON returns the input string while `todynamic` returns null',
    source: 'semantics.md',
    cases: {
      'saoc90/agent-null-and-edge-0028~2': {
        rows: [
          [null, { dynamic: [] }, { dynamic: {} }, { dynamic: '' }, { dynamic: 'not json' }, true],
        ],
      },
    },
  },
];
