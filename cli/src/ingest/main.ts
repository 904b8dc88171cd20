/** `aplomb ingest`: sends files to a dataset, or checks them. A bundle of its own, loaded with its first use. */
import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { serviceSink } from '../../../client/src/ingest/serviceSink.ts';
import {
  FileProblem,
  type FileSource,
  type Preview,
  type RunReport,
} from '../../../ingest/src/contract.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import { bestEncoding } from '../../../ingest/src/send/compress.ts';
import { JournalProblem } from '../../../ingest/src/send/journal.ts';
import type { IngestRun } from '../../../ingest/src/send/run.ts';
import {
  deleteRun,
  resumePlace,
  type SavedRun,
  savedRuns,
} from '../../../ingest/src/send/savedRuns.ts';
import { resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import type { Io } from '../io.ts';
import { leavingLink } from '../links.ts';
import { type Exit, exits } from '../usage.ts';
import { type IngestArguments, ingestArguments } from './arguments.ts';
import { previewWith } from './fileSettings.ts';
import { ProgressLine } from './progressLine.ts';
import { runsFolder } from './runsFolder.ts';
import { type Connected, connect } from './target.ts';
import {
  checkProgressText,
  checkText,
  events,
  grouped,
  reportText,
  runProgressText,
  settingsText,
} from './words.ts';

interface Session {
  readonly args: IngestArguments;
  readonly io: Io;
  readonly line: ProgressLine;
  readonly signal: AbortSignal;
  /** Ends the run that is in progress. */
  cancel: () => void;
}

export async function ingest(args: readonly string[], io: Io): Promise<Exit> {
  const parsed = ingestArguments(args);
  const controller = new AbortController();
  const session: Session = {
    args: parsed,
    io,
    line: new ProgressLine(process.stderr),
    signal: controller.signal,
    cancel: () => {},
  };
  const stop = () => {
    // Whoever asks twice does not want to wait for answers.
    if (controller.signal.aborted) process.exit(exits.cancelled);
    controller.abort();
    session.line.clear();
    io.complain('Cancelling. Press Ctrl+C again to exit without waiting for the service.');
    session.cancel();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return parsed.mode === 'check' ? await checkAll(session) : await sendAll(session);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

async function checkAll(session: Session): Promise<Exit> {
  return eachFile(session, async (path) => {
    const { args, io, line, signal } = session;
    const source = await sourceOf(path);
    const preview = await previewWith(source, args, signal);
    const { settings } = preview;
    noteGuesses(io, path, preview);
    const check = await checkFile(source, settings, signal, (progress) =>
      line.show(checkProgressText(path, progress)),
    );
    line.clear();
    io.write(checkText(path, check));
    return check.brokenCount > 0 ? exits.problems : exits.clean;
  });
}

/** Rejects with a FileProblem for what is not a readable file, or a link that leads out of its folder. */
async function sourceOf(path: string): Promise<FileSource> {
  let link: string | undefined;
  try {
    link = leavingLink(path);
  } catch {
    // The next line says why it cannot be read.
  }
  if (link === undefined) return diskSource(path);
  const what = link === resolve(path) ? 'This' : relative('', link);
  throw new FileProblem(
    `${what} is a link that leads out of its folder, to ${await realpath(link)}. Specify that file itself.`,
  );
}

/** How a file is read, and what may be wrong about it. */
function noteGuesses(io: Io, path: string, { settings, notices }: Preview): void {
  io.note(`${path}: ${settingsText(settings)}`);
  for (const { message } of notices) io.note(`${path}: ${message}`);
}

async function sendAll(session: Session): Promise<Exit> {
  const connected = await connect(session.args.target, process.env);
  try {
    return await eachFile(session, (path) => sendOne(session, connected, path));
  } finally {
    await connected.close();
  }
}

/** Handles the files one after the other; the greatest status counts. One that cannot be read does not hold up the others. */
async function eachFile(
  { args, io, line, signal }: Session,
  handle: (path: string) => Promise<Exit>,
): Promise<Exit> {
  let worst: Exit = exits.clean;
  for (const [index, path] of args.files.entries()) {
    if (signal.aborted) {
      const left = args.files.slice(index);
      io.complain(`Not started: ${left.join(' ')}`);
      return exits.cancelled;
    }
    let exit: Exit;
    try {
      exit = await handle(path);
    } catch (error) {
      line.clear();
      if (signal.aborted) exit = exits.cancelled;
      else if (error instanceof FileProblem || error instanceof JournalProblem) {
        const where = error instanceof FileProblem && error.line ? `:${error.line}` : '';
        io.complain(`${path}${where}: ${error.message}`);
        exit = exits.trouble;
      } else throw error;
    }
    worst = Math.max(worst, exit) as Exit;
  }
  return worst;
}

async function sendOne(session: Session, connected: Connected, path: string): Promise<Exit> {
  const { io, line } = session;
  const run = await runOf(session, connected, path);
  if (run === undefined) return exits.trouble;
  session.cancel = () => run.cancel();
  if (session.signal.aborted) run.cancel();
  const report = await run.run();
  session.cancel = () => {};
  line.clear();
  io.write(reportText(path, report));
  if (report.outcome === 'complete') return isWhole(report) ? exits.clean : exits.problems;
  if (report.problem !== undefined) io.complain(`${path}: ${report.problem}`);
  if (report.resumeLine !== undefined) {
    const from = report.read === 0 ? 'the start' : `line ${grouped(report.resumeLine)}`;
    io.complain(`To continue at ${from}, run: ${resumeCommand(session, path)}`);
  }
  return report.outcome === 'cancelled' ? exits.cancelled : exits.trouble;
}

function isWhole({ failed, skipped, doubt }: RunReport): boolean {
  return failed === 0 && skipped === 0 && doubt.length === 0;
}

/** The run of a file, new or resumed; undefined where it must not start, which has been said. */
async function runOf(
  session: Session,
  connected: Connected,
  path: string,
): Promise<IngestRun | undefined> {
  const { args, io, line, signal } = session;
  const { dataset, mode } = args;
  const folder = runsFolder();
  const source = await sourceOf(path);
  const parts = {
    file: source,
    openReader: batchReader,
    sink: serviceSink({ dataset, service: async () => ({ ok: true, value: connected.service }) }),
    onProgress: (progress: IngestRun['progress']) => line.show(runProgressText(path, progress)),
  };
  const earlier = await earlierRun(folder, path, dataset, connected.deployment);
  if (mode === 'resume') {
    if (earlier === undefined) {
      io.complain(
        `${path}: no run into ${dataset} on ${connected.words} ended early. Without --resume, the file is sent from its start.`,
      );
      return undefined;
    }
    io.note(`${path}: resuming at ${resumePlace(earlier)}, ${events(earlier.stored)} are stored`);
    return resumeRun(earlier.path, parts);
  }
  if (earlier !== undefined && mode === 'send') {
    io.complain(
      `${path}: an earlier run into ${dataset} ended at ${resumePlace(earlier)}, with ${events(earlier.stored)} stored. Continue it with --resume, or send the file again from its start with --restart.`,
    );
    return undefined;
  }
  if (earlier !== undefined) await deleteRun(earlier.path);
  const preview = await previewWith(source, args, signal);
  noteGuesses(io, path, preview);
  if (mustAskForDay(args, preview)) {
    io.complain(
      `${path}: nothing was sent, since the order of day and month is ambiguous. Specify it with --time-format, such as '02/01/2006' for a day that comes first.`,
    );
    return undefined;
  }
  return startRun({
    ...parts,
    dataset,
    deployment: connected.deployment,
    settings: preview.settings,
    // On this machine, compression costs more than it saves.
    encoding: connected.isLocal ? 'identity' : bestEncoding,
    runsFolder: folder,
    failedFolder: folder,
  });
}

/** Whether the order of day and month would be guessed where no person sees the guess. */
function mustAskForDay({ time }: Session['args'], { notices }: Preview): boolean {
  const isAmbiguous = notices.some(({ code }) => code === 'ambiguous-time');
  return isAmbiguous && time.format === undefined && process.stdin.isTTY !== true;
}

/** The latest run of a file that ended early. */
async function earlierRun(
  folder: string,
  path: string,
  dataset: string,
  deployment: string,
): Promise<SavedRun | undefined> {
  const wanted = resolve(path);
  const runs = await savedRuns(folder);
  return runs.find(
    ({ about }) =>
      about.file.path !== undefined &&
      resolve(about.file.path) === wanted &&
      about.dataset === dataset &&
      about.deployment === deployment,
  );
}

function resumeCommand({ args }: Session, path: string): string {
  const { target, dataset } = args;
  const where =
    target.kind === 'local'
      ? target.data === undefined
        ? []
        : ['--data', quoted(target.data)]
      : [
          '--url',
          quoted(target.general),
          ...(target.edge === target.general ? [] : ['--edge-url', quoted(target.edge)]),
          ...(target.organization === undefined ? [] : ['--organization', target.organization]),
        ];
  return ['aplomb ingest', quoted(path), '--dataset', dataset, ...where, '--resume'].join(' ');
}

/** A word that the shell takes as it is. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
