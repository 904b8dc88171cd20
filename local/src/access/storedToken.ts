/**
 * Defines the stored form of an API token: its record, with a hash in place of the secret. The members that limit the
 * token are required, so that a damaged record can't grant more than an intact one.
 */
import { anyObject, key, object, optional, type Static, text } from '../../../api/src/index.ts';

export const StoredToken = object({
  id: key(text()),
  name: key(text()),
  description: optional(text()),
  datasetCapabilities: key(anyObject()),
  orgCapabilities: key(anyObject()),
  viewCapabilities: key(anyObject()),
  expiresAt: key(text('A time, or `never`.')),
  created: optional(text('A time. Records of older versions have none.')),
  hash: key(text('SHA-256 of the secret, in hex.')),
});

export function earlierExpiry(a: string, b: string): string {
  return expiryMillis(a) < expiryMillis(b) ? a : b;
}

/** The stored expiry of a permanent token. Null isn't used, because a missing expiry could look the same. */
export const NO_EXPIRY = 'never';
export type StoredToken = Static<typeof StoredToken>;

/** Returns an expiry in milliseconds since 1970: infinity for `never`, or NaN if damaged, which counts as expired. */
export function expiryMillis(end: string): number {
  if (end === NO_EXPIRY) return Number.POSITIVE_INFINITY;
  return Date.parse(end.toUpperCase().replace(/(\.\d{3})\d+/, '$1'));
}
