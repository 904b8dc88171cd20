// The local deployment that the window under test has started, asked past the extension.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ask } from './otherDeployment.ts';

/** The folder of the extension's own storage in the profile that the suite runs with. */
export function storageFolder(): string {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!workspace) throw new Error('The suite runs without a workspace folder.');
  return join(workspace, '..', 'user-data', 'User', 'globalStorage', 'aplomb.aplomb');
}

/** Sends a request and returns the JSON of its answer. Throws if the status is not a success. */
export async function askLocal(method: string, path: string, body?: unknown): Promise<unknown> {
  const lock = await readFile(join(storageFolder(), 'local', 'deployment.json'), 'utf8');
  return ask(JSON.parse(lock), method, path, body);
}
