/**
 * Whether the time for a character grows with the length of the text: the whole analysis, the splitting
 * of documents, formatting, over texts full of one thing. Measured here and not in a test, where it would depend on
 * how busy the machine is.
 */
import { analyzeQuery, format, splitQueries } from '../../language/src/index.ts';
import { type Bench, type Measure, measure } from './measure.ts';

const small = 10_000;
const large = 1_000_000;
/** Quadratic work would come out at a hundred; caches and the collection of garbage take their share. */
const bar = 10;

type Make = (length: number) => string;

const manyQueries: Make = (n) => "['a']\n| where x == 1\n| take 5\n\n".repeat(n / 32);

const queries: Readonly<Record<string, Make>> = {
  'open brackets': (n) => '('.repeat(n),
  'nested calls': (n) => `logs | extend x = ${'strlen('.repeat(n / 7)}`,
  'a chain of or': (n) => `logs | where ${'status == 1 or '.repeat(n / 15)}ok`,
  'a long list': (n) => `logs | where status in (${'"abc", '.repeat(n / 7)}"z")`,
  members: (n) => `logs | where a${'.b'.repeat(n / 2)}`,
  'many stages': (n) => `logs${'\n| extend x = status + 1'.repeat(n / 23)}`,
  'many joins': (n) => `logs${'\n| join logs on id'.repeat(n / 18)}`,
  'many aggregates': (n) => `logs | summarize ${'count(), '.repeat(n / 9)}count()`,
  'many lets': (n) => `${'let x = 1;\n'.repeat(n / 11)}logs`,
  'unknown functions': (n) => `logs | where ${'nothing(1) and '.repeat(n / 15)}ok`,
  'many pipes': (n) => '|'.repeat(n),
};

const documents: Readonly<Record<string, Make>> = {
  'many queries': manyQueries,
  'queries on one line': (n) => 'a;'.repeat(n / 2),
  'open brackets': (n) => '(\n\n'.repeat(n / 3),
  'blank lines': (n) => '\n'.repeat(n),
};

/** The best of some rounds, in microseconds for a thousand characters. */
function best(text: string, rounds: number, work: (text: string) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work(text);
    least = Math.min(least, performance.now() - start);
  }
  return (least * 1_000_000) / text.length;
}

function grown(what: string, shapes: typeof queries, work: (text: string) => unknown): Measure[] {
  return Object.entries(shapes).map(([shape, make]) => {
    const few = best(make(small), 20, work);
    const many = best(make(large), 3, work);
    return measure('growth', `${what}: ${shape}`, 'µs/1000 characters', many, few, bar);
  });
}

export const growth: Bench = {
  name: 'growth',
  summary: 'time for a character of a large text, against that of a small one',
  async run(progress) {
    progress(`from ${small} to ${large} characters`);
    return [
      ...grown('analysis', queries, (text) => analyzeQuery(text)),
      ...grown('splitting', documents, splitQueries),
      ...grown('formatting', { ...queries, 'many queries': manyQueries }, format),
    ];
  },
};
