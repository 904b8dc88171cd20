// Parses times by a Go reference layout, like Go's time.Parse. The layout is the time `Mon Jan 2 15:04:05 2006 -0700
// MST` in the wanted form. Names of months and days match in any case, and a fraction after the seconds is accepted
// even if the layout has none.
import { type LayoutPart, layoutTokens } from '../../../../formats/src/goLayout.ts';
import { daysInMonth, daysOf, fractionNanos } from '../../../../formats/src/rfc3339.ts';

/** A parsed time as written. */
export interface LocalTime {
  /** The local time in seconds since 1970, as if it were UTC. */
  readonly local: number;
  readonly nanos: number;
  /** Seconds ahead of UTC; undefined if the text has no zone. */
  readonly offset: number | undefined;
}

interface State {
  readonly text: string;
  at: number;
  year: number;
  month: number;
  day: number;
  /** The day of the year, from 1; undefined if the layout lacks it. */
  yearDay: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  afternoon: boolean | undefined;
  offset: number | undefined;
}

/** Reads a part of `state.text` at `state.at`. Returns whether it matched. */
type Part = (state: State) => boolean;

export interface Layout {
  /** Returns undefined if the text doesn't match the layout or the day or time doesn't exist. */
  parse(text: string): LocalTime | undefined;
  readonly hasZone: boolean;
  readonly hasYear: boolean;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Offsets of unambiguous zone abbreviations. Go silently reads all others as UTC. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  UT: 0,
  WET: 0,
  EST: -5,
  EDT: -4,
  CDT: -5,
  MDT: -6,
  MST: -7,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
  WEST: 1,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
};

const number =
  (set: (state: State, value: number) => void, min: number, max: number): Part =>
  (state) => {
    let at = state.at;
    let value = 0;
    while (at - state.at < max && isDigit(state.text.charCodeAt(at))) {
      value = value * 10 + state.text.charCodeAt(at) - 48;
      at += 1;
    }
    if (at - state.at < min) return false;
    state.at = at;
    set(state, value);
    return true;
  };

const name =
  (names: readonly string[], length: number, set: (state: State, index: number) => void): Part =>
  (state) => {
    for (let index = 0; index < names.length; index += 1) {
      const expected =
        length === 0 ? (names[index] as string) : (names[index] as string).slice(0, length);
      const end = state.at + expected.length;
      if (state.text.slice(state.at, end).toLowerCase() !== expected) continue;
      state.at = end;
      set(state, index);
      return true;
    }
    return false;
  };

const setYear = (state: State, value: number) => {
  state.year = value;
};
const setShortYear = (state: State, value: number) => {
  state.year = value + (value >= 69 ? 1900 : 2000);
};
const setYearDay = (state: State, value: number) => {
  state.yearDay = value;
};
const setMonth = (state: State, value: number) => {
  state.month = value;
};
const setDay = (state: State, value: number) => {
  state.day = value;
};
const setHour = (state: State, value: number) => {
  state.hour = value;
};
const setMinute = (state: State, value: number) => {
  state.minute = value;
};
const setSecond = (state: State, value: number) => {
  state.second = value;
};
const ignore = () => {};

const spaced =
  (part: Part): Part =>
  (state) => {
    if (state.text[state.at] === ' ') state.at += 1;
    return part(state);
  };

const fraction = (state: State): boolean => {
  const sign = state.text[state.at];
  if (sign !== '.' && sign !== ',') return false;
  let end = state.at + 1;
  while (isDigit(state.text.charCodeAt(end))) end += 1;
  if (end === state.at + 1) return false;
  state.nanos = fractionNanos(state.text.slice(state.at + 1, end));
  state.at = end;
  return true;
};

const second =
  (min: number, fractionFollows: boolean): Part =>
  (state) => {
    if (!number(setSecond, min, 2)(state)) return false;
    if (!fractionFollows) fraction(state);
    return true;
  };

const amPm: Part = (state) => {
  const text = state.text.slice(state.at, state.at + 2).toUpperCase();
  if (text !== 'AM' && text !== 'PM') return false;
  state.afternoon = text === 'PM';
  state.at += 2;
  return true;
};

const offset =
  (zulu: boolean, colon: boolean, minutes: boolean): Part =>
  (state) => {
    const { text } = state;
    if (zulu && text[state.at] === 'Z') {
      state.at += 1;
      state.offset = 0;
      return true;
    }
    const pattern = minutes ? (colon ? WITH_COLON : WITHOUT_COLON) : HOURS;
    pattern.lastIndex = state.at;
    const match = pattern.exec(text);
    if (match === null) return false;
    const seconds = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60;
    if (Number(match[2]) > 23 || Number(match[3] ?? 0) > 59) return false;
    state.offset = match[1] === '-' ? -seconds : seconds;
    state.at += match[0].length;
    return true;
  };
const WITH_COLON = /([+-])(\d\d):(\d\d)/y;
const WITHOUT_COLON = /([+-])(\d\d)(\d\d)/y;
const HOURS = /([+-])(\d\d)/y;

const abbreviation: Part = (state) => {
  ABBREVIATION.lastIndex = state.at;
  const match = ABBREVIATION.exec(state.text);
  if (match === null) return false;
  const [text] = match;
  if (state.offset === undefined) {
    if (!Object.hasOwn(ABBREVIATIONS, text)) return false;
    state.offset = (ABBREVIATIONS[text] as number) * 3600;
  }
  state.at += text.length;
  return true;
};
const ABBREVIATION = /[A-Z]{1,5}/y;

const PARTS: Readonly<Record<LayoutPart, Part>> = {
  January: name(MONTHS, 0, (state, index) => setMonth(state, index + 1)),
  Monday: name(DAYS, 0, ignore),
  'Z07:00': offset(true, true, true),
  '-07:00': offset(false, true, true),
  Z0700: offset(true, false, true),
  '-0700': offset(false, false, true),
  '2006': number(setYear, 4, 4),
  Jan: name(MONTHS, 3, (state, index) => setMonth(state, index + 1)),
  Mon: name(DAYS, 3, ignore),
  MST: abbreviation,
  Z07: offset(true, false, false),
  '-07': offset(false, false, false),
  '002': number(setYearDay, 3, 3),
  '01': number(setMonth, 2, 2),
  '02': number(setDay, 2, 2),
  '03': number(setHour, 2, 2),
  '04': number(setMinute, 2, 2),
  '05': second(2, false),
  '06': number(setShortYear, 2, 2),
  '15': number(setHour, 1, 2),
  PM: amPm,
  pm: amPm,
  _2: spaced(number(setDay, 1, 2)),
  '1': number(setMonth, 1, 2),
  '2': number(setDay, 1, 2),
  '3': number(setHour, 1, 2),
  '4': number(setMinute, 1, 2),
  '5': second(1, false),
};

/** Compiled layouts, cached because all parts of ingest use the same one. */
const layouts = new Map<string, Layout>();

export function goLayout(layout: string): Layout {
  let known = layouts.get(layout);
  if (known === undefined) {
    known = compile(layout);
    if (layouts.size > 1_000) layouts.clear();
    layouts.set(layout, known);
  }
  return known;
}

function compile(layout: string): Layout {
  const tokens = layoutTokens(layout);
  const texts = new Set(tokens.map(({ kind, text }) => (kind === 'part' ? text : '')));
  const parts = tokens.map((token, index): Part => {
    // Go requires as many digits as zeros. Programs omit trailing zeros and, with them, the point.
    if (token.kind === 'fraction') return (state) => fraction(state) || true;
    if (token.kind === 'literal') return literal(token.text);
    if (token.text !== '05' && token.text !== '5') return PARTS[token.text];
    return second(token.text.length, tokens[index + 1]?.kind === 'fraction');
  });
  const isTwelveHour = texts.has('03') || texts.has('3');
  return {
    hasZone: [...texts].some((text) => /07|MST/.test(text)),
    hasYear: texts.has('2006') || texts.has('06'),
    parse: (text) => parse(text, parts, isTwelveHour),
  };
}

const literal =
  (character: string): Part =>
  (state) => {
    if (state.text[state.at] !== character) return false;
    state.at += 1;
    return true;
  };

function parse(text: string, parts: readonly Part[], isTwelveHour: boolean): LocalTime | undefined {
  const state: State = {
    text,
    at: 0,
    year: 0,
    month: 1,
    day: 1,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    afternoon: undefined,
    offset: undefined,
  };
  for (const part of parts) {
    if (!part(state)) return undefined;
  }
  if (state.at !== text.length) return undefined;
  const { year, month, day, yearDay, minute, afternoon } = state;
  let { hour } = state;
  if (isTwelveHour && (hour > 12 || (afternoon !== undefined && hour === 0))) return undefined;
  if (afternoon === true && hour < 12) hour += 12;
  else if (afternoon === false && hour === 12) hour = 0;
  if (hour > 23 || minute > 59 || state.second > 59) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (yearDay !== undefined && (yearDay < 1 || yearDay > 337 + daysInMonth(year, 2))) {
    return undefined;
  }
  const days = yearDay === undefined ? daysOf(year, month, day) : daysOf(year, 1, 1) + yearDay - 1;
  return {
    local: days * 86_400 + hour * 3600 + minute * 60 + state.second,
    nanos: state.nanos,
    offset: state.offset,
  };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
