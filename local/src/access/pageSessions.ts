/**
 * How the landing page gets to read without a token that outlives the process: a link has a code that is exchanged
 * once for a session. Codes and sessions are in memory only, as hashes, so that both end with the process and are
 * worth nothing to another program that gets its port.
 */
import { randomBytes } from 'node:crypto';
import { EVERY_NAME } from '../../../api/src/index.ts';
import { Capabilities } from './capabilities.ts';
import { hashOf } from './secrets.ts';

/** What a session may do: see which datasets there are, and query them. */
const sessionCapabilities = Capabilities.of([
  {
    orgCapabilities: { datasets: ['read'] },
    datasetCapabilities: { [EVERY_NAME]: { query: ['read'] } },
    viewCapabilities: { [EVERY_NAME]: { query: ['read'] } },
  },
]);

/** A link is opened soon after it was printed, or never. */
const CODE_MS = 24 * 3_600_000;
const SESSION_MS = 12 * 3_600_000;

/** More of either nobody needs; the oldest gives way. */
const SECRETS_MAX = 100;

export class PageSessions {
  /** When each ends, in milliseconds since 1970, by the hash of its secret. */
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Map<string, number>();

  /** A new code, for whoever has the deployment's own tokens. */
  newCode(): string {
    return addSecret(this.#codes, CODE_MS);
  }

  /** The secret of a new session; undefined for a code that is unknown, used or old. */
  exchange(code: string): string | undefined {
    const hash = hashOf(code);
    const ends = this.#codes.get(hash);
    if (ends === undefined) return undefined;
    this.#codes.delete(hash);
    return ends > Date.now() ? PREFIX + addSecret(this.#sessions, SESSION_MS, PREFIX) : undefined;
  }

  /** What the holder of a secret may do; undefined where it is not of a session, or of one that has ended. */
  capabilitiesOf(hash: string): Capabilities | undefined {
    const ends = this.#sessions.get(hash);
    if (ends === undefined) return undefined;
    if (ends > Date.now()) return sessionCapabilities;
    this.#sessions.delete(hash);
    return undefined;
  }
}

const PREFIX = 'page-';

/** Keeps a new random secret by the hash of it with its prefix, and gives it without. */
function addSecret(secrets: Map<string, number>, lastsMs: number, prefix = ''): string {
  const secret = randomBytes(32).toString('base64url');
  secrets.set(hashOf(prefix + secret), Date.now() + lastsMs);
  const [oldest] = secrets.keys();
  if (secrets.size > SECRETS_MAX && oldest !== undefined) secrets.delete(oldest);
  return secret;
}
