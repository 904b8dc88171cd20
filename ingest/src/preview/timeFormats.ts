// Detects the time format of sample values: RFC 3339, a number since 1970, or a Go layout derived from the samples and
// then checked against all of them.

import type { Instant } from '../../../formats/src/rfc3339.ts';
import { parseStrictRfc3339 } from '../../../formats/src/rfc3339.ts';
import { parseEpoch, unitOf } from '../read/times/epoch.ts';
import { goLayout } from '../read/times/goLayout.ts';
import type { TimeFormat } from '../settings.ts';

export interface FormatFinding {
  readonly format: TimeFormat;
  /** Whether the values include a zone. */
  readonly hasZone: boolean;
  /** The smallest unit the format includes. */
  readonly precision: 'time' | 'date' | 'month' | 'year';
}

/** Maximum percentage of samples that aren't times. */
const OTHERS_MAX = 5;
/** The same for `_time`, which the service always reads as the time. */
const SERVICE_OTHERS_MAX = 50;
const SHAPES_MAX = 12;

/** Returns the formats that match the samples, likeliest first. There are several if day and month are ambiguous. */
export function findFormats(
  samples: readonly string[],
  { timeName, isServiceTime = false }: { timeName: boolean; isServiceTime?: boolean },
): FormatFinding[] {
  const texts = [...new Set(samples.map((sample) => sample.trim()))].filter((text) => text !== '');
  if (texts.length === 0) return [];
  const minShare = (100 - (isServiceTime ? SERVICE_OTHERS_MAX : OTHERS_MAX)) / 100;
  if (parsedShare(texts, parseStrictRfc3339) >= minShare) {
    return [{ format: { kind: 'rfc3339' }, hasZone: true, precision: 'time' }];
  }
  const epoch = epochFormat(texts, timeName);
  if (epoch !== undefined) return [epoch];
  const layouts = new Set<string>();
  const shapes = new Set<string>();
  for (const text of texts) {
    if (text.length > 64) continue;
    const shape = text.replace(/\d/g, '0');
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    for (const layout of layoutsOf(text, timeName)) layouts.add(layout);
    if (shapes.size >= SHAPES_MAX) break;
  }
  const found: { readonly layout: string; readonly share: number }[] = [];
  for (const layout of layouts) {
    const share = parsedShare(texts, (text) => layoutTime(layout, text));
    if (share >= minShare) found.push({ layout, share });
  }
  const best = Math.max(...found.map(({ share }) => share));
  const meanings = new Set<string>();
  // A layout without zero padding reads both forms, so it is preferred unless zeros were seen.
  const zeros = texts.some((text) => /(?:^|\D)0\d/.test(text.replace(TIME_PART, '')));
  const fractions = new Set(texts.map((text) => TIME_PART.exec(text)?.[4]?.length));
  const hasFractionForm = ({ layout }: { layout: string }) =>
    /[.,]9+/.test(layout) === fractions.size > 1;
  const padded = ({ layout }: { layout: string }) => /01|02/.test(layout.replace('2006', ''));
  return found
    .filter(({ share }) => share === best)
    .sort((a, b) => Number(hasFractionForm(b)) - Number(hasFractionForm(a)))
    .sort((a, b) => (padded(a) === padded(b) ? 0 : padded(a) === zeros ? -1 : 1))
    .filter(({ layout }) => {
      // Layouts that differ only in zero padding mean the same.
      const meaning = layout
        .replace(/_2|02/g, '2')
        .replace(/01/g, '1')
        .replace(/03/g, '3')
        .replace(/[.,][09]+/, '');
      return !meanings.has(meaning) && meanings.add(meaning);
    })
    .map(({ layout }) => ({
      format: { kind: 'layout', layout },
      hasZone: goLayout(layout).hasZone,
      precision: precisionOf(layout),
    }));
}

function layoutTime(layout: string, text: string): Instant | undefined {
  const written = goLayout(layout).parse(text);
  return written && { seconds: written.local - (written.offset ?? 0), nanos: written.nanos };
}

function parsedShare(
  texts: readonly string[],
  read: (text: string) => Instant | undefined,
): number {
  return texts.filter((text) => read(text) !== undefined).length / texts.length;
}

function precisionOf(layout: string): FormatFinding['precision'] {
  if (/15|03|3/.test(layout.replace(/2006/, '')) && /04/.test(layout)) return 'time';
  if (/2(?!006)|02|002/.test(layout)) return 'date';
  return /Jan|01|1/.test(layout) ? 'month' : 'year';
}

const NUMBER = /^-?\d{1,19}(?:\.\d{1,12})?(?:[eE]\+?\d{1,2})?$/;
const YEAR_SECONDS = 31_556_952;

/** Recognizes numbers since 1970 from 2001 to 2041, or from 1973 to 2100 if the field has a time name. */
function epochFormat(texts: readonly string[], timeName: boolean): FormatFinding | undefined {
  if (!texts.every((text) => NUMBER.test(text))) return undefined;
  const units = new Set(texts.map((text) => unitOf(Number(text))));
  const [unit] = units;
  if (unit === undefined || units.size > 1) return undefined;
  // Ten-digit numbers are often something else.
  if (unit === 's' && !timeName) return undefined;
  const minSeconds = (timeName ? 3 : 31) * YEAR_SECONDS;
  const maxSeconds = (timeName ? 130 : 71) * YEAR_SECONDS;
  const plausible = texts.every((text) => {
    const instant = parseEpoch(text, unit);
    return instant !== undefined && instant.seconds >= minSeconds && instant.seconds <= maxSeconds;
  });
  if (!plausible) return undefined;
  return { format: { kind: 'epoch', unit }, hasZone: true, precision: 'time' };
}

const TIME_PART = /(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2})([.,]\d{1,9})?)?( ?(?:[AP]M|[ap]m))?/;
const ZONE_PART =
  /^( ?)(?:(Z)|([+-]\d\d:\d\d)|([+-]\d{4})|([+-]\d\d)(?!\d)|([A-Z]{2,5})(?![A-Za-z]))( [A-Z]{2,5}(?![A-Za-z]))?/;
const COMPACT =
  /^(\d{8})(?:([T _-]?)(\d{6}|\d{4})([.,]\d{1,9})?(?:(Z|[+-]\d{4}|[+-]\d\d:\d\d))?)?$/;

/** Returns the layouts that a text may match. */
export function layoutsOf(text: string, timeName = true): string[] {
  const compact = COMPACT.exec(text);
  if (compact !== null) return compactLayouts(compact, timeName);
  const time = TIME_PART.exec(text);
  if (time === null) return dateLayouts(text, '', timeName).map(({ date }) => date);
  const before = text.slice(0, time.index);
  let after = text.slice(time.index + time[0].length);
  let zone = '';
  const zoned = ZONE_PART.exec(after);
  if (zoned !== null) {
    zone = zoneLayout(zoned);
    after = after.slice(zoned[0].length);
  }
  return dateLayouts(before, after, timeName).flatMap(({ date, afterTime }) =>
    timeLayouts(time).map((layout) => `${date}${layout}${zone}${afterTime}`),
  );
}

function compactLayouts(match: RegExpExecArray, timeName: boolean): string[] {
  const [, date = '', separator = '', time, fraction, zone] = match;
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(4, 6));
  const plain = time === undefined && !timeName;
  if (plain || year < 1900 || year > 2100 || month < 1 || month > 12) return [];
  if (time === undefined) return ['20060102'];
  const parts = [
    `20060102${separator}`,
    time.length === 6 ? '150405' : '1504',
    fraction === undefined ? '' : `${fraction[0]}${'0'.repeat(fraction.length - 1)}`,
    zone === undefined ? '' : zone.includes(':') || zone === 'Z' ? 'Z07:00' : '-0700',
  ];
  return [parts.join('')];
}

function zoneLayout(match: RegExpExecArray): string {
  const [, space = '', zulu, colon, plain, hours, , name] = match;
  const offset = zulu ? 'Z07:00' : colon ? '-07:00' : plain ? '-0700' : hours ? '-07' : 'MST';
  return `${space}${offset}${name === undefined ? '' : ' MST'}`;
}

function timeLayouts(match: RegExpExecArray): string[] {
  const [, hour = '', , second, fraction, half] = match;
  const hours = half === undefined ? ['15'] : hour.length === 2 ? ['03', '3'] : ['3'];
  const tail = [':04', second === undefined ? '' : ':05'].join('');
  const fractions =
    fraction === undefined
      ? ['']
      : [`${fraction[0]}${'0'.repeat(fraction.length - 1)}`, `${fraction[0]}${'9'.repeat(9)}`];
  const suffix = half === undefined ? '' : half.replace(/AM|PM/, 'PM').replace(/am|pm/, 'pm');
  return hours.flatMap((text) => fractions.map((digits) => `${text}${tail}${digits}${suffix}`));
}

const MONTH =
  /\b(?:(january|february|march|april|june|july|august|september|october|november|december)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(?![a-z])/i;
const DAY =
  /\b(?:((?:mon|tues|wednes|thurs|fri|satur|sun)day)|(mon|tue|wed|thu|fri|sat|sun))(?![a-z])/i;

// Placeholders for removed parts of a date: private use characters, which no date contains. GAP marks the time.
const GAP = '\ue000';
const DAY_SHORT = '\ue001';
const DAY_LONG = '\ue002';
const MONTH_SHORT = '\ue003';
const MONTH_LONG = '\ue004';

interface DateLayout {
  readonly date: string;
  /** The part after the time, such as the year in `Mon Jan 2 15:04:05 2006`. */
  readonly afterTime: string;
}

function dateLayouts(before: string, after: string, timeName: boolean): DateLayout[] {
  let text = `${before}${GAP}${after}`;
  text = text.replace(DAY, (_, long) => (long === undefined ? DAY_SHORT : DAY_LONG));
  let month = false;
  text = text.replace(MONTH, (_, long) => {
    month = true;
    return long === undefined ? MONTH_SHORT : MONTH_LONG;
  });
  // Remaining letters mean it isn't a date, except the `T` between date and time.
  if (/[A-Za-z]{2,}/.test(text)) return [];
  const runs = [...text.matchAll(/\d+/g)].map(([run]) => run);
  const slots = slotsOf(runs, month, text, timeName);
  return slots.flatMap((parts) =>
    [true, false].map((padded) => {
      let index = 0;
      const layout = text
        .replace(/( ?)(\d+)/g, (_, space: string, run: string, at: number) => {
          const part = parts[index++] as Slot;
          const isPaddedDay =
            space !== '' && text[at - 1] === ' ' && run.length === 1 && part === 'day';
          return isPaddedDay ? '_2' : `${space}${slotLayout(part, run.length, padded)}`;
        })
        .replace(DAY_SHORT, 'Mon')
        .replace(DAY_LONG, 'Monday')
        .replace(MONTH_SHORT, 'Jan')
        .replace(MONTH_LONG, 'January');
      const [date = '', afterTime = ''] = layout.split(GAP);
      return { date, afterTime };
    }),
  );
}

type Slot = 'year' | 'shortYear' | 'month' | 'day' | 'yearDay';

function slotLayout(slot: Slot, width: number, padded: boolean): string {
  switch (slot) {
    case 'year':
      return '2006';
    case 'shortYear':
      return '06';
    case 'month':
      return padded && width === 2 ? '01' : '1';
    case 'day':
      return padded && width === 2 ? '02' : '2';
    case 'yearDay':
      return '002';
  }
}

/** Returns the possible meanings of a date's numbers, likeliest first. */
function slotsOf(
  runs: readonly string[],
  month: boolean,
  text: string,
  timeName: boolean,
): readonly (readonly Slot[])[] {
  const widths = runs
    .map(({ length }) => (length <= 2 ? 's' : length === 4 ? 'y' : length === 3 ? 'd' : 'x'))
    .join('');
  if (month) {
    return (
      (
        {
          sy: [['day', 'year']],
          ys: [['year', 'day']],
          ss: [
            ['day', 'shortYear'],
            ['shortYear', 'day'],
          ],
          y: [['year']],
        } as Record<string, Slot[][]>
      )[widths] ?? []
    );
  }
  // A date with dots, such as `10.11.2012`, is almost always day first.
  const dayFirst: Slot[] = ['day', 'month'];
  const monthFirst: Slot[] = ['month', 'day'];
  const orders = text.includes('.') ? [dayFirst, monthFirst] : [monthFirst, dayFirst];
  switch (widths) {
    case 'yss':
      return [['year', 'month', 'day']];
    case 'ssy':
      return orders.map((order) => [...order, 'year']);
    case 'sss':
      // Version numbers look the same.
      return timeName
        ? [
            ...orders.map((order) => [...order, 'shortYear' as const]),
            ['shortYear', 'month', 'day'],
          ]
        : [];
    case 'ys':
      return /^\d{4}[-/.]\d\d?\ue000/.test(text) && (timeName || /^\d{4}-\d\d\ue000/.test(text))
        ? [['year', 'month']]
        : [];
    case 'sy':
      return timeName && /^\d\d?[-/.]\d{4}\ue000/.test(text) ? [['month', 'year']] : [];
    case 'yd':
      return timeName ? [['year', 'yearDay']] : [];
    case 'y':
      return timeName && /^\d{4}\ue000$/.test(text) ? [['year']] : [];
    default:
      return [];
  }
}
