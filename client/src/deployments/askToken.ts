// Asks for the token of a hosted deployment, and names the addresses to which it will be sent.
import * as vscode from 'vscode';
import { TOKEN_PREFIXES, type TokenKind, tokenKind } from '../../../api/src/plain.ts';
import { showInputBox } from '../ui/inputs.ts';
import type { Deployments } from './deployments.ts';
import { type HostedProfile, knownEdgeOrigins, originsOf, type Profile } from './profiles.ts';

/** Asks for a missing token and stores it for the deployment's addresses. Resolves even if no token is entered. */
export async function askForMissingToken(
  deployments: Deployments,
  profile: Profile,
): Promise<void> {
  if (profile.kind === 'local') return;
  const missing = await deployments.credentials.missing(originsOf(profile), profile.name);
  if (missing.length > 0) await askForToken(deployments, profile, missing);
}

/** Asks for a token and stores it for `origins`. Returns whether a token was entered. */
export async function askForToken(
  deployments: Deployments,
  profile: HostedProfile,
  origins = originsOf(profile),
): Promise<boolean> {
  const token = await showInputBox({
    ...tokenInput(profile, origins),
    title: `Token for ${profile.name}`,
    ignoreFocusOut: true,
    validateInput: (text) => tokenMessage(text.trim()),
  });
  const given = token?.trim();
  if (!given) return false;
  await deployments.credentials.store(origins, profile.name, given);
  return true;
}

/** Returns the options of the token's input box, whose prompt names the addresses that get the token. */
export function tokenInput(profile: HostedProfile, origins = originsOf(profile)) {
  const all = [...new Set([...origins, ...knownEdgeOrigins(profile)])];
  // Mention the workspace's settings, because an opened folder may have set the addresses.
  const source =
    profile.from === 'workspace' ? ' These URLs come from the workspace settings.' : '';
  return {
    prompt: `The token is stored in the secret storage of VS Code and sent only to ${all.join(', ')}.${source}`,
    placeHolder: `${TOKEN_PREFIXES.api}… (API token) or ${TOKEN_PREFIXES.personal}… (personal token)`,
    password: true,
  };
}

export function tokenMessage(token: string): vscode.InputBoxValidationMessage | undefined {
  if (token === '') return undefined;
  const { Error: error, Info: info } = vscode.InputBoxValidationSeverity;
  // Reject other characters, because a line break, for example, could add a second header.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const message = 'A token has only letters, digits and punctuation, and no spaces.';
    return { message, severity: error };
  }
  const kind = tokenKind(token);
  return kind && { message: tokenKinds[kind], severity: info };
}

const tokenKinds: Readonly<Record<TokenKind, string>> = {
  api: 'API token: it has its own capabilities.',
  personal:
    'Personal token: it has the capabilities of your user. Queries go through the general address, so results can leave the region of their dataset.',
};
