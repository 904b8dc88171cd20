// Reads the time of events that are sent unchanged, for the service to parse.

import { counted, grouped } from '../../../../formats/src/counts.ts';
import type { Instant } from '../../../../formats/src/rfc3339.ts';
import type { UnreadTimes } from '../../contract.ts';
import type { ReadSettings, TimeSettings } from '../../settings.ts';
import { NumberText } from '../exactJson.ts';
import { convertsTimes } from '../request.ts';
import { valueAt } from '../valueAt.ts';
import { parseEpoch, unitOf } from './epoch.ts';
import { isBeyondStorage, type TimeReader, timeReader } from './reader.ts';

/**
 * A field's text that isn't RFC 3339 or is a time that can't be stored. The service refuses the event if it can't read
 * the time.
 */
export interface UnreadTime {
  readonly field: string;
  readonly text: string;
}

export interface SentTime {
  readonly time: Instant | undefined;
  readonly unread?: UnreadTime;
}

const rfc3339: Pick<TimeSettings, 'format' | 'zone'> = {
  format: { kind: 'rfc3339' },
  zone: 'UTC',
};

export class SentTimes {
  readonly #read: TimeReader = timeReader(rfc3339);
  /** The fields the service checks for a time, in order. */
  readonly #fields: readonly string[];

  constructor(settings: ReadSettings) {
    const { time } = settings;
    const named = time === undefined || convertsTimes(settings) ? [] : [time.field];
    this.#fields = [...new Set([...named, '_time'])];
  }

  /** Reads an event's time as the service would. */
  of(event: Readonly<Record<string, unknown>>): SentTime {
    for (const field of this.#fields) {
      const value = valueAt(event, field);
      if (value === undefined || value === null) continue;
      if (value instanceof NumberText || typeof value === 'number') {
        const text = value instanceof NumberText ? value.text : String(value);
        return { time: parseEpoch(text, unitOf(Number(text))) };
      }
      if (typeof value !== 'string' || value.trim() === '') return { time: undefined };
      const time = this.#read(value);
      return time === undefined ? { time, unread: { field, text: value } } : { time };
    }
    return { time: undefined };
  }
}

const TEXT_CHARACTERS_MAX = 60;

/** Describes times that aren't RFC 3339 or are outside the storable range. */
export function unreadTimesText({ field, events, line, text }: UnreadTimes): string {
  const shown = JSON.stringify(
    text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text,
  );
  const at = grouped(line);
  const range = 'between 1677-09-21 and 2262-04-11';
  const problem = isBeyondStorage({ field, ...rfc3339 }, text) ? `not ${range}` : 'not RFC 3339';
  const those =
    events === 1
      ? `The time in ${field} on line ${at}, ${shown}, is ${problem}.`
      : `${counted(events, 'time')} in ${field} are not RFC 3339 or not ${range}, the first on line ${at}: ${shown}.`;
  return `${those} The deployment refuses events whose time it cannot read.`;
}
