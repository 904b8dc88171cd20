// Asks for the token of a hosted deployment, naming the addresses it will be sent to.
import * as vscode from 'vscode';
import { TOKEN_PREFIXES, type TokenKind, tokenKind } from '../../../api/src/plain.ts';
import { showInputBox } from '../ui/inputs.ts';
import type { Deployments } from './deployments.ts';
import { type HostedProfile, knownEdgeOrigins, originsOf, type Profile } from './profiles.ts';

/** Asks for a missing token and keeps it for the deployment's addresses alone. Resolves even if none is entered. */
export async function askForMissingToken(
  deployments: Deployments,
  profile: Profile,
): Promise<void> {
  if (profile.kind === 'local') return;
  const missing = await deployments.credentials.missing(originsOf(profile), profile.name);
  if (missing.length > 0) await askForToken(deployments, profile, missing);
}

/** Asks for a token and keeps it for `origins`. False if the person gave none. `title` names the step. */
export async function askForToken(
  deployments: Deployments,
  profile: HostedProfile,
  origins: readonly string[] = originsOf(profile),
  title = `Token for ${profile.name}`,
): Promise<boolean> {
  const token = await showInputBox({
    title,
    prompt: tokenPrompt(profile, origins),
    placeHolder: `${TOKEN_PREFIXES.api}… (API token) or ${TOKEN_PREFIXES.personal}… (personal token)`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => tokenMessage(text.trim()),
  });
  const given = token?.trim();
  if (!given) return false;
  await deployments.credentials.store(origins, profile.name, given);
  return true;
}

/** Where a token goes. The hosted service has edge deployments that get it too. */
export function tokenPrompt(
  profile: HostedProfile,
  origins: readonly string[] = originsOf(profile),
): string {
  const all = [...new Set([...origins, ...knownEdgeOrigins(profile)])];
  return `The token is stored in the secret storage of VS Code and sent only to ${all.join(', ')}.${fromWorkspace(profile)}`;
}

/** Describes a token by its format, or says why it isn't a token. */
export function tokenMessage(token: string): vscode.InputBoxValidationMessage | undefined {
  if (token === '') return undefined;
  const { Error: error, Info: info } = vscode.InputBoxValidationSeverity;
  if (!isHeaderText(token)) {
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

/** A person should know when a folder they opened decides where a token goes. */
function fromWorkspace(profile: HostedProfile): string {
  return profile.from === 'workspace' ? ' These URLs come from the workspace settings.' : '';
}

/** Whether text may stand in a header: anything else could smuggle in a second one. */
function isHeaderText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
