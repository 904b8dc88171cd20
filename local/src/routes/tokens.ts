/** API tokens: records whose secret is shown once, when it is made. */
import type { NewToken, Token, TokenWithSecret } from '../../../api/src/index.ts';
import { hashOf, newSecret } from '../access/secrets.ts';
import { millisOf, NEVER, type StoredToken } from '../access/storedToken.ts';
import type { Store } from '../store/store.ts';
import { addDocument, changeDocument, deleteDocument, getDocument, newId } from './documents.ts';
import type { Handlers } from './handler.ts';

export const tokenHandlers: Handlers = {
  listTokens: ({ seen }) => seen.documents<StoredToken>('token').map(recordOf),
  getToken: ({ store, params }) => recordOf(getDocument<StoredToken>(store, 'token', params.id)),
  createToken: ({ store, body }) => create(store, body),
  /** The one that is replaced keeps its identifier, and stays as a record that says when it ends. */
  regenerateToken: async ({ store, params, body }) => {
    const { newToken, newTokenExpiresAt, existingTokenExpiresAt } = body;
    const settings = newToken ?? settingsOf(getDocument(store, 'token', params.id));
    const expiresAt = newTokenExpiresAt ?? newToken?.expiresAt ?? null;
    // The old one works until there is another.
    const made = await create(store, { ...settings, expiresAt });
    await changeDocument<StoredToken>(store, 'token', params.id, (current) => ({
      ...current,
      expiresAt: earlier(current.expiresAt, existingTokenExpiresAt),
    }));
    return made;
  },
  deleteToken: ({ store, params }) => deleteDocument(store, 'token', params.id),
};

async function create(store: Store, body: NewToken): Promise<TokenWithSecret> {
  const id = newId();
  const secret = newSecret('api');
  const token: StoredToken = {
    id,
    name: body.name,
    ...(body.description === undefined ? {} : { description: body.description }),
    datasetCapabilities: { ...body.datasetCapabilities },
    orgCapabilities: { ...body.orgCapabilities },
    viewCapabilities: { ...body.viewCapabilities },
    expiresAt: body.expiresAt ?? NEVER,
    hash: hashOf(secret),
  };
  await addDocument<StoredToken>(store, 'token', id, token);
  return { ...recordOf(token), token: secret };
}

// One that has ended, or soon will, is not made to last by regenerating it.
function earlier(end: string, asked: string): string {
  return millisOf(asked) < millisOf(end) ? asked : end;
}

function settingsOf(token: StoredToken): NewToken {
  const { id: _id, samlAuthenticated: _saml, ...settings } = recordOf(token);
  return settings;
}

function recordOf({ hash: _hash, expiresAt, ...settings }: StoredToken): Token {
  return {
    ...settings,
    expiresAt: expiresAt === NEVER ? null : expiresAt,
    samlAuthenticated: false,
  } as Token;
}
