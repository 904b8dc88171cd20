// Sends text, such as a bundled sample, without a page or a journal.
import type { RunReport } from '../../../ingest/src/contract.ts';
import { memorySource } from '../../../ingest/src/read/sources.ts';
import { errorMessage } from '../words/errors.ts';
import { ReaderWorker } from './readerWorker.ts';
import { type SendJob, sendFile } from './sendFile.ts';
import { unsentReport } from './unsentReport.ts';

interface TextJob extends Omit<SendJob, 'file' | 'worker' | 'folder'> {
  readonly name: string;
  /** The path of the worker thread's script. */
  readonly worker: string;
}

/** Sends text. Never rejects. If the text can't be sent, the report states the reason. */
export async function sendText(text: string, job: TextJob): Promise<RunReport> {
  const worker = new ReaderWorker(job.worker);
  try {
    const run = await sendFile({ ...job, worker, file: memorySource(job.name, text) });
    return await run.run();
  } catch (error) {
    return unsentReport(job.name, job.dataset, errorMessage(error));
  } finally {
    await worker.dispose();
  }
}
