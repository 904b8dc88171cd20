// Fetches the records of documents from their deployments, and creates errors for failed requests.
import type * as vscode from 'vscode';
import { kinds } from '../../../../resources/src/kinds.ts';
import type { Members } from '../../../../resources/src/value.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Profile } from '../../deployments/profiles.ts';
import type { DocumentAddress } from '../../deployments/resourceAddress.ts';
import { adviceFor } from '../../host/advice.ts';
import type { Failure, Outcome } from '../../service/failure.ts';
import { unavailable } from '../../ui/editorParts.ts';
import { getRecord } from '../calls.ts';
import { isInEditor, readJson } from './aplInEditor.ts';
import { addressOf, nounAndName } from './documentTexts.ts';
import { SaveCancelled } from './saveFailures.ts';

/** Returns a document's deployment. Throws if it isn't in the settings or its address has changed. */
export function profileOf(
  deployments: Deployments,
  { deployment, host }: DocumentAddress,
): Profile {
  const profile = deployments.find(deployment);
  if (profile === undefined) {
    throw unavailable(
      `The deployment ${deployment} is no longer in the settings. Add it again, or copy the text.`,
    );
  }
  if (profile.kind === 'hosted' && host !== undefined && host !== profile.general) {
    throw unavailable(
      `The deployment ${deployment} has a different address than when the document was opened (${host}).`,
    );
  }
  return profile;
}

export async function fetchRecord(
  deployments: Deployments,
  address: DocumentAddress,
): Promise<Outcome<Members>> {
  const { kind, id } = address;
  const profile = profileOf(deployments, address);
  return deployments.call((service) => getRecord(service, kind, id), profile);
}

/** Returns a document's record. If only an open JSON document contains the APL, returns that document's content. */
export async function recordOf(
  deployments: Deployments,
  address: DocumentAddress,
): Promise<Outcome<Members>> {
  if (!isInEditor(address)) return fetchRecord(deployments, address);
  return { ok: true, value: readJson(address).document };
}

export function requestFailed(
  deployments: Deployments,
  uri: vscode.Uri,
  done: 'opened from' | 'saved to' | 'created on',
  failure: Failure,
): Error {
  if (failure.kind === 'cancelled') return new SaveCancelled();
  const { kind, deployment } = addressOf(uri);
  const local = deployments.find(deployment)?.kind === 'local';
  const { message } = adviceFor(failure, { local, needs: `access to ${kinds[kind].capability}` });
  const isWrong = failure.status === 400 || failure.status === 422;
  const next = isWrong && done !== 'opened from' ? ' Correct it, then save again.' : '';
  return unavailable(`${nounAndName(uri)} was not ${done} ${deployment}. ${message}${next}`);
}
