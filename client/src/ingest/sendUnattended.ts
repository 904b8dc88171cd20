// Sends a file without a page: what nobody chose is guessed from its content, as the page guesses it.
import type { RunReport } from '../../../ingest/src/contract.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import { ReaderWorker } from './readerWorker.ts';
import { type SendJob, sendFile } from './sendFile.ts';
import { unsentReport } from './unsentReport.ts';

export interface UnattendedJob extends Omit<SendJob, 'settings'> {
  /** Absent: guessed. */
  readonly settings?: ReadSettings;
  readonly signal: AbortSignal;
}

/** Never rejects: a file that cannot be read is a report that says why. */
export async function sendUnattended(job: UnattendedJob): Promise<RunReport> {
  const { worker, file, dataset, signal } = job;
  try {
    const settings = job.settings ?? (await worker.preview(file, { choices: {} }, signal)).settings;
    const run = await sendFile({ ...job, settings });
    const cancel = () => run.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await run.run();
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return unsentReport(file.name, dataset, signal.aborted ? undefined : problem);
  }
}

/** Sends text that the extension has, and that need not be resumed. `worker` is the file of the reader's thread. */
export async function sendText(
  text: string,
  job: Omit<UnattendedJob, 'file' | 'worker' | 'folder'> & {
    readonly name: string;
    readonly worker: string;
  },
): Promise<RunReport> {
  const worker = new ReaderWorker(job.worker);
  try {
    return await sendUnattended({ ...job, worker, file: memorySource(job.name, text) });
  } finally {
    await worker.dispose();
  }
}
