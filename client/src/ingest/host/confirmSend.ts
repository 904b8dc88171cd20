// Asks for confirmation before files are sent.

import { counted, plural } from '../../../../formats/src/counts.ts';
import { savedRuns } from '../../../../ingest/src/send/savedRuns.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Profile } from '../../deployments/profiles.ts';
import type { WriteQuestion } from '../../deployments/writeWords.ts';
import { confirm } from '../../ui/notifications.ts';
import { bytesInWords } from '../amounts.ts';
import type { SendRequest } from './effects.ts';
import { doubledQuestion } from './endedRuns.ts';

/** Asks before a write to production, and before a partly stored file is sent again from its start. */
export async function confirmSend(
  writes: Deployments['writes'],
  profile: Profile,
  job: SendRequest,
  folder: string,
): Promise<boolean> {
  const { dataset, fresh } = job;
  const { name: deployment } = profile;
  if (!(await writes.confirm(profile, 'ingest', ingestQuestion(deployment, job)))) return false;
  const runs = fresh.length === 0 ? [] : await savedRuns(folder);
  const question = doubledQuestion(runs, { paths: fresh, dataset, deployment });
  if (question === undefined) return true;
  return confirm(question.message, question.detail, 'Send from the Start');
}

function ingestQuestion(
  deployment: string,
  { dataset, files, bytes, isNew }: SendRequest,
): WriteQuestion & { readonly covers: readonly string[] } {
  const are = plural(files, 'is', 'are');
  return {
    message: `Ingest into '${dataset}' on ${deployment}?`,
    detail: `${counted(files, 'file')} (${bytesInWords(bytes)}) ${are} sent to the ${isNew ? 'new' : 'existing'} dataset '${dataset}'. Events cannot be removed one by one.`,
    action: 'Ingest',
    // Cover the creation of a new dataset, because sending the first events creates it.
    covers: isNew ? ['createDataset'] : [],
  };
}
