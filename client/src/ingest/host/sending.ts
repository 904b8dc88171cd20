// Runs on the ingest page. The worker reads the files, and a journal allows a run to be resumed.
import type { IngestRun } from '../../../../ingest/src/send/run.ts';
import { savedRuns } from '../../../../ingest/src/send/savedRuns.ts';
import { SharedDataset } from '../../../../ingest/src/send/sharedDataset.ts';
import { makePrivateFolder } from '../../host/privateFolder.ts';
import type { ReaderWorker } from '../readerWorker.ts';
import { resumeFile, sendFile } from '../sendFile.ts';
import type { FinishedReport, Run, RunJob, Sender } from './engine.ts';
import type { IngestTarget } from './target.ts';

/** Returns a sender to a deployment. `folder` contains journals and files of failed events. */
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
  return { run: (job) => sendingRun(begin(job), folder), end: () => shared.end() };
}

/** Returns a run that can already be paused and cancelled while it starts. */
function sendingRun(starting: Promise<IngestRun>, folder: string): Run {
  // Ignore errors: if the run did not start, its report states the reason.
  const act = (command: 'pause' | 'resume' | 'cancel') => () =>
    void starting.then(
      (run) => run[command](),
      () => undefined,
    );
  const reported = async (): Promise<FinishedReport> => {
    const run = await starting;
    const report = await run.run();
    const runs = report.outcome === 'complete' ? [] : await savedRuns(folder);
    const saved = runs.find(({ header }) => header.id === run.header.id);
    return { ...report, ...(saved && { resumable: saved.path }) };
  };
  return {
    pause: act('pause'),
    resume: act('resume'),
    cancel: act('cancel'),
    report: reported(),
  };
}
