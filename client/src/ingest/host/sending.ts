// Runs of the ingest page: files are read in the worker, sent, and journaled, so that they can be resumed.
import type { IngestRun } from '../../../../ingest/src/send/run.ts';
import { type SavedRun, savedRuns } from '../../../../ingest/src/send/savedRuns.ts';
import { SharedDataset } from '../../../../ingest/src/send/sharedDataset.ts';
import { makePrivateFolder } from '../../host/privateFolder.ts';
import type { ReaderWorker } from '../readerWorker.ts';
import { resumeFile, sendFile } from '../sendFile.ts';
import type { FinishedReport, Run, RunJob, Sender } from './engine.ts';
import type { IngestTarget } from './target.ts';

/** Returns a sender to a deployment. `folder` has the journals and the files of failed events. */
export function senderTo(target: IngestTarget, worker: ReaderWorker, folder: string): Sender {
  const shared = new SharedDataset();
  const begin = async (job: RunJob): Promise<IngestRun> => {
    const { source: file, settings, dataset, resume, onProgress } = job;
    const to = { worker, service: () => target.service(), file, shared, onProgress };
    if (resume !== undefined) return resumeFile(resume, dataset, to);
    const { name, kind } = target.profile;
    await makePrivateFolder(folder);
    const deployment = { name, isLocal: kind === 'local' };
    return sendFile({ ...to, dataset, settings, deployment, folder });
  };
  return { run: (job) => new SendingRun(begin(job), folder), end: () => shared.end() };
}

/** A run that can be paused and cancelled while it is prepared. */
class SendingRun implements Run {
  readonly report: Promise<FinishedReport>;
  readonly #run: Promise<IngestRun>;

  constructor(run: Promise<IngestRun>, folder: string) {
    this.#run = run;
    this.report = run.then(async (started) => {
      const report = await started.run();
      const saved = report.outcome === 'complete' ? undefined : await savedAs(folder, started);
      return { ...report, ...(saved && { resumable: saved.path }) };
    });
  }

  pause(): void {
    this.#started((run) => run.pause());
  }

  resume(): void {
    this.#started((run) => run.resume());
  }

  cancel(): void {
    this.#started((run) => run.cancel());
  }

  /** A run that did not start has the reason in its report. */
  #started(act: (run: IngestRun) => void): void {
    this.#run.then(act, () => undefined);
  }
}

async function savedAs(folder: string, run: IngestRun): Promise<SavedRun | undefined> {
  const saved = await savedRuns(folder);
  return saved.find(({ header }) => header.id === run.header.id);
}
