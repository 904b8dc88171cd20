/** Handles API tokens. A token's secret is returned only in the response that creates it. */
import {
  DATASET_CAPABILITY_ACTIONS,
  type NewToken,
  ORG_CAPABILITY_ACTIONS,
  type Token,
  type TokenWithSecret,
  VIEW_CAPABILITY_ACTIONS,
} from '../../../api/src/index.ts';
import { hashOf, newSecret } from '../access/secrets.ts';
import { earlierExpiry, expiryMillis, NO_EXPIRY, type StoredToken } from '../access/storedToken.ts';
import { defined } from '../defined.ts';
import { ApiError } from '../errors.ts';
import { formatNanos } from '../time.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Call, Handlers } from './handler.ts';

export const tokenHandlers = {
  listTokens: ({ visible }) => visible.documents<StoredToken>('token').map(recordOf),
  getToken: ({ store, params }) => recordOf(getDocument<StoredToken>(store, 'token', params.id)),
  createToken: (call) => {
    checkCapabilities(call.body);
    return create(call, call.body);
  },
  /** The new token has a new ID. The old token expires at the requested time or earlier. */
  regenerateToken: async (call) => {
    const { store, params, body } = call;
    const { newToken, newTokenExpiresAt, existingTokenExpiresAt } = body;
    if (newToken !== undefined) checkCapabilities(newToken);
    const old = getDocument<StoredToken>(store, 'token', params.id);
    const settings = newToken ?? settingsOf(old);
    const expiresAt = newTokenExpiresAt ?? newToken?.expiresAt ?? sameLifetimeFrom(old, call.now);
    // A failure to create the new token must leave the old token valid.
    const created = await create(call, { ...settings, expiresAt });
    await changeDocument<StoredToken>(store, 'token', params.id, (current) => ({
      ...current,
      expiresAt: earlierExpiry(current.expiresAt, existingTokenExpiresAt),
    }));
    return created;
  },
  deleteToken: ({ store, params }) => deleteDocument(store, 'token', params.id),
} satisfies Handlers;

/** Throws an ApiError for an unknown capability, because the schema accepts any name of a capability. */
function checkCapabilities(body: NewToken): void {
  const { orgCapabilities = {}, datasetCapabilities = {}, viewCapabilities = {} } = body;
  const named = (capabilities: object, member: string, known: object) =>
    Object.keys(capabilities)
      .filter((name) => !Object.hasOwn(known, name))
      .map((name) => `${member}.${name} is not a capability`);
  const problems = [
    ...named(orgCapabilities, 'orgCapabilities', ORG_CAPABILITY_ACTIONS),
    ...Object.entries(datasetCapabilities).flatMap(([dataset, capabilities]) =>
      named(capabilities, `datasetCapabilities.${dataset}`, DATASET_CAPABILITY_ACTIONS),
    ),
    ...Object.entries(viewCapabilities).flatMap(([view, capabilities]) =>
      named(capabilities, `viewCapabilities.${view}`, VIEW_CAPABILITY_ACTIONS),
    ),
  ];
  if (problems.length > 0) throw new ApiError('bad-request', { problems: problems.join('; ') });
}

/** Creates a token, which expires no later than the token that the caller used. */
async function create(
  { store, caller, now }: Pick<Call<'createToken'>, 'store' | 'caller' | 'now'>,
  body: NewToken,
): Promise<TokenWithSecret> {
  const id = newId();
  const secret = newSecret('api');
  const token: StoredToken = {
    id,
    name: body.name,
    ...defined({ description: body.description }),
    datasetCapabilities: { ...body.datasetCapabilities },
    orgCapabilities: { ...body.orgCapabilities },
    viewCapabilities: { ...body.viewCapabilities },
    expiresAt: earlierExpiry(body.expiresAt ?? NO_EXPIRY, caller.expiresAt),
    created: formatNanos(now),
    hash: hashOf(secret),
  };
  await addDocument<StoredToken>(store, 'token', id, token);
  return { ...recordOf(token), token: secret };
}

/** Returns an expiry with the same lifetime from now. Keeps the old expiry if the creation time is unknown. */
function sameLifetimeFrom({ created, expiresAt }: StoredToken, now: bigint): string | null {
  if (expiresAt === NO_EXPIRY) return null;
  if (created === undefined) return expiresAt;
  const span = Math.max(0, expiryMillis(expiresAt) - expiryMillis(created));
  return formatNanos(now + BigInt(span) * 1_000_000n);
}

function settingsOf(token: StoredToken): NewToken {
  const { id: _id, samlAuthenticated: _saml, ...settings } = recordOf(token);
  return settings;
}

function recordOf({ hash: _hash, created: _created, expiresAt, ...settings }: StoredToken): Token {
  return {
    ...settings,
    expiresAt: expiresAt === NO_EXPIRY ? null : expiresAt,
    samlAuthenticated: false,
  } as Token;
}
