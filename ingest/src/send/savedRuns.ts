// Lists the interrupted runs in a folder, and deletes runs that won't be resumed.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { grouped } from '../../../formats/src/counts.ts';
import { removeFile } from '../../../system/src/replace.ts';
import type { LineRange } from '../contract.ts';
import { JOURNAL_SUFFIX, readJournal } from './journal.ts';
import type { RunHeader } from './records.ts';
import { isInProgress, RunLock } from './runLock.ts';

export interface SavedRun {
  readonly path: string;
  readonly header: RunHeader;
  readonly stored: number;
  readonly doubt: readonly LineRange[];
  /** The first line that isn't known to be decided; absent if the outcome of every event is recorded. */
  readonly resumeLine?: number;
  /** Bytes of the file whose events are decided. */
  readonly fileBytes: number;
}

/** Describes where a run resumes: `line 12`, or the end of the file. */
export function describeResumePosition({ resumeLine }: Pick<SavedRun, 'resumeLine'>): string {
  return resumeLine === undefined ? 'the end of the file' : `line ${grouped(resumeLine)}`;
}

/** Returns the runs that can be resumed, latest first. Skips runs in progress and damaged journals. */
export async function savedRuns(folder: string): Promise<SavedRun[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names
    .filter((name) => name.endsWith(JOURNAL_SUFFIX))
    .map((name) => join(folder, name));
  const runs = await Promise.all(paths.map(savedRun));
  return runs
    .filter((run) => run !== undefined)
    .sort((a, b) => b.header.startedAt.localeCompare(a.header.startedAt));
}

/** Returns the journals whose run is in progress. */
export async function journalsInProgress(journals: readonly string[]): Promise<string[]> {
  const found = await Promise.all(journals.map(isInProgress));
  return journals.filter((_, index) => found[index]);
}

/** Deletes a run's journal, unless the run is in progress. The file of failed events stays. */
export async function deleteRun(path: string): Promise<void> {
  const lock = await RunLock.take(path).catch(() => undefined);
  if (!lock) return;
  await removeFile(path);
  await lock.release();
}

async function savedRun(path: string): Promise<SavedRun | undefined> {
  if (await isInProgress(path)) return undefined;
  const journal = await readJournal(path).catch(() => undefined);
  if (!journal) return undefined;
  const { header, state } = journal;
  const unanswered = [...state.unanswered.values()].map(({ firstLine, lastLine, ranges }) => ({
    firstLine,
    lastLine,
    events: ranges.reduce((sum, [from, to]) => sum + to - from, 0),
  }));
  return {
    path,
    header,
    stored: state.stored,
    doubt: [...state.doubt, ...unanswered],
    ...(state.isComplete(header.file.size) ? {} : { resumeLine: state.firstUnsentLine }),
    fileBytes: state.fileBytes,
  };
}
