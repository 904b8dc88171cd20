// The local deployment that the window under test has started, asked past the extension.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** The folder of the extension's own storage in the profile that the suite runs with. */
export function storageFolder(): string {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!workspace) throw new Error('The suite runs without a workspace folder.');
  return join(workspace, '..', 'user-data', 'User', 'globalStorage', 'aplomb.aplomb');
}

/** Sends a request and returns the answer's JSON. Throws where the status is not a success. */
export async function askLocal(method: string, path: string, body?: unknown): Promise<unknown> {
  const lock = await readFile(join(storageFolder(), 'local', 'deployment.json'), 'utf8');
  const { url, token } = JSON.parse(lock) as { url: string; token: string };
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
