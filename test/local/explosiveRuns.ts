// Short queries that need far too much time or memory: joins and unions that multiply rows, arrays
// that multiply items, growing strings, unlimited groups, and functions with quadratic work. They
// use the dataset `big` of 20,000 events with the fields `i` (its number), `k` (always 1) and `s`
// (a string).

/** Joins a dataset with itself on a key that all its events share. */
const product = (count: number) =>
  Array.from({ length: count }, () => "| join kind=inner (['big']) on k").join(' ');

const expand = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `| extend a${i} = range(1, 2000, 1) | mv-expand a${i} to typeof(long)`,
  ).join(' ');

/** Returns let statements of tables, each derived from the previous one by `step`. */
const chain = (count: number, step: (name: string, i: number) => string) => {
  const lets = Array.from({ length: count }, (_, i) => `let t${i + 1} = ${step(`t${i}`, i)}; `);
  return `let t0 = ['big']; ${lets.join('')}t${count}`;
};
const doubled = (name: string) => `${name} | union ${name}`;

export const explosiveRuns: Readonly<Record<string, string>> = {
  'a join with itself': `['big'] ${product(1)} | summarize sum(i)`,
  'a join of three': `['big'] ${product(2)} | summarize sum(i)`,
  'a join of six': `['big'] ${product(5)} | count`,
  'a join, kept': `['big'] ${product(2)} | project i, i1 | limit 50000`,
  'a join, sorted': `['big'] ${product(1)} | sort by i asc, i1 desc | limit 10`,
  'a join, in groups': `['big'] ${product(1)} | summarize count() by i, i1 | count`,
  'a join, distinct': `['big'] ${product(1)} | distinct i, i1, s | count`,
  'a join, listed': `['big'] ${product(1)} | summarize make_list(strcat(s, s1))`,
  'a join, in sets': `['big'] ${product(1)} | summarize make_set(strcat(s, i1)) by i`,
  'a join, in percentiles': `['big'] ${product(1)} | summarize percentile(i * i1, 50)`,
  'a join, counted distinctly': `['big'] ${product(1)} | summarize dcount(strcat(i, '-', i1))`,
  'a join, matched': `['big'] ${product(1)} | where strcat(s, s1) matches regex '(a+)+b' | count`,
  'ranges expanded three times': `['big'] ${expand(3)} | count`,
  'ranges expanded once, listed': `['big'] ${expand(1)} | summarize make_list(a0)`,
  'ranges expanded twice, grouped': `['big'] ${expand(2)} | summarize count() by a0, a1, i | count`,
  'ranges expanded twice, in a series': `['big'] ${expand(2)} | make-series count() on _time from ago(1d) to now() step 1s by a1`,
  'unions that double past the bound': `${chain(29, doubled)} | count`,
  'unions that double up to the bound': `${chain(13, doubled)} | summarize sum(i) by s`,
  'unions that double, listed': `${chain(13, doubled)} | summarize make_list(s)`,
  'unions that double, sorted': `${chain(13, doubled)} | sort by s asc, i asc | take 10`,
  'groups that double': `${chain(13, (t, i) => `${t} | union (${t} | extend i = i + ${20_000 * 2 ** i}) | distinct i, s`)} | count`,
  'arrays that double': `print a = range(1, 1000, 1) ${'| extend a = array_concat(a, a) '.repeat(25)}| extend n = array_length(a)`,
  'arrays that double, packed': `['big'] | extend a = pack_array(s, s) ${'| extend a = pack_array(a, a) '.repeat(22)}| summarize make_list(a)`,
  'texts that double': `print t = 'abcdefgh' ${'| extend t = strcat(t, t) '.repeat(33)}| extend n = strlen(t)`,
  'texts that double, of each event': `['big'] | extend t = s ${'| extend t = strcat(t, t) '.repeat(20)}| summarize max(strlen(t))`,
  'texts that are replaced by longer ones': `print t = 'aaaaaaaaaaaaaaaa' ${"| extend t = replace_string(t, 'a', 'aaaaaaaaaaaaaaaa') ".repeat(8)}| extend n = strlen(t)`,
  'all events as one list':
    "['big'] | summarize l = make_list(s) | extend l = array_concat(l, l), m = l | extend n = array_concat(l, m)",
  'lists of lists':
    "['big'] | summarize l = make_list(s) by b = i % 100 | summarize make_list(l) | extend k = 1 | join kind=inner (['big']) on k",
  'a list beside every event':
    "['big'] | summarize l = make_list(s), k = max(k) | join kind=inner (['big']) on k | summarize make_list(l)",
  'every pair of events in a text': `['big'] ${product(1)} | summarize strcat_array(make_list(strcat(s, s1)), ',')`,
  'hashes of every pair': `['big'] ${product(1)} | summarize max(hash_sha512(hash_sha512(hash_sha512(strcat(s, s1)))))`,
  'a transform of a long range': 'print s = range(0, 200000, 1) | extend f = series_fft(s)',
  'transforms of many ranges':
    "['big'] | extend s = range(0, 10000, 1) | extend f = series_fft(s) | summarize max(array_length(f))",
  'a long text from a range': "print strcat_array(range(1, 1000000, 1), ',')",
  'sorted ranges of each event':
    "['big'] | extend a = array_sort_desc(range(1, 50000, 1)) | summarize sum(tolong(a[0]))",
  'sets of ranges of each event':
    "['big'] | extend a = set_union(range(1, 20000, 1), range(10000, 40000, 1)) | summarize sum(array_length(a))",
  'many bins':
    "['big'] | make-series count() on _time from datetime(1700-01-01) to datetime(2200-01-01) step 1s",
  'many groups of many bins':
    "['big'] | summarize count() by bin(_time, 1ns), i, strcat(s, i) | summarize make_list(s1 = i)",
  'patterns that repeat': `['big'] | extend t = strcat_array(range(1, 5000, 1), ' ') | extend m = extract_all('(\\\\d+)', t) | summarize sum(array_length(m))`,
  'parts of long texts':
    "['big'] | extend t = strcat_array(range(1, 20000, 1), ' ') | extend p = split(t, ' ') | summarize sum(array_length(p))",
};
