// Finds the expiry of the token in use. The service doesn't mark that token in its list, so it is found by elimination:
// a record without a permission that the token has used belongs to another token.
import type { ReadResponse } from '../../../api/src/index.ts';
import { counted } from '../../../formats/src/counts.ts';

export type TokenRecord = ReadResponse<'listTokens'>[number];

const DAY_MS = 86_400_000;
const NEAR_MS = 14 * DAY_MS;

/** Returns the only unexpired record that may read all capabilities in `read`; undefined if none or several match. */
export function recordInUse(
  records: readonly TokenRecord[],
  read: readonly string[],
  now: number,
): TokenRecord | undefined {
  const possible = records.filter(({ orgCapabilities, expiresAt }) => {
    const end = endOf(expiresAt);
    return (end === undefined || end > now) && read.every((what) => mayRead(orgCapabilities, what));
  });
  return possible.length === 1 ? possible[0] : undefined;
}

function mayRead(capabilities: unknown, what: string): boolean {
  const actions = (capabilities as Readonly<Record<string, unknown>> | null | undefined)?.[what];
  return Array.isArray(actions) && actions.includes('read');
}

export function expiryOf({ expiresAt }: TokenRecord, now: number) {
  const at = endOf(expiresAt);
  if (at === undefined) return undefined;
  const left = at - now;
  return { at, words: inWords(left), isNear: left <= NEAR_MS };
}

/** Parses an expiry time. Undefined for Go's zero time, which the service sends for tokens that don't expire. */
export function endOf(text: string | null | undefined): number | undefined {
  const at = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || new Date(at).getUTCFullYear() <= 1 ? undefined : at;
}

function inWords(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  if (hours < 1) return 'within the hour';
  if (hours < 48) return `in ${counted(hours, 'hour')}`;
  return `in ${Math.floor(hours / 24)} days`;
}
