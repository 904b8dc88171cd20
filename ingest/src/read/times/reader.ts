// Reads a file's times according to its settings.

import { type Instant, parseStrictRfc3339 } from '../../../../formats/src/rfc3339.ts';
import { FileProblem } from '../../contract.ts';
import type { TimeSettings } from '../../settings.ts';
import { parseEpoch } from './epoch.ts';
import { goLayout } from './goLayout.ts';
import { isStorable } from './instant.ts';
import { fromLocal, isZone } from './zone.ts';

/** Parses a string, or a number as written; undefined if it isn't a time. */
export type TimeReader = (text: string) => Instant | undefined;

/**
 * Creates a time reader. It returns undefined for a time that can't be stored. Throws a FileProblem if the zone doesn't
 * exist.
 */
export function timeReader({ format, zone }: Pick<TimeSettings, 'format' | 'zone'>): TimeReader {
  if (!isZone(zone)) {
    throw new FileProblem(
      `${JSON.stringify(zone)} is not a time zone. Choose an IANA name, such as Europe/Berlin, or UTC.`,
    );
  }
  const read = formatReader(format, zone);
  let lastText = '';
  let last: Instant | undefined;
  // Consecutive events often have the same time, so the last one is cached.
  return (text) => {
    if (text === lastText) return last;
    const instant = read(text);
    lastText = text;
    last = instant !== undefined && isStorable(instant) ? instant : undefined;
    return last;
  };
}

function formatReader(format: TimeSettings['format'], zone: string): TimeReader {
  switch (format.kind) {
    case 'rfc3339':
      return parseStrictRfc3339;
    case 'epoch':
      return (text) => parseEpoch(text, format.unit);
    case 'layout': {
      const layout = goLayout(format.layout);
      return (text) => {
        const written = layout.parse(text);
        if (written === undefined) return undefined;
        const { local, nanos, offset } = written;
        const seconds = offset === undefined ? fromLocal(zone, local) : local - offset;
        return { seconds, nanos };
      };
    }
  }
}

/** Describes a value that can't be read as a time. */
export function timeProblem(time: TimeSettings, text: string): string {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return formatReader(time.format, time.zone)(text) === undefined
    ? `The time in ${time.field}, ${shown}, is not in the chosen format.`
    : `The time in ${time.field}, ${shown}, is not between 1677-09-21 and 2262-04-11, which is what can be stored.`;
}

/** Returns whether text is a time too early or too late to store. */
export function isBeyondStorage(time: TimeSettings, text: string): boolean {
  const instant = formatReader(time.format, time.zone)(text);
  return instant !== undefined && !isStorable(instant);
}
