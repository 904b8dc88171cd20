// The deployment that a document's queries go to: that of a resource for its own documents, the one that a line of a
// file names, the one of a cell's notebook, or else that of the window.
import * as vscode from 'vscode';
import { notebookType } from '../../../server/src/protocol.ts';
import { languageId } from '../host/languageId.ts';
import { failed, type Outcome } from '../service/failure.ts';
import type { Deployments } from './deployments.ts';
import { DEPLOYMENT_WITHIN, deploymentLine, type FileLine } from './fileLines.ts';
import type { Profile } from './profiles.ts';
import { querySettings } from './querySettings.ts';
import { documentScheme, readAddress } from './resourceAddress.ts';

/** The line of a document that names its deployment. The document of a resource has one anyway. */
export function deploymentLineOf(document: vscode.TextDocument): FileLine | undefined {
  if (document.languageId !== languageId || document.uri.scheme === documentScheme) {
    return undefined;
  }
  // A long document is not copied with every key; these lines have more than is looked at.
  const beginning = new vscode.Range(0, 0, DEPLOYMENT_WITHIN, 0);
  return deploymentLine(document.getText(beginning));
}

/** The name of the deployment that a document states; undefined where it leaves that to the window. */
export function deploymentStatedBy(document: vscode.TextDocument): string | undefined {
  const { uri } = document;
  if (uri.scheme === documentScheme) return readAddress(uri.query)?.deployment;
  return deploymentLineOf(document)?.text;
}

/** The names of the deployments that open documents and notebooks state. */
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

/** The deployment of a name that a file states; the active one where it states none. */
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
