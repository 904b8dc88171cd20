/** Prepares a command's files one at a time, sends several at once, and reports them in order. */
import { naturalOrder } from '../../../api/src/plain.ts';
import { counted, grouped } from '../../../formats/src/counts.ts';
import { FileProblem, type RunProgress } from '../../../ingest/src/contract.ts';
import { FileSlots } from '../../../ingest/src/send/fileSlots.ts';
import { JournalProblem } from '../../../ingest/src/send/journal.ts';
import { type Exit, exits } from '../../../system/src/commandLine.ts';
import type { ProgressLine } from '../../../system/src/progressLine.ts';
import type { Io } from '../io.ts';
import { runProgressText } from './messages.ts';

interface Prepared {
  readonly bytes: number;
  /** Sends the file. Returns the function that prints the report. */
  readonly send: (onProgress: (progress: RunProgress) => void) => Promise<() => Exit>;
}

export interface FilesSession {
  readonly io: Io;
  readonly progressLine: ProgressLine;
  readonly signal: AbortSignal;
}

/** Prepares a file. `idle` resolves when no file is being sent, so that progress can't overwrite a prompt. */
type Prepare = (path: string, idle: () => Promise<void>) => Promise<Prepared | Exit>;

/** Sends and reports the files. Continues after an unreadable file. Returns the highest exit status. */
export async function processFiles(
  paths: readonly string[],
  { io, progressLine, signal }: FilesSession,
  prepare: Prepare,
): Promise<Exit> {
  // Shells sort names by character, so f10 would precede f2.
  const files = paths.toSorted(naturalOrder);
  const slots = new FileSlots();
  const counts = new Counts(files.length);
  let worst: Exit = exits.clean;
  let reported: Promise<void> = Promise.resolve();
  const report = (path: string, ended: Promise<() => Exit>) => {
    const safe = ended.catch((error: unknown) => () => failure(path, error));
    reported = reported.then(async () => {
      const print = await safe;
      progressLine.clear();
      worst = Math.max(worst, print()) as Exit;
    });
    // `reported` is awaited only after the last file.
    reported.catch(() => {});
  };
  const failure = (path: string, error: unknown): Exit => {
    if (signal.aborted) return exits.cancelled;
    if (!(error instanceof FileProblem || error instanceof JournalProblem)) throw error;
    const where = error instanceof FileProblem && error.line ? `:${error.line}` : '';
    io.error(`${path}${where}: ${error.message}`);
    return exits.error;
  };
  const notStarted = async (from: number): Promise<Exit> => {
    await reported;
    io.error(`Not started: ${files.slice(from).join(' ')}`);
    return exits.cancelled;
  };
  for (const [index, path] of files.entries()) {
    if (signal.aborted) return notStarted(index);
    try {
      const prepared = await prepare(path, () => reported);
      if (typeof prepared === 'number') {
        counts.end();
        report(
          path,
          Promise.resolve(() => prepared),
        );
        continue;
      }
      const { bytes, send } = prepared;
      await slots.enter(bytes);
      if (signal.aborted) return notStarted(index);
      const sent = send((progress) => progressLine.show(counts.text(path, progress)));
      const left = sent.finally(() => {
        counts.end();
        slots.leave(bytes);
      });
      report(path, left);
    } catch (error) {
      report(path, Promise.reject(error));
    }
  }
  await reported;
  return worst;
}

class Counts {
  readonly #files: number;
  readonly #events = new Map<string, number>();
  #ended = 0;

  constructor(files: number) {
    this.#files = files;
  }

  end(): void {
    this.#ended += 1;
  }

  text(path: string, progress: RunProgress): string {
    if (this.#files === 1) return runProgressText(path, progress);
    this.#events.set(path, progress.events);
    const events = [...this.#events.values()].reduce((sum, count) => sum + count, 0);
    const done = `${grouped(this.#ended)} of ${grouped(this.#files)} files`;
    return `${done}, ${counted(events, 'event')}; ${runProgressText(path, progress)}`;
  }
}
