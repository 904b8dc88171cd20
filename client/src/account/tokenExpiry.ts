// When the token in use ends. The service lists the records of API tokens without saying whose request it is, so the
// record is found by what the token was seen to do: a record that does not allow it is of another token.
import type { ReadResponse } from '../../../api/src/index.ts';
import { counted } from '../words/counts.ts';

export type TokenRecord = ReadResponse<'listTokens'>[number];

interface Expiry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** In words, such as `in 3 days`. */
  readonly words: string;
  readonly isNear: boolean;
}

const DAY_MS = 86_400_000;
const NEAR_MS = 14 * DAY_MS;

/** Returns the only unexpired record that can read all capabilities in `read`; undefined if none or several can. */
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

/** Undefined where a token does not expire. */
export function expiryOf({ expiresAt }: TokenRecord, now: number): Expiry | undefined {
  const at = endOf(expiresAt);
  if (at === undefined) return undefined;
  const left = at - now;
  return { at, words: inWords(left), isNear: left <= NEAR_MS };
}

/** The zero time of the service's language means that there is none. */
function endOf(text: string | null | undefined): number | undefined {
  const at = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || new Date(at).getUTCFullYear() <= 1 ? undefined : at;
}

function inWords(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  if (hours < 1) return 'within the hour';
  if (hours < 48) return `in ${counted(hours, 'hour')}`;
  return `in ${Math.floor(hours / 24)} days`;
}
