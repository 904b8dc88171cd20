// Builds the query and headers of a file's requests: the time field, if the service reads it, and the labels.
import type { ReadSettings } from '../settings.ts';

export interface RequestOptions {
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns whether times are converted here instead of by the service. The service reads RFC 3339 like everyone. It
 * guesses the units of epochs, layouts depend on its library, and it has no zone for local times.
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

/** Returns JSON in ASCII only, for use in a header. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
