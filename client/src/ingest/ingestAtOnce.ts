// Ingests files without asking anything, for callers that say where they go: sends each file with progress, and
// says exactly what is stored and what is not.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { naturalOrder } from '../../../api/src/plain.ts';
import type { RunReport } from '../../../ingest/src/contract.ts';
import type { Failure } from '../api/failure.ts';
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import type { Profile } from '../deployments/profiles.ts';
import { adviceFor } from '../host/advice.ts';
import { showFailure, showWithActions } from '../host/notify.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { showProgress } from '../ui/progress.ts';
import { counted } from '../words/counts.ts';
import { datasetNameProblem } from './datasetName.ts';
import { sourceOf } from './host/inputs.ts';
import { ingestFolder } from './ingestFolder.ts';
import { ReaderWorker } from './readerWorker.ts';
import { reportInWords } from './reportWords.ts';
import { sendUnattended } from './sendUnattended.ts';

/** Returns what came of each file. Throws where the dataset's name is not valid. */
export async function ingestAtOnce(
  context: Context,
  files: readonly vscode.Uri[],
  dataset: string,
): Promise<RunReport[]> {
  const problem = datasetNameProblem(dataset);
  if (problem) throw new Error(problem);
  const { deployments, schema } = context;
  const profile = deployments.active;
  await askForMissingToken(deployments, profile);
  const service = await deployments.service(profile);
  if (!service.ok) {
    showFailure('Cannot ingest the files', service.failure, { local: profile.kind === 'local' });
    return [];
  }
  const reports = await sendAll(context, profile, files, dataset);
  // Part of a file may be stored even where the whole of it is not.
  schema.invalidate([dataset]);
  for (const report of reports) void tell(context, profile, report);
  return reports;
}

async function sendAll(
  { extension, deployments }: Context,
  profile: Profile,
  files: readonly vscode.Uri[],
  dataset: string,
): Promise<RunReport[]> {
  const worker = new ReaderWorker(extension.asAbsolutePath('dist/ingest.cjs'));
  const controller = new AbortController();
  const reports: RunReport[] = [];
  const location = vscode.ProgressLocation.Notification;
  const title = `Ingesting into '${dataset}'`;
  try {
    await showProgress({ location, title, cancellable: true }, async (progress, token) => {
      token.onCancellationRequested(() => controller.abort());
      for (const uri of files.toSorted((a, b) => naturalOrder(a.path, b.path))) {
        const name = basename(uri.path);
        progress.report({ message: name });
        let percent = 0;
        const report = await sendUnattended({
          worker,
          file: await sourceOf(uri),
          dataset,
          deployment: { name: profile.name, isLocal: profile.kind === 'local' },
          service: () => deployments.service(profile),
          folder: ingestFolder(extension),
          signal: controller.signal,
          onProgress: ({ bytes, totalBytes, events, waiting }) => {
            const now = totalBytes === 0 ? 100 : (100 * bytes) / totalBytes;
            const how = waiting?.message ?? counted(events, 'event');
            const message = `${name}: ${megabytes(bytes)} of ${megabytes(totalBytes)} MB, ${how}`;
            progress.report({ message, increment: now - percent });
            percent = now;
          },
        });
        progress.report({ increment: -percent });
        reports.push(report);
        if (controller.signal.aborted) break;
      }
    });
  } finally {
    await worker.dispose();
  }
  return reports;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

async function tell({ log }: Context, profile: Profile, report: RunReport): Promise<void> {
  const message = reportInWords(report);
  const { outcome, dataset, failed, skipped, failures, failedFile, stored } = report;
  const isClean = outcome === 'complete' && failed + skipped === 0 && report.doubt.length === 0;
  if (isClean) log.info(message);
  else log.warn(message);
  for (const { line, reason } of failures) log.warn(`Line ${line} was not stored: ${reason}`);
  const failure = report.advice as Failure | undefined;
  if (failure !== undefined) {
    const advice = adviceFor(failure, {
      local: profile.kind === 'local',
      needs: `ingest access to ${dataset}`,
    });
    showWithActions(message, advice.actions);
    return;
  }
  const query = 'Query Dataset';
  const open = 'Open Failed Events';
  const details = 'Show Log';
  const actions = [...(failedFile === undefined ? [] : [open]), details];
  const chosen = isClean
    ? await showInformationMessage(message, query)
    : stored > 0
      ? await showWarningMessage(message, ...actions, query)
      : await showErrorMessage(message, ...actions);
  if (chosen === query) await vscode.commands.executeCommand('aplomb.queryDataset', dataset);
  if (chosen === open && failedFile !== undefined)
    await vscode.window.showTextDocument(vscode.Uri.file(failedFile));
  if (chosen === details) log.show();
}
