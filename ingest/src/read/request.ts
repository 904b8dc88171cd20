// What goes with each request of a file: the time field, where the service reads it, and the labels.
import type { ReadSettings } from '../settings.ts';

export interface RequestOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Whether times are converted here rather than read by the service. It reads RFC 3339 as everyone does; units of
 * epochs are its own guess, layouts depend on the library that reads them, and it has no zone for local times.
 */
export function convertsTimes({ time }: ReadSettings): boolean {
  return time !== undefined && time.format.kind !== 'rfc3339';
}

export function requestOptions(settings: ReadSettings): RequestOptions {
  const { time, labels } = settings;
  const named = time !== undefined && time.field !== '_time' && !convertsTimes(settings);
  return {
    query: named ? { 'timestamp-field': time.field } : {},
    headers: Object.keys(labels).length === 0 ? {} : { 'X-Axiom-Event-Labels': asciiJson(labels) },
  };
}

/** JSON of ASCII characters alone, as a header has it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
