/**
 * Manages the landing page's sessions, so that the page needs no token that outlives the process. A link contains a
 * code, which can be exchanged once for a session. Codes and sessions are in memory only, as hashes, so they are
 * useless to a program that later gets the port.
 */
import { randomBytes } from 'node:crypto';
import { EVERY_NAME } from '../../../api/src/index.ts';
import { RecentMap } from '../store/recentMap.ts';
import { Capabilities } from './capabilities.ts';
import { hashOf } from './secrets.ts';

/** The capabilities of a session: list datasets, and query datasets and views. */
const sessionCapabilities = Capabilities.of([
  {
    orgCapabilities: { datasets: ['read'] },
    datasetCapabilities: { [EVERY_NAME]: { query: ['read'] } },
    viewCapabilities: { [EVERY_NAME]: { query: ['read'] } },
  },
]);

/** A link is usually opened soon after it is printed. */
const CODE_MS = 24 * 3_600_000;
const SESSION_MS = 12 * 3_600_000;

/** Maximum number of codes, and of sessions. The oldest is dropped first. */
const SECRETS_MAX = 100;

export class PageSessions {
  /** Expiry times of codes and of sessions, by hash, in milliseconds since 1970. */
  readonly #codes = new RecentMap<number>(SECRETS_MAX);
  readonly #sessions = new RecentMap<number>(SECRETS_MAX);

  newCode(): string {
    return addSecret(this.#codes, CODE_MS);
  }

  /** Returns the secret of a new session, or undefined if the code is invalid or expired. */
  exchange(code: string): string | undefined {
    const hash = hashOf(code);
    const ends = this.#codes.get(hash);
    if (ends === undefined) return undefined;
    this.#codes.delete(hash);
    return ends > Date.now() ? PREFIX + addSecret(this.#sessions, SESSION_MS, PREFIX) : undefined;
  }

  capabilitiesOf(hash: string): Capabilities | undefined {
    const ends = this.#sessions.get(hash);
    if (ends === undefined) return undefined;
    if (ends > Date.now()) return sessionCapabilities;
    this.#sessions.delete(hash);
    return undefined;
  }
}

const PREFIX = 'page-';

/** Returns a new secret, without the prefix. Stores only the hash of the prefix and the secret. */
function addSecret(secrets: RecentMap<number>, lastsMs: number, prefix = ''): string {
  const secret = randomBytes(32).toString('base64url');
  secrets.set(hashOf(prefix + secret), Date.now() + lastsMs);
  return secret;
}
