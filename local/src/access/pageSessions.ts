/**
 * Manages sessions of the landing page, so that it can read without a token that outlives the process. A link
 * contains a code, which can be exchanged once for a session. Codes and sessions are only in memory, as hashes, so
 * both end with the process and are useless to another program that gets its port.
 */
import { randomBytes } from 'node:crypto';
import { EVERY_NAME } from '../../../api/src/index.ts';
import { Capabilities } from './capabilities.ts';
import { hashOf } from './secrets.ts';

/** The capabilities of a session: listing datasets, and querying datasets and views. */
const sessionCapabilities = Capabilities.of([
  {
    orgCapabilities: { datasets: ['read'] },
    datasetCapabilities: { [EVERY_NAME]: { query: ['read'] } },
    viewCapabilities: { [EVERY_NAME]: { query: ['read'] } },
  },
]);

/** Lifetime of a code. A link is usually opened soon after it was printed, or never. */
const CODE_MS = 24 * 3_600_000;
const SESSION_MS = 12 * 3_600_000;

/** The maximum number of codes, and also of sessions. Above it, the oldest is dropped. */
const SECRETS_MAX = 100;

export class PageSessions {
  /** Expiries of codes in milliseconds since 1970 by the hash of their secret, as for sessions. */
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  newCode(): string {
    return addSecret(this.#codes, CODE_MS);
  }

  /** Returns the secret of a new session; undefined if the code is unknown, used or expired. */
  exchange(code: string): string | undefined {
    const hash = hashOf(code);
    const ends = this.#codes.get(hash);
    if (ends === undefined) return undefined;
    this.#codes.delete(hash);
    return ends > Date.now() ? PREFIX + addSecret(this.#sessions, SESSION_MS, PREFIX) : undefined;
  }

  /** Returns the capabilities of a session by the hash of its secret; undefined if it is unknown or expired. */
  capabilitiesOf(hash: string): Capabilities | undefined {
    const ends = this.#sessions.get(hash);
    if (ends === undefined) return undefined;
    if (ends > Date.now()) return sessionCapabilities;
    this.#sessions.delete(hash);
    return undefined;
  }
}

const PREFIX = 'page-';

/** Stores the hash of a new random secret with its prefix, and returns the secret without the prefix. */
function addSecret(secrets: Map<string, number>, lastsMs: number, prefix = ''): string {
  const secret = randomBytes(32).toString('base64url');
  secrets.set(hashOf(prefix + secret), Date.now() + lastsMs);
  const [oldest] = secrets.keys();
  if (secrets.size > SECRETS_MAX && oldest !== undefined) secrets.delete(oldest);
  return secret;
}
