// Provides what the tools for agents need in VS Code: a deployment of the settings, and the workspace's files.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';
import { type AgentContext, fileQueries, type WorkspaceQuery } from '../../../agents/src/index.ts';
import type { Context } from '../context.ts';
import type { Profile } from '../deployments/profiles.ts';
import { allowsAgentIngest } from '../host/settings.ts';
import type { Service } from '../service/service.ts';
import { withoutSecret } from '../service/withoutSecret.ts';
import { serviceContext } from './serviceContext.ts';

const FILES_MAX = 500;
const FILE_BYTES_MAX = 1_000_000;

/** A shorter path occurs in ordinary text. */
const PATH_CHARACTERS_MIN = 4;

export function editorContext(
  { extension, deployments }: Pick<Context, 'extension' | 'deployments'>,
  profile: Profile,
): AgentContext {
  /** Tokens that no answer may contain. */
  const secrets = new Set<string>();
  const { ingest, ...calls } = serviceContext({
    async service() {
      const found = await deployments.service(profile);
      if (found.ok) for (const token of await tokensOf(found.value)) secrets.add(token);
      return found;
    },
    tokenAdvice: 'A person can set the token with the command APL: Edit Deployment….',
  });
  const isLocal = profile.kind === 'local';
  return {
    ...calls,
    deployment: isLocal ? 'the local deployment' : `the deployment '${profile.name}'`,
    applyAdvice: 'A person can apply it in the trees of Aplomb, with Open as JSON.',
    workspaceQueries,
    page(code) {
      if (!/^[a-z][a-z0-9-]*$/.test(code)) return undefined;
      try {
        return readFileSync(extension.asAbsolutePath(`docs/diagnostics/${code}.md`), 'utf8');
      } catch {
        return undefined;
      }
    },
    redact(text, isError) {
      const clean = [...secrets].reduce(withoutSecret, text);
      const paths = isError ? hiddenPaths(extension) : [];
      return paths.reduce((shown, path) => shown.replaceAll(path, '…'), clean);
    },
    ...(isLocal && allowsAgentIngest() && { ingest }),
  };
}

async function tokensOf({ connection }: Service): Promise<string[]> {
  const origins = new Set([connection.general, connection.edge].map((url) => new URL(url).origin));
  const tokens = await Promise.all([...origins].map((origin) => connection.token(origin)));
  return tokens.filter((token) => token !== undefined);
}

function hiddenPaths({ globalStorageUri, extensionPath }: vscode.ExtensionContext): string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return [...folders, globalStorageUri.fsPath, extensionPath, homedir()]
    .filter(({ length }) => length >= PATH_CHARACTERS_MIN)
    .toSorted((a, b) => b.length - a.length);
}

/** Returns the queries in the workspace's APL and Markdown files. */
async function workspaceQueries(signal: AbortSignal): Promise<WorkspaceQuery[]> {
  const pattern = '**/*.{apl,md,markdown}';
  const files = await vscode.workspace.findFiles(pattern, '**/node_modules/**', FILES_MAX);
  const queries: WorkspaceQuery[] = [];
  for (const uri of files) {
    signal.throwIfAborted();
    queries.push(...fileQueries(basename(uri.path), (await textOf(uri)) ?? ''));
  }
  return queries;
}

/** Reads a file unless it is too large or was deleted. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > FILE_BYTES_MAX) return undefined;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
