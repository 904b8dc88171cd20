/** All queries one after another, parsed, analysed and diagnosed; and completion in each of them. */
import { type Measure, measure, median } from '../measure.ts';
import { inTurn, took } from './rounds.ts';
import type { Service } from './service.ts';

/** Ours by theirs: the twentieth part of their time. */
const bar = 1 / 20;

const rounds = { ours: { warm: 10, counted: 21 }, theirs: { warm: 1, counted: 5 } };

export function corpusMeasures(
  texts: readonly string[],
  ours: Service,
  theirs: Service,
): Measure[] {
  const works: Readonly<Record<string, (service: Service, text: string) => void>> = {
    parse: (service, text) => service.parse(text),
    analysis: (service, text) => service.analyze(text),
    diagnostics: (service, text) => service.diagnose(text),
  };
  return Object.entries(works).map(([name, work]) => {
    const all = (service: Service) => () => {
      for (const text of texts) work(service, text);
    };
    const { ours: mine, theirs: other } = inTurn(rounds, all(ours), all(theirs));
    return measure('language', `corpus: ${name}`, 'ms', mine, other, bar);
  });
}

/** A cursor as somebody types: behind the first letters of a word at a known place. */
const places: Readonly<Record<string, RegExp>> = {
  'in an argument': /(?:\w\(|\bwhere |\bby )(?=[a-z_])\w{2}/g,
  'at an operator': /\| (?=[a-z])\w{2}/g,
};

/** How many queries are tried; theirs take some milliseconds each, several times. */
const tried = 30;

export function completionMeasures(
  texts: readonly string[],
  ours: Service,
  theirs: Service,
): Measure[] {
  return Object.entries(places).flatMap(([where, pattern]) => {
    const cursors = texts
      .map((text) => ({ text, offset: lastEnd(text, pattern) }))
      .filter(({ offset }) => offset > 0)
      .filter((_, i, all) => i % Math.ceil(all.length / tried) === 0);
    const typed = each(cursors, ours, theirs, (service, { text, offset }) => {
      return () => service.complete(text, offset);
    });
    const known = each(cursors, ours, theirs, (service, { text, offset }) => {
      const complete = service.analyzed(text);
      return () => complete(offset);
    });
    return [
      measure(
        'language',
        `completion ${where}: from the text`,
        'ms',
        typed.ours,
        typed.theirs,
        bar,
      ),
      measure('language', `completion ${where}: analysed`, 'ms', known.ours, known.theirs, bar),
    ];
  });
}

function lastEnd(text: string, pattern: RegExp): number {
  const found = [...text.matchAll(pattern)].at(-1);
  return found === undefined ? -1 : found.index + found[0].length;
}

/** The median over cursors of the median over rounds. */
function each<Cursor>(
  cursors: readonly Cursor[],
  ours: Service,
  theirs: Service,
  prepare: (service: Service, cursor: Cursor) => () => unknown,
): { ours: number; theirs: number } {
  const time = (service: Service, warm: number, counted: number) =>
    median(
      cursors.map((cursor) => {
        const work = prepare(service, cursor);
        for (let i = 0; i < warm; i++) work();
        return median(Array.from({ length: counted }, () => took(work)));
      }),
    );
  time(ours, 3, 3);
  return { ours: time(ours, 5, 21), theirs: time(theirs, 1, 5) };
}
