// Check Only: reads all of a file, sends nothing, and reports like a run.

import { counted, plural } from '../../../../formats/src/counts.ts';
import type {
  CheckProgress,
  FileCheck,
  FileSource,
  RunProgress,
} from '../../../../ingest/src/contract.ts';
import { unreadTimesText } from '../../../../ingest/src/read/times/sentTime.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import { errorMessage } from '../../words/errors.ts';
import type { FinishedReport, Run, RunJob } from './engine.ts';

export type CheckFile = (
  source: FileSource,
  settings: ReadSettings,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: CheckProgress) => void },
) => Promise<FileCheck>;

export function checkRun(job: RunJob, checkFile: CheckFile): Run {
  const { source, settings, dataset, onProgress } = job;
  const controller = new AbortController();
  const started = Date.now();
  let events = 0;
  const report = async (): Promise<FinishedReport> => {
    const none = {
      file: source.name,
      dataset,
      stored: 0,
      failed: 0,
      unsent: 0,
      bytes: 0,
      doubt: [],
    };
    const rest = () => ({ durationMs: Date.now() - started });
    try {
      const check = await checkFile(source, settings, {
        signal: controller.signal,
        onProgress: (progress) => {
          events = progress.events;
          onProgress(progressOf(progress, Date.now() - started));
        },
      });
      return { ...none, ...rest(), ...reportOf(check), outcome: 'complete' };
    } catch (error) {
      const cancelled = controller.signal.aborted;
      return {
        ...none,
        ...rest(),
        read: events,
        skipped: 0,
        failures: [],
        reasons: [],
        messages: [],
        outcome: cancelled ? 'cancelled' : 'stopped',
        ...(!cancelled && { problem: errorMessage(error) }),
      };
    }
  };
  return {
    // A check has no connection to relieve, so it can only be cancelled.
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
  const reasons = new Map<string, number>();
  for (const { reason } of broken) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
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
    reasons: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count),
    messages,
    ...(appendedBytes !== undefined && { appendedBytes }),
    ...(firstTime !== undefined && { firstTime }),
    ...(lastTime !== undefined && { lastTime }),
  };
}
