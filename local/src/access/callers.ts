/** Identifies a request's caller by the hash of the token in the `Authorization` header. */
import type { TokenKind } from '../../../api/src/index.ts';
import { ApiError } from '../errors.ts';
import type { Primary } from '../primary/primary.ts';
import type { Resources } from '../store/resources.ts';
import { Capabilities, EVERYTHING } from './capabilities.ts';
import { directoryOf, LOCAL_USER_ID } from './directory.ts';
import type { PageSessions } from './pageSessions.ts';
import { hashOf, isSameHash } from './secrets.ts';
import { expiryMillis, NO_EXPIRY, type StoredToken } from './storedToken.ts';

export interface Caller {
  readonly kind: TokenKind;
  /** A stored token's ID, `api` or `personal` for a token in the data folder, or `page` for a page session. */
  readonly tokenId: string;
  /** The user that a personal token acts as, or that owns the resources created with an API token. */
  readonly userId: string;
  readonly capabilities: Capabilities;
  readonly expiresAt: string;
  /** Whether the token is one of the two in the data folder. Only these two tokens may control the process. */
  readonly isOwner: boolean;
}

export interface OwnTokens {
  readonly token: string;
  readonly personalToken: string;
}

const everything = Capabilities.of([EVERYTHING]);
const nothing = Capabilities.of([]);

const ofTokens = { userId: LOCAL_USER_ID, expiresAt: NO_EXPIRY };
const ownApi = { ...ofTokens, kind: 'api', tokenId: 'api', isOwner: true } as const;
const ownPersonal = { ...ofTokens, kind: 'personal', tokenId: 'personal', isOwner: true } as const;
const ofPage = { ...ofTokens, kind: 'api', tokenId: 'page', isOwner: false } as const;

export class Callers {
  readonly #resources: Resources;
  readonly #sessions: PageSessions | undefined;
  readonly #primary: Primary | undefined;
  readonly #apiHash: string;
  readonly #personalHash: string;
  #tokens: ReadonlyMap<string, StoredToken> = new Map();
  #version = -1;
  /** A changed token is a new object, so its capabilities are computed again. */
  readonly #capabilities = new WeakMap<StoredToken, Capabilities>();

  constructor(
    resources: Resources,
    { token, personalToken }: OwnTokens,
    sessions: PageSessions | undefined,
    primary: Primary | undefined,
  ) {
    this.#resources = resources;
    this.#sessions = sessions;
    this.#primary = primary;
    this.#apiHash = hashOf(token);
    this.#personalHash = hashOf(personalToken);
  }

  /** Returns the caller for an `Authorization` header. Throws an ApiError if the header has no valid token. */
  async identify(authorization: string | null): Promise<Caller> {
    const secret = secretOf(authorization ?? '');
    if (secret === undefined) throw new ApiError('no-token');
    const hash = hashOf(secret);
    const isApi = isSameHash(hash, this.#apiHash);
    const isPersonal = isSameHash(hash, this.#personalHash);
    if ((isApi || isPersonal) && this.#primary !== undefined) {
      // These tokens only control this process.
      return { ...ownApi, capabilities: nothing };
    }
    if (isApi) {
      return { ...ownApi, capabilities: everything };
    }
    if (isPersonal) {
      const capabilities = directoryOf(this.#resources).capabilitiesOf(LOCAL_USER_ID);
      return { ...ownPersonal, capabilities };
    }
    const ofSession = this.#sessions?.capabilitiesOf(hash);
    if (ofSession !== undefined) {
      return { ...ofPage, capabilities: ofSession };
    }
    if (this.#primary !== undefined) return this.#primary.callerOf(secret, hash);
    const stored = this.#find(hash);
    if (stored === undefined) throw new ApiError('wrong-token');
    const { expiresAt } = stored;
    if (!(expiryMillis(expiresAt) > Date.now())) {
      throw new ApiError('expired-token', { name: JSON.stringify(stored.name), time: expiresAt });
    }
    const capabilities = this.#capabilitiesOf(stored);
    return {
      ...ofTokens,
      kind: 'api',
      tokenId: stored.id,
      capabilities,
      expiresAt,
      isOwner: false,
    };
  }

  // Finds a token by hash. The comparison needn't take constant time: a hash reveals nothing about similar secrets.
  #find(hash: string): StoredToken | undefined {
    const version = this.#resources.versionOf('token');
    if (version !== this.#version) {
      const stored = this.#resources.list<StoredToken>('token');
      this.#tokens = new Map(stored.map((token) => [token.hash, token]));
      this.#version = version;
    }
    const found = this.#tokens.get(hash);
    return found !== undefined && isSameHash(found.hash, hash) ? found : undefined;
  }

  #capabilitiesOf(token: StoredToken): Capabilities {
    let capabilities = this.#capabilities.get(token);
    if (capabilities === undefined) {
      capabilities = Capabilities.of([token]);
      this.#capabilities.set(token, capabilities);
    }
    return capabilities;
  }
}

/** Extracts the token. Elasticsearch clients send `ApiKey` with the token, or with `NAME:TOKEN` in Base64. */
function secretOf(authorization: string): string | undefined {
  const [, scheme, given] = /^(Bearer|ApiKey)\s+(\S+)\s*$/i.exec(authorization) ?? [];
  if (given === undefined || scheme!.toLowerCase() === 'bearer') return given;
  return /^[^:]*:(.+)$/.exec(Buffer.from(given, 'base64').toString())?.[1] ?? given;
}
