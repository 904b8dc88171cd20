/**
 * Whether the time for a character grows with the length of the text: the whole analysis, the splitting
 * of documents, formatting, over texts full of one thing. Measured here and not in a test, where it would
 * depend on how busy the machine is.
 */
import { format } from '../../language/src/editing.ts';
import { analyze, analyzeQuery, splitQueries } from '../../language/src/index.ts';
import { documentShapes, queryShapes, type Shape } from '../language/shapes.ts';
import { collect } from './language/rounds.ts';
import { type Bench, type Measure, measure } from './measure.ts';

const small = 1_000;
const large = 1_000_000;
/** Quadratic work would come out at a thousand; caches and the collection of garbage take their share. */
const bar = 3;

/**
 * The best of three rounds, in microseconds for a thousand characters. Each round works through as many
 * characters as the large text has, so that short texts, too, are charged for the garbage they leave. What
 * counts is how long the thread ran: what else the machine does interrupts every round of a second.
 */
function best(text: string, work: (text: string) => unknown): number {
  const times = Math.max(1, Math.round(large / text.length));
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    collect();
    const before = process.threadCpuUsage();
    for (let i = 0; i < times; i++) work(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return (least * 1000) / (text.length * times);
}

function grown(
  what: string,
  shapes: Readonly<Record<string, Shape>>,
  work: (text: string) => unknown,
): Measure[] {
  return Object.entries(shapes).map(([shape, make]) => {
    const few = best(make(small), work);
    const many = best(make(large), work);
    return measure('textGrowth', `${what}: ${shape}`, 'µs/1000 characters', many, few, bar);
  });
}

/** The shapes of text to format: mostly complete queries, and some with errors. */
const formatted = [
  'nested calls',
  'chained and operators',
  'arguments of a call',
  'stages that add the same column',
  'joins of pipelines',
  'let statements with many names',
  'unclosed parentheses, one per line',
  'comments after stages',
];

export const textGrowth: Bench = {
  name: 'textGrowth',
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
