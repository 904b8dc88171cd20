// Finds the field with the events' time by common names and by values that are times.
import type { TimeFinding } from '../contract.ts';
import { isBeyondStorage, timeReader } from '../read/times/reader.ts';
import type { TimeSettings } from '../settings.ts';
import { type FormatFinding, findFormats } from './timeFormats.ts';

export interface FieldSamples {
  /** The name as in the file. */
  readonly name: string;
  /** Strings and numbers of the first events, as written. */
  readonly values: readonly string[];
  /** The number of events examined. */
  readonly events: number;
}

export type TimeCandidate = TimeFinding['candidates'][number] & {
  /** Whether some values are too early or too late to store. */
  readonly isOutOfRange: boolean;
};

const CANDIDATES_MAX = 20;

/** Common names of time fields, in order of preference. */
const NAMES = [
  '_time',
  '@timestamp',
  'timestamp',
  'time',
  'datetime',
  'ts',
  'eventtime',
  'eventtimestamp',
  'timestampms',
  'timestampns',
  'timeunixnano',
  'starttimeunixnano',
  'date',
  't',
  'at',
  'createdat',
  'starttime',
  'startedat',
  'start',
  'created',
  'epoch',
  'occurredat',
  'receivedat',
  'logtime',
  'localtime',
  'updatedat',
];

const TIME_WORD =
  /(?:^|[^a-z])(?:time|date|timestamp|datetime|ts|epoch|day|month|year|created|updated|modified|started|ended|at|when)(?:$|[^a-z])/;
const YEAR_WORD = /(?:^|[^a-z])(?:year|yr)(?:$|[^a-z])/;

/** Splits a name into words: `createdAt` and `created_at` become `created at`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9@]+/g, ' ')
    .toLowerCase()
    .trim();
}

/** Returns the fields that may be the time, best first. */
export function findTimeFields(fields: readonly FieldSamples[]): TimeCandidate[] {
  const ranked: { candidate: TimeCandidate; score: number }[] = [];
  fields.forEach(({ name, values, events }, index) => {
    if (values.length === 0) return;
    const words = wordsOf(name);
    const known = NAMES.indexOf(name === '_time' ? name : words.replaceAll(' ', ''));
    const timeName = known >= 0 || TIME_WORD.test(words);
    const formats = findFormats(values, { timeName, isServiceTime: name === '_time' }).filter(
      ({ precision }) => precision !== 'year' || YEAR_WORD.test(words),
    );
    formats.forEach((finding, rank) => {
      const settings: TimeSettings = { field: name, format: finding.format, zone: 'UTC' };
      const read = timeReader(settings);
      const isTime = (text: string) => text.trim() !== '' && read(text.trim()) !== undefined;
      const isBeyond = (text: string) => isBeyondStorage(settings, text.trim());
      const sample = values.find(isTime) ?? values.find(isBeyond);
      if (sample === undefined) return;
      const isOutOfRange = values.some(isBeyond);
      const readable = values.filter(
        (text) => text.trim() === '' || read(text.trim()) !== undefined,
      ).length;
      const score =
        nameScore(known, timeName, name) +
        precisionScore[finding.precision] +
        (values.length / events) * 20 -
        (readable < values.length ? 40 : 0) -
        (isOutOfRange ? 1_000 : 0) -
        rank -
        index / 1_000;
      ranked.push({
        candidate: { settings, sample, hasZone: finding.hasZone, isOutOfRange },
        score,
      });
    });
  });
  return ranked
    .sort((a, b) => b.score - a.score)
    .slice(0, CANDIDATES_MAX)
    .map(({ candidate }) => candidate);
}

const precisionScore: Readonly<Record<FormatFinding['precision'], number>> = {
  time: 30,
  date: 25,
  month: 15,
  year: -20,
};

function nameScore(known: number, timeName: boolean, name: string): number {
  const nested = name.includes('.') && name !== '_time' ? 5 : 0;
  if (known >= 0) return 100 - known - nested;
  return (timeName ? 40 : 10) - nested;
}
