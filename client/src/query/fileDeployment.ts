// The deployment that a file's queries go to: the one that a line of the file names, or else that of the window.
import * as vscode from 'vscode';
import { failed, type Outcome } from '../api/failure.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Profile } from '../deployments/profiles.ts';
import { languageId } from '../languageClient.ts';
import { DEPLOYMENT_WITHIN, deploymentLine, type FileLine } from './fileLines.ts';

/** The line of a document that names its deployment. */
export function deploymentLineOf(document: vscode.TextDocument): FileLine | undefined {
  if (document.languageId !== languageId) return undefined;
  // A long document is not copied with every key; these lines have more than is looked at.
  const beginning = new vscode.Range(0, 0, DEPLOYMENT_WITHIN, 0);
  return deploymentLine(document.getText(beginning));
}

/** The deployment of a name that a file states; the active one where it states none. */
export function deploymentNamed(
  deployments: Deployments,
  named: string | undefined,
): Outcome<Profile> {
  const value = named === undefined ? deployments.active : deployments.find(named);
  if (value !== undefined) return { ok: true, value };
  const message = `This file names the deployment "${named}", which is not in the settings. Select another deployment, or add it.`;
  return failed({ kind: 'routing', host: String(named), message });
}

/** The deployment of a document. */
export function deploymentOf(
  deployments: Deployments,
  document: vscode.TextDocument | undefined,
): Outcome<Profile> {
  const line = document && deploymentLineOf(document);
  return deploymentNamed(deployments, line?.text);
}
