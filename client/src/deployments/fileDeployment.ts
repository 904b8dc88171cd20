// The deployment of a document's queries: a resource's own, or the one that a line of the file names, or the window's.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import { languageId } from '../host/languageId.ts';
import { failed, type Outcome } from '../service/failure.ts';
import type { Deployments } from './deployments.ts';
import { DEPLOYMENT_WITHIN, deploymentLine, type FileLine } from './fileLines.ts';
import type { Profile } from './profiles.ts';
import { querySettings } from './querySettings.ts';
import { documentScheme, readAddress } from './resourceAddress.ts';

/** Returns the line that names a document's deployment. Documents of resources don't need one. */
export function deploymentLineOf(document: vscode.TextDocument): FileLine | undefined {
  if (document.languageId !== languageId || document.uri.scheme === documentScheme) {
    return undefined;
  }
  // Reads enough lines for the search, so that a long document isn't copied at every keystroke.
  const beginning = new vscode.Range(0, 0, DEPLOYMENT_WITHIN, 0);
  return deploymentLine(document.getText(beginning));
}

/** Returns the name of a document's deployment; undefined if it uses the window's. */
export function deploymentStatedBy(document: vscode.TextDocument): string | undefined {
  const { uri } = document;
  if (uri.scheme === documentScheme) return readAddress(uri.query)?.deployment;
  return deploymentLineOf(document)?.text;
}

/** Returns the names of deployments in open documents and notebooks. */
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

/** Returns the deployment with the name in a file; the active one if the file names none. */
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
