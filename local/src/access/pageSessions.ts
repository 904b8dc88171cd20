/**
 * Manages the landing page's sessions, so that the page needs no token that outlives the process. A link contains a
 * code, which can be exchanged once for a session. Only hashes of codes and sessions are stored, and only in memory.
 * Codes and sessions therefore end with the process, and are useless to a program that gets its port later.
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

/** Lifetime of a code. A link is opened soon after it is printed, if at all. */
const CODE_MS = 24 * 3_600_000;
const SESSION_MS = 12 * 3_600_000;

/** Maximum number of codes, and of sessions. Beyond it, the oldest code or session is dropped. */
const SECRETS_MAX = 100;

export class PageSessions {
  /** Expiry times of codes and of sessions, by hash, in milliseconds since 1970. */
  readonly #codes = new RecentMap<number>(SECRETS_MAX);
  readonly #sessions = new RecentMap<number>(SECRETS_MAX);

  newCode(): string {
    return addSecret(this.#codes, CODE_MS);
  }

  /** Exchanges a code for the secret of a new session. Returns undefined if the code is unknown, used or expired. */
  exchange(code: string): string | undefined {
    const hash = hashOf(code);
    const ends = this.#codes.get(hash);
    if (ends === undefined) return undefined;
    this.#codes.delete(hash);
    return ends > Date.now() ? PREFIX + addSecret(this.#sessions, SESSION_MS, PREFIX) : undefined;
  }

  /** Returns the capabilities of the session with this hash. Returns undefined if the session is unknown or expired. */
  capabilitiesOf(hash: string): Capabilities | undefined {
    const ends = this.#sessions.get(hash);
    if (ends === undefined) return undefined;
    if (ends > Date.now()) return sessionCapabilities;
    this.#sessions.delete(hash);
    return undefined;
  }
}

const PREFIX = 'page-';

/** Generates and returns a random secret. Stores only the hash of `prefix` followed by the secret. */
function addSecret(secrets: RecentMap<number>, lastsMs: number, prefix = ''): string {
  const secret = randomBytes(32).toString('base64url');
  secrets.set(hashOf(prefix + secret), Date.now() + lastsMs);
  return secret;
}
