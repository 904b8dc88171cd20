/**
 * A file of 5,000 lines: opened with all diagnostics, then typed in, each keystroke answered by all
 * diagnostics as they are now and a completion; and the same keystrokes in a file of 50 lines.
 */
import { type Measure, measure, median } from '../measure.ts';
import { fileOf } from './queries.ts';
import { inTurn, took } from './rounds.ts';
import type { OpenFile, Service } from './service.ts';

const lines = 5_000;
const few = 50;
const bar = 1 / 20;
const twice = 2;

const openRounds = { ours: { warm: 5, counted: 15 }, theirs: { warm: 1, counted: 3 } };

/** What is typed behind a condition, one character after another. */
const typed = ' and _ti';

export interface Files {
  readonly large: string;
  readonly small: string;
  /** Where the small text stands in the large one. */
  readonly at: number;
}

/** The large file, and the lines from its middle that are the small one. */
export function files(): Files {
  const large = fileOf(lines);
  const all = large.split('\n');
  let first = lines / 2;
  while (all[first - 1] !== '') first++;
  const at = all.slice(0, first).join('\n').length + 1;
  return { large, at, small: all.slice(first, first + few).join('\n') };
}

/** The ends of the lines that hold a condition. */
export function sites(text: string): number[] {
  return [...text.matchAll(/^\| where .*$/gm)].map((found) => found.index + found[0].length);
}

export function fileMeasures(ours: Service, theirs: Service): Measure[] {
  const { large, small, at } = files();
  const opened = (service: Service) => () => service.open(large).diagnose();
  const { ours: mine, theirs: other } = inTurn(openRounds, opened(ours), opened(theirs));

  const places = sites(small);
  const inLarge = places.map((place) => at + place);
  const inSmallFile = ours.open(small);
  const inLargeFile = ours.open(large);
  const theirFile = theirs.open(large);
  keystrokes(inSmallFile, places, 30);
  keystrokes(inLargeFile, inLarge, 30);
  const times = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < 20; round++) {
    times.small.push(keystrokes(inSmallFile, places, 1));
    times.large.push(keystrokes(inLargeFile, inLarge, 1));
  }
  const smallTime = median(times.small);
  const largeTime = median(times.large);
  keystrokes(theirFile, inLarge.slice(0, 1), 1);
  const theirTime = keystrokes(theirFile, inLarge.slice(0, 4), 1);
  return [
    measure('language', `${lines} lines: opened with all diagnostics`, 'ms', mine, other, bar),
    measure('language', `${lines} lines: a keystroke`, 'ms', largeTime, theirTime, bar),
    measure(
      'language',
      `a keystroke in ${lines} lines by ${few}`,
      'ms',
      largeTime,
      smallTime,
      twice,
    ),
  ];
}

/** Types at each place, answers each character, and takes it all back; the median of a character. */
function keystrokes(file: OpenFile, places: readonly number[], rounds: number): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const place of places) {
      for (let i = 0; i < typed.length; i++) {
        const at = place + i;
        times.push(
          took(() => {
            file.edit(at, at, typed.charAt(i));
            file.diagnose();
            file.complete(at + 1);
          }),
        );
      }
      file.edit(place, place + typed.length, '');
      file.diagnose();
    }
  }
  return median(times);
}
