/**
 * An API token as it is kept: its record, and a hash in place of the secret. Members that bound what it may do
 * must be there and of their type, since a damaged record must not allow more than a whole one.
 */
import { anyObject, key, object, optional, type Static, text } from '../../../api/src/index.ts';

export const StoredToken = object({
  id: key(text()),
  name: key(text()),
  description: optional(text()),
  datasetCapabilities: key(anyObject()),
  orgCapabilities: key(anyObject()),
  viewCapabilities: key(anyObject()),
  expiresAt: key(text('A time, or `NO_EXPIRY`.')),
  created: optional(text('A time. Records of older versions have none.')),
  hash: key(text('SHA-256 of the secret, in hex.')),
});

/** Returns the earlier of two ends. */
export function earlierExpiry(a: string, b: string): string {
  return expiryMillis(a) < expiryMillis(b) ? a : b;
}

/** In place of the time at which a token ends, since a stored null counts as missing. */
export const NO_EXPIRY = 'never';
export type StoredToken = Static<typeof StoredToken>;

/**
 * The end of a token in milliseconds since 1970: infinite for one without an end, not a number for a damaged one,
 * which then counts as past.
 */
export function expiryMillis(end: string): number {
  if (end === NO_EXPIRY) return Number.POSITIVE_INFINITY;
  return Date.parse(end.toUpperCase().replace(/(\.\d{3})\d+/, '$1'));
}
