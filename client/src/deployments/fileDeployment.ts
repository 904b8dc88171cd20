// Finds a document's deployment: a resource's own, the one in the file's deployment comment, or the window's.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import { languageId } from '../host/languageId.ts';
import { failed, type Outcome } from '../service/failure.ts';
import type { Deployments } from './deployments.ts';
import { DEPLOYMENT_WITHIN, deploymentLine, type FileLine } from './fileLines.ts';
import type { Profile } from './profiles.ts';
import { querySettings } from './querySettings.ts';
import { documentScheme, readAddress } from './resourceAddress.ts';

/** Returns a document's deployment comment. Resource documents don't need one. */
export function deploymentLineOf(document: vscode.TextDocument): FileLine | undefined {
  if (document.languageId !== languageId || document.uri.scheme === documentScheme) {
    return undefined;
  }
  // Read only as many lines as the search needs, so that a long document isn't copied at every keystroke.
  const beginning = new vscode.Range(0, 0, DEPLOYMENT_WITHIN, 0);
  return deploymentLine(document.getText(beginning));
}

/** Returns the deployment name that a document sets; undefined if it uses the window's deployment. */
export function deploymentStatedBy(document: vscode.TextDocument): string | undefined {
  const { uri } = document;
  if (uri.scheme === documentScheme) return readAddress(uri.query)?.deployment;
  return deploymentLineOf(document)?.text;
}

export function deploymentsInUse(): string[] {
  const names = vscode.workspace.textDocuments.map(deploymentStatedBy);
  for (const notebook of vscode.workspace.notebookDocuments) {
    if (notebook.notebookType !== notebookType) continue;
    for (const { metadata } of [notebook, ...notebook.getCells()]) {
      names.push(querySettings(metadata).deployment);
    }
  }
  return names.filter((name) => name !== undefined);
}

/** Returns the deployment that a file names; the active deployment if the file names none. */
export function deploymentNamed(
  deployments: Deployments,
  named: string | undefined,
): Outcome<Profile> {
  const value = named === undefined ? deployments.active : deployments.find(named);
  if (value !== undefined) return { ok: true, value };
  const message = `This file names the deployment '${named}', which is not in the settings. Select another deployment, or add it.`;
  return failed({ kind: 'routing', host: String(named), message });
}

export function deploymentOf(
  deployments: Deployments,
  document: vscode.TextDocument | undefined,
): Outcome<Profile> {
  return deploymentNamed(deployments, document && deploymentStatedBy(document));
}
