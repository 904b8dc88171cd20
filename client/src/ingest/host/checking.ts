// Check Only: reads an entire file without sending it, and reports the result like a run.

import { counted, plural } from '../../../../formats/src/counts.ts';
import type { CheckProgress, FileCheck, RunProgress } from '../../../../ingest/src/contract.ts';
import { unreadTimesText } from '../../../../ingest/src/read/times/sentTime.ts';
import { errorMessage } from '../../words/errors.ts';
import type { ReaderWorker } from '../readerWorker.ts';
import { unsentReport } from '../unsentReport.ts';
import type { FinishedReport, Run, RunJob } from './engine.ts';

type CheckFile = ReaderWorker['check'];

export function checkRun(job: RunJob, checkFile: CheckFile): Run {
  const { source, settings, dataset, onProgress } = job;
  const controller = new AbortController();
  const started = Date.now();
  let events = 0;
  const ended = (problem?: string) => ({
    ...unsentReport(source.name, dataset, problem),
    durationMs: Date.now() - started,
  });
  const report = async (): Promise<FinishedReport> => {
    try {
      const check = await checkFile(source, settings, {
        signal: controller.signal,
        onProgress: (progress) => {
          events = progress.events;
          onProgress(progressOf(progress, Date.now() - started));
        },
      });
      return { ...ended(), ...reportOf(check), outcome: 'complete' };
    } catch (error) {
      const problem = controller.signal.aborted ? undefined : errorMessage(error);
      return { ...ended(problem), read: events };
    }
  };
  return {
    // Ignore a pause, because a check uses no connection.
    pause: () => undefined,
    resume: () => undefined,
    cancel: () => controller.abort(),
    report: report(),
  };
}

function progressOf({ bytes, totalBytes, events }: CheckProgress, elapsedMs: number): RunProgress {
  const seconds = elapsedMs / 1_000;
  const left = (totalBytes - bytes) * (seconds / bytes);
  return {
    state: 'sending',
    bytes,
    totalBytes,
    events,
    eventsPerSecond: seconds > 0 ? events / seconds : 0,
    ...(Number.isFinite(left) && { secondsLeft: left }),
  };
}

function reportOf(check: FileCheck) {
  const { events, brokenCount, broken, firstTime, lastTime, mistyped, appendedBytes } = check;
  const { withoutTime, unreadTimes } = check;
  const messages = [
    ...(withoutTime > 0
      ? [
          `${counted(withoutTime, 'event')} would get the time of arrival, because no time can be read.`,
        ]
      : []),
    ...(unreadTimes === undefined ? [] : [unreadTimesText(unreadTimes)]),
    ...Object.entries(mistyped).map(
      ([column, count]) =>
        `${counted(count, 'value')} of ${column} ${plural(count, 'is', 'are')} not of the type of the column and would be sent as ${plural(count, 'a string', 'strings')}.`,
    ),
  ];
  return {
    read: events,
    skipped: brokenCount,
    failures: broken.map((one) => ({ ...one, by: 'reader' as const })),
    reasons: [...Map.groupBy(broken, ({ reason }) => reason)]
      .map(([reason, { length: count }]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count),
    messages,
    ...(appendedBytes !== undefined && { appendedBytes }),
    ...(firstTime !== undefined && { firstTime }),
    ...(lastTime !== undefined && { lastTime }),
  };
}
