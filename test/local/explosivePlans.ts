/**
 * Short queries with large plans, or with planning time that grows faster than the query. Each must
 * return a result or be refused with a code, whatever the datasets contain, while other requests
 * are answered.
 */

/** A query with an explosive plan, in one of several sizes. */
export interface ExplosivePlan {
  readonly name: string;
  /** Whether it is the largest of its kind. */
  readonly largest: boolean;
  readonly apl: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The dataset of the queries, with `FIELDS` fields in addition to its times. */
export const DATASET = 'explosive';
export const FIELDS = 41;
/** The name prefix of further datasets. */
export const OTHERS = 'explosiveOther';
export const OTHER_COUNT = 20;

/** Returns an event with every field of the dataset. `n` makes events different. */
export function explosiveEvent(n: number): Record<string, unknown> {
  const fields = Array.from({ length: FIELDS - 3 }, (_, i) => [`f${i}`, n * i]);
  return {
    _time: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
    a: n,
    s: `text ${n}`,
    list: [n, n + 1],
    ...Object.fromEntries(fields),
  };
}

const from = `['${DATASET}']`;
const times = (count: number, of: (i: number) => string, separator = '') =>
  Array.from({ length: count }, (_, i) => of(i)).join(separator);

/**
 * Returns let statements of tables, each derived from the previous one by `step`, and a query of
 * the last one.
 */
function chain(count: number, first: string, step: (name: string) => string, end = ''): string {
  const lets = times(count, (i) => `let t${i + 1} = ${step(`t${i}`)};\n`);
  return `let t0 = ${first};\n${lets}t${count}${end}`;
}

function plans(name: string, sizes: readonly number[], apl: (size: number) => string) {
  return sizes.map(
    (size, i): ExplosivePlan => ({
      name: `${name}, ${size}`,
      largest: i === sizes.length - 1,
      apl: apl(size),
    }),
  );
}

export const explosivePlans: readonly ExplosivePlan[] = [
  ...plans('a union of a let with itself, again and again', [5, 8, 12, 20, 29, 200], (size) =>
    chain(size, from, (t) => `${t} | union ${t}`, ' | count'),
  ),
  ...plans('the same over one row', [5, 12, 20, 29], (size) =>
    chain(size, 'print a = 1', (t) => `${t} | union ${t}`, ' | take 1'),
  ),
  ...plans('a filtered let united with itself', [8, 12, 20], (size) =>
    chain(size, from, (t) => `${t} | where a > 1 | union (${t} | where a < 5)`, ' | count'),
  ),
  ...plans('a let joined to itself, again and again', [4, 8, 12, 16, 20, 29], (size) =>
    chain(size, from, (t) => `${t} | join kind=leftouter ${t} on a`, ' | take 1'),
  ),
  ...plans('a let of few columns joined to itself', [4, 8, 12, 20, 29], (size) =>
    chain(
      size,
      `${from} | project a, f1 | take 1`,
      (t) => `${t} | join ${t} on a | project a, f1`,
      ' | take 1',
    ),
  ),
  ...plans('a let that is grouped and joined to itself', [4, 8, 12, 20, 29], (size) =>
    chain(
      size,
      from,
      (t) => `${t} | join (${t} | summarize f1 = sum(f1) by a) on a | project a, f1`,
    ),
  ),
  ...plans('a let that is tested against itself', [4, 8, 12, 20, 29], (size) =>
    chain(size, from, (t) => `${t} | where a in (${t} | project a)`, ' | count'),
  ),
  ...plans('tests against tables inside each other', [5, 20, 60, 200], (size) => {
    const open = times(size, () => `${from} | where a in (`);
    return `${open}${from} | project a${times(size, () => ') | project a')} | count`;
  }),
  ...plans('tests against tables in functions inside each other', [3, 6, 12], (size) => {
    const inner = (left: number): string =>
      left === 0
        ? `${from} | project a`
        : `${from} | where tostring(iff(a in (${inner(left - 1)}), 1, 2)) == '1' | project a`;
    return inner(size);
  }),
  ...plans(
    'joins one after another',
    [10, 30, 100, 1_000],
    (size) => `${from}${times(size, () => ` | join kind=leftouter ${from} on a`)} | take 1`,
  ),
  ...plans(
    'lookups one after another',
    [10, 100],
    (size) => `${from}${times(size, () => ` | lookup ${from} on a`)} | take 1`,
  ),
  ...plans(
    'joins of one column',
    [10, 30, 100, 1_000],
    (size) =>
      `${from} | project a${times(size, () => ` | join (${from} | project a) on a | project a`)} | take 1`,
  ),
  ...plans(
    'joins inside each other',
    [10, 50, 100, 200],
    (size) =>
      `${times(size, () => `${from} | project a | join (`)}${from} | project a${times(size, () => ') on a | project a')} | take 1`,
  ),
  ...plans(
    'tables in a union',
    [100, 1_000, 10_000],
    (size) => `union ${times(size, () => from, ', ')} | count`,
  ),
  ...plans(
    'unions one after another',
    [100, 1_000, 5_000],
    (size) => `${from}${times(size, () => ` | union ${from}`)} | count`,
  ),
  ...plans(
    'unions of a wildcard',
    [10, 100, 1_000],
    (size) => `${from}${times(size, () => ` | union explosiveOther*`)} | count`,
  ),
  ...plans(
    'wildcards in a union',
    [10, 100, 1_000],
    (size) => `union ${times(size, () => `explosiveOther*, *`, ', ')} | count`,
  ),
  ...plans(
    'tables of different columns in a union',
    [100, 500],
    (size) => `union ${times(size, (i) => `(print c${i} = ${i})`, ', ')}`,
  ),
  ...plans(
    'tables of different types in a union',
    [100, 500],
    (size) => `union ${times(size, (i) => `(print c = ${i % 2 === 0 ? i : `'${i}'`})`, ', ')}`,
  ),
  ...plans(
    'extends one after another',
    [50, 200, 500, 2_000, 20_000],
    (size) => `${from}${times(size, () => ' | extend a = a + 1')} | take 1`,
  ),
  ...plans(
    'extends that write an operand twice',
    [20, 100, 300],
    (size) => `${from}${times(size, () => ' | extend a = a * a % 7')} | take 1`,
  ),
  ...plans(
    'extends of new columns',
    [100, 500, 2_000],
    (size) => `${from}${times(size, (i) => ` | extend n${i} = a + ${i}`)} | take 1`,
  ),
  ...plans(
    'projects one after another',
    [500, 5_000],
    (size) => `${from}${times(size, () => ' | project a = a + 1, f1')} | take 1`,
  ),
  ...plans(
    'filters one after another',
    [500, 5_000, 20_000],
    (size) => `${from}${times(size, (i) => ` | where a != ${i}`)} | take 1`,
  ),
  ...plans(
    'summarizes one after another',
    [50, 200, 1_000],
    (size) => `${from}${times(size, () => ' | summarize a = sum(a) by f1')} | take 1`,
  ),
  ...plans(
    'time series one after another',
    [5, 50, 300],
    (size) =>
      `${from}${times(size, () => ' | summarize a = sum(a) by bin(_time, 1h), f1')} | take 1`,
  ),
  ...plans(
    'limits of a time series',
    [5, 10, 20, 50],
    (size) =>
      `${from} | summarize a = sum(a) by bin(_time, 1h), f1${times(size, (i) => ` | where a > ${i} | take 10`)}`,
  ),
  ...plans(
    'sorts and limits one after another',
    [200, 2_000],
    (size) => `${from}${times(size, () => ' | sort by a | take 5')}`,
  ),
  ...plans(
    'distincts one after another',
    [200, 2_000],
    (size) => `${from}${times(size, () => ' | distinct a, f1')}`,
  ),
  ...plans(
    'expansions one after another',
    [10, 50, 300],
    (size) =>
      `${from}${times(size, (i) => ` | extend l${i} = dynamic([1]) | mv-expand l${i}`)} | take 1`,
  ),
  ...plans(
    'expansions of one column',
    [10, 100, 1_000],
    (size) => `${from}${times(size, () => ' | mv-expand list')} | take 1`,
  ),
  ...plans(
    'make-series one after another',
    [3, 10, 50],
    (size) =>
      `${from}${times(size, () => ' | make-series a = sum(a) on a step 1 | mv-expand a to typeof(long)')} | take 1`,
  ),
  ...plans(
    'parses one after another',
    [20, 200, 1_000],
    (size) => `${from}${times(size, (i) => ` | parse s with 'text ' p${i}:long`)} | take 1`,
  ),
  ...plans(
    'a parse of many parts',
    [20, 500, 5_000],
    (size) => `${from} | parse s with ${times(size, (i) => `'x${i}' p${i}`, ' ')} | take 1`,
  ),
  ...plans(
    'a parse-kv of many keys',
    [20, 500, 5_000],
    (size) =>
      `${from} | parse-kv s as (${times(size, (i) => `k${i}: string`, ', ')}) with (pair_delimiter=' ', kv_delimiter='=') | take 1`,
  ),
  ...plans(
    'getschemas one after another',
    [100, 1_000],
    (size) => `${from}${times(size, () => ' | getschema')}`,
  ),
  ...plans(
    'samples one after another',
    [50, 500],
    (size) => `${from}${times(size, () => ' | sample 0.9')} | take 1`,
  ),
  ...plans(
    'redactions one after another',
    [20, 200],
    (size) => `${from}${times(size, () => " | redact '[0-9]' on s")} | take 1`,
  ),
  ...plans(
    'searches one after another',
    [20, 500],
    (size) => `${from}${times(size, () => " | search 'text'")} | count`,
  ),
  ...plans(
    'terms of a search',
    [20, 200, 2_000],
    (size) => `search ${times(size, (i) => `'term ${i}'`, ' or ')} | count`,
  ),
  ...plans(
    'a list of numbers',
    [1_000, 50_000, 70_000],
    (size) => `${from} | where a in (${times(size, String, ', ')}) | count`,
  ),
  ...plans(
    'a list of texts',
    [1_000, 50_000],
    (size) => `${from} | where s in~ (${times(size, (i) => `'s${i}'`, ', ')}) | count`,
  ),
  ...plans(
    'a list of columns',
    [100, 5_000],
    (size) => `${from} | where a in (${times(size, (i) => `f${i % 30}`, ', ')}) | count`,
  ),
  ...plans(
    'words in has_any',
    [100, 2_000, 20_000],
    (size) => `${from} | where s has_any (${times(size, (i) => `'s${i}'`, ', ')}) | count`,
  ),
  ...plans(
    'terms of or',
    [100, 2_000, 20_000, 30_000],
    (size) => `${from} | where ${times(size, (i) => `a == ${i}`, ' or ')} | count`,
  ),
  ...plans(
    'terms of and',
    [100, 2_000, 20_000, 30_000],
    (size) => `${from} | where ${times(size, (i) => `a != ${i}`, ' and ')} | count`,
  ),
  ...plans(
    'terms of a sum',
    [100, 240, 2_000, 100_000],
    (size) => `${from} | extend n = ${times(size, () => 'a', ' + ')} | take 1`,
  ),
  ...plans(
    'terms of a product',
    [100, 240, 2_000],
    (size) => `${from} | extend n = ${times(size, () => 'a', ' * ')} | take 1`,
  ),
  ...plans(
    'terms of a quotient',
    [10, 100, 240],
    (size) => `${from} | extend n = ${times(size, () => 'a', ' / ')} | take 1`,
  ),
  ...plans(
    'brackets inside each other',
    [100, 240, 5_000],
    (size) => `${from} | extend n = ${'('.repeat(size)}a${' + 1)'.repeat(size)} | take 1`,
  ),
  ...plans(
    'nots inside each other',
    [100, 240],
    (size) => `${from} | where ${'not('.repeat(size)}a == 1${')'.repeat(size)} | take 1`,
  ),
  ...plans(
    'tables in brackets',
    [100, 240, 2_000],
    (size) => `${'('.repeat(size)}${from}${')'.repeat(size)} | take 1`,
  ),
  ...['tostring', 'toupper', 'abs', 'todynamic', 'strlen', 'array_reverse', 'bin'].flatMap((name) =>
    plans(
      `${name} inside itself`,
      [10, 50, 100, 240],
      (size) =>
        `${from} | extend n = ${`${name}(`.repeat(size)}a${(name === 'bin' ? ', 1)' : ')').repeat(size)} | take 1`,
    ),
  ),
  ...plans(
    'branches of case',
    [100, 1_000, 10_000],
    (size) =>
      `${from} | extend n = case(${times(size, (i) => `a == ${i}, ${i}`, ', ')}, -1) | take 1`,
  ),
  ...plans(
    'iffs inside each other',
    [50, 240],
    (size) =>
      `${from} | extend n = ${times(size, (i) => `iff(a == ${i}, ${i}, `)}0${')'.repeat(size)} | take 1`,
  ),
  ...plans(
    'arguments of strcat',
    [100, 5_000],
    (size) => `${from} | extend n = strcat(${times(size, () => 's', ', ')}) | take 1`,
  ),
  ...plans(
    'items of an array',
    [1_000, 50_000],
    (size) => `print n = dynamic([${times(size, String, ', ')}])`,
  ),
  ...plans(
    'items of a packed array',
    [100, 5_000],
    (size) => `${from} | extend n = pack_array(${times(size, () => 'a', ', ')}) | take 1`,
  ),
  ...plans(
    'columns of a project',
    [100, 1_000, 10_000],
    (size) => `${from} | project ${times(size, (i) => `c${i} = a + ${i}`, ', ')} | take 1`,
  ),
  ...plans(
    'columns of a project that are read',
    [1_000, 10_000],
    (size) => `${from} | project ${times(size, (i) => `c${i} = a`, ', ')} | take 1`,
  ),
  ...plans(
    'columns of an extend',
    [1_000, 10_000],
    (size) => `${from} | extend ${times(size, (i) => `c${i} = a + ${i}`, ', ')} | take 1`,
  ),
  ...plans(
    'columns that stay through stages',
    [100, 1_000],
    (size) =>
      `${from} | extend ${times(size, (i) => `c${i} = a + ${i}`, ', ')}${times(100, (i) => ` | extend d${i} = c1`)} | where c1 > 0 | take 1`,
  ),
  ...plans(
    'columns renamed',
    [1_000, 5_000],
    (size) =>
      `${from} | project ${times(size, (i) => `c${i} = a`, ', ')} | project-rename ${times(size, (i) => `d${i} = c${i}`, ', ')} | take 1`,
  ),
  ...plans(
    'aggregates',
    [100, 1_000, 5_000],
    (size) => `${from} | summarize ${times(size, (i) => `c${i} = sumif(a, a > ${i})`, ', ')}`,
  ),
  ...plans(
    'groups',
    [50, 500, 2_000],
    (size) => `${from} | summarize count() by ${times(size, (i) => `c${i} = a + ${i}`, ', ')}`,
  ),
  ...plans(
    'percentiles',
    [100, 1_000],
    (size) =>
      `${from} | summarize percentiles(a, ${times(size, (i) => `${((i + 1) / (size + 1)) * 100}`, ', ')})`,
  ),
  ...plans(
    'sort keys',
    [100, 2_000],
    (size) => `${from} | sort by ${times(size, (i) => `a + ${i}`, ', ')} | take 1`,
  ),
  ...plans(
    'rows of a datatable',
    [1_000, 20_000],
    (size) =>
      `datatable (a: long, s: string) [${times(size, (i) => `${i}, 's${i}'`, ', ')}] | count`,
  ),
  ...plans(
    'columns of a datatable',
    [100, 2_000],
    (size) =>
      `datatable (${times(size, (i) => `c${i}: long`, ', ')}) [${times(size, String, ', ')}]`,
  ),
  ...plans(
    'a datatable of text',
    [400_000],
    (size) => `datatable (s: string) ['${'x'.repeat(size)}'] | project strlen(s)`,
  ),
  ...plans(
    'a let used by the next let',
    [100, 500, 2_000],
    (size) => `let v0 = 1;\n${times(size, (i) => `let v${i + 1} = v${i} + 1;\n`)}print v${size}`,
  ),
  ...plans(
    'a let used twice by the next let',
    [10, 20, 29, 200],
    (size) =>
      `let v0 = 1;\n${times(size, (i) => `let v${i + 1} = v${i} + v${i};\n`)}print v${size}`,
  ),
  ...plans(
    'a random let used twice by the next let',
    [10, 20, 29, 200],
    (size) =>
      `let v0 = rand();\n${times(size, (i) => `let v${i + 1} = v${i} + v${i};\n`)}print v${size}`,
  ),
  ...plans('a let of a table used by the next let', [50, 200, 500, 2_000], (size) =>
    chain(size, from, (t) => t, ' | take 1'),
  ),
  ...plans('a let of a table filtered by the next let', [50, 200, 500, 2_000], (size) =>
    chain(size, from, (t) => `${t} | where a != 3`, ' | take 1'),
  ),
  ...plans(
    'lets that are not used',
    [2_000],
    (size) => `${times(size, (i) => `let t${i} = ${from} | where a == ${i};\n`)}${from} | take 1`,
  ),
  ...plans(
    'a function that is called twice by the next',
    [5, 20, 29],
    (size) =>
      `let g0 = (x: long) { x + 1 };\n${times(size, (i) => `let g${i + 1} = (x: long) { g${i}(x) + g${i}(x) };\n`)}print g${size}(1)`,
  ),
  ...plans(
    'members of a member',
    [50, 240, 2_000],
    (size) => `${from} | extend n = list${times(size, (i) => `[${i}]`)} | take 1`,
  ),
  ...plans(
    'computed members of a member',
    [10, 20, 50, 200],
    (size) => `${from} | extend n = list${'[a]'.repeat(size)} | take 1`,
  ),
  ...plans(
    'a regular expression',
    [1_000, 100_000],
    (size) => `${from} | where s matches regex '${'(a|b)?'.repeat(size)}' | count`,
  ),
  {
    name: 'a variable used many times',
    largest: true,
    apl: `${from} | where s in (${times(2_000, () => 'big', ', ')}) | count`,
    variables: { big: 'x'.repeat(100_000) },
  },
  {
    name: 'a list variable used many times',
    largest: true,
    apl: `${from} | where ${times(500, () => 'a in (big)', ' or ')} | count`,
    variables: { big: Array.from({ length: 5_000 }, (_, i) => i) },
  },
];
