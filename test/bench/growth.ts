/**
 * Whether the time for a character grows with the length of the text: the whole analysis, the splitting
 * of documents, formatting, over texts full of one thing. Measured here and not in a test, where it would
 * depend on how busy the machine is.
 */
import { format } from '../../language/src/editing.ts';
import { analyze, analyzeQuery, splitQueries } from '../../language/src/index.ts';
import { documentShapes, queryShapes, type Shape } from '../language/shapes.ts';
import { collect, took } from './language/rounds.ts';
import { type Bench, type Measure, measure } from './measure.ts';

const small = 1_000;
const large = 1_000_000;
/** Quadratic work would come out at a thousand; caches and the collection of garbage take their share. */
const bar = 3;

/** The best of 300 short rounds, in microseconds for a thousand characters: enough for warm code. */
function bestOfShort(text: string, work: (text: string) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 300; round++)
    least = Math.min(
      least,
      took(() => work(text)),
    );
  return (least * 1_000_000) / text.length;
}

/**
 * The best of four long rounds, in the same unit. What counts is how long the thread ran, its share of
 * collecting garbage included: what else the machine does interrupts every round of a second.
 */
function bestOfLong(text: string, work: (text: string) => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round++) {
    collect();
    const before = process.threadCpuUsage();
    work(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return (least * 1000) / text.length;
}

function grown(
  what: string,
  shapes: Readonly<Record<string, Shape>>,
  work: (text: string) => unknown,
): Measure[] {
  return Object.entries(shapes).map(([shape, make]) => {
    const few = bestOfShort(make(small), work);
    const many = bestOfLong(make(large), work);
    return measure('growth', `${what}: ${shape}`, 'µs/1000 characters', many, few, bar);
  });
}

/** What a formatter is given is nearly always whole; of the rest, some. */
const formatted = [
  'nested calls',
  'a chain of and',
  'arguments of a call',
  'stages that make one column',
  'joins of pipelines',
  'lets of many names',
  'a bracket left open on each line',
  'comments behind stages',
];

export const growth: Bench = {
  name: 'growth',
  summary: 'time for a character of a large text, against that of a small one',
  async run(progress) {
    progress(`from ${small} to ${large} characters`);
    const analysed = grown('analysis', queryShapes, (text) => analyzeQuery(text));
    progress('documents');
    const documents = grown('document', documentShapes, (text) => analyze(text));
    const split = grown('splitting', documentShapes, splitQueries);
    progress('formatting');
    const some = Object.entries(queryShapes).filter(([name]) => formatted.includes(name));
    return [
      ...analysed,
      ...documents,
      ...split,
      ...grown('formatting', Object.fromEntries(some), format),
    ];
  },
};
