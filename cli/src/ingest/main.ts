/** `aplomb ingest`: sends files to a dataset, or only checks them. This is a separate bundle. */
import { realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { serviceSink } from '../../../client/src/ingest/serviceSink.ts';
import { counted, grouped } from '../../../formats/src/counts.ts';
import {
  FileProblem,
  type FileSource,
  type Preview,
  type RunProgress,
  type RunReport,
} from '../../../ingest/src/contract.ts';
import { checkFile } from '../../../ingest/src/read/checkFile.ts';
import { batchReader } from '../../../ingest/src/read/reader.ts';
import { diskSource } from '../../../ingest/src/read/sources.ts';
import { bestEncoding } from '../../../ingest/src/send/compress.ts';
import type { IngestRun } from '../../../ingest/src/send/run.ts';
import {
  deleteRun,
  describeResumePosition,
  type SavedRun,
  savedRuns,
} from '../../../ingest/src/send/savedRuns.ts';
import { SharedDataset } from '../../../ingest/src/send/sharedDataset.ts';
import { resumeRun, startRun } from '../../../ingest/src/send/startRun.ts';
import { type Exit, exits } from '../../../system/src/commandLine.ts';
import type { ProgressLine } from '../../../system/src/progressLine.ts';
import type { Io } from '../io.ts';
import { findEscapingLink } from '../links.ts';
import { type IngestArguments, ingestArguments } from './arguments.ts';
import { cancellable } from './cancellable.ts';
import { confirmSend, type SendCheckContext } from './confirmSend.ts';
import { previewWithOptions } from './fileSettings.ts';
import { checkText, progressText, reportText, settingsText } from './messages.ts';
import { processFiles } from './processFiles.ts';
import { runsFolder } from './runsFolder.ts';
import { type Connection, connect } from './target.ts';

interface Session {
  readonly args: IngestArguments;
  readonly io: Io;
  readonly progressLine: ProgressLine;
  readonly signal: AbortSignal;
  readonly runs: Set<IngestRun>;
}

interface SendTarget {
  readonly connection: Connection;
  readonly dataset: SharedDataset;
  /** Journals of interrupted runs. */
  readonly earlierRuns: readonly SavedRun[];
}

export async function ingest(args: readonly string[], io: Io): Promise<Exit> {
  const parsed = ingestArguments(args);
  return cancellable(io, (signal, progressLine) => {
    const session: Session = { args: parsed, io, progressLine, signal, runs: new Set() };
    signal.addEventListener('abort', () => {
      for (const run of session.runs) run.cancel();
    });
    return parsed.mode === 'check' ? checkAll(session) : sendAll(session);
  });
}

async function checkAll(session: Session): Promise<Exit> {
  const { args, io, progressLine, signal } = session;
  return processFiles(args.files, session, async (path) => {
    const source = await sourceOf(path);
    const preview = await previewWithOptions(source, args, signal);
    printSettings(io, path, preview);
    const check = await checkFile(source, preview.settings, signal, (progress) =>
      progressLine.show(progressText(path, progress)),
    );
    progressLine.clear();
    io.write(checkText(path, check));
    return check.brokenCount > 0 ? exits.problems : exits.clean;
  });
}

/** Opens a file. Rejects with a FileProblem if it is unreadable, or if a symbolic link leads out of its own folder. */
async function sourceOf(path: string): Promise<FileSource> {
  let link: string | undefined;
  try {
    link = findEscapingLink(path);
  } catch {
    // Opening the file below reports the error.
  }
  if (link === undefined) return diskSource(path);
  const what = link === resolve(path) ? 'This' : relative('', link);
  throw new FileProblem(
    `${what} is a link that leads out of its folder, to ${await realpath(link)}. Specify that file itself.`,
  );
}

function printSettings(io: Io, path: string, { settings, notices }: Preview): void {
  io.note(`${path}: ${settingsText(settings)}`);
  for (const { message } of notices) io.note(`${path}: ${message}`);
}

async function sendAll(session: Session): Promise<Exit> {
  const { args, signal } = session;
  const connection = await connect(args.target, process.env);
  const target: SendTarget = {
    connection,
    dataset: new SharedDataset(),
    earlierRuns: await savedRuns(runsFolder()),
  };
  try {
    const exit = await processFiles(args.files, session, async (path, idle) => {
      const started = await prepareRun({ ...session, idle }, target, path);
      if (started === undefined) return exits.error;
      const { source, start } = started;
      return {
        bytes: source.size,
        async send(onProgress) {
          const run = await start(onProgress);
          session.runs.add(run);
          if (signal.aborted) run.cancel();
          const report = await run.run();
          session.runs.delete(run);
          return () => printReport(session, path, report);
        },
      };
    });
    await target.dataset.end();
    return exit;
  } finally {
    await connection.close();
  }
}

function printReport(session: Session, path: string, report: RunReport): Exit {
  const { io } = session;
  io.write(reportText(path, report));
  if (report.outcome === 'complete') return isComplete(report) ? exits.clean : exits.problems;
  if (report.problem !== undefined) io.error(`${path}: ${report.problem}`);
  if (report.resumeLine !== undefined) {
    const from = report.read === 0 ? 'the start' : `line ${grouped(report.resumeLine)}`;
    io.error(`To continue at ${from}, run: ${resumeCommand(session, path)}`);
  }
  return report.outcome === 'cancelled' ? exits.cancelled : exits.error;
}

function isComplete({ failed, skipped, doubt }: RunReport): boolean {
  return failed === 0 && skipped === 0 && doubt.length === 0;
}

interface PreparedRun {
  readonly source: FileSource;
  readonly start: (onProgress: (progress: RunProgress) => void) => Promise<IngestRun>;
}

/** Prepares the run of a file. If the run must not start, prints the reason and returns undefined. */
async function prepareRun(
  session: Session & Pick<SendCheckContext, 'idle'>,
  { connection, dataset: shared, earlierRuns }: SendTarget,
  path: string,
): Promise<PreparedRun | undefined> {
  const { args, io, signal } = session;
  const { dataset, mode } = args;
  const source = await sourceOf(path);
  const sink = serviceSink({
    dataset,
    service: async () => ({ ok: true, value: connection.service }),
  });
  const parts = { file: source, openReader: batchReader, sink: shared.share(sink) };
  const earlier = earlierRun(earlierRuns, path, dataset, connection.deployment);
  if (mode === 'resume') {
    if (earlier === undefined) {
      io.error(
        `${path}: no run into ${dataset} on ${connection.label} ended early. Without --resume, the file is sent from its start.`,
      );
      return undefined;
    }
    io.note(
      `${path}: resuming at ${describeResumePosition(earlier)}, ${counted(earlier.stored, 'event')} are stored`,
    );
    return { source, start: (onProgress) => resumeRun(earlier.path, { ...parts, onProgress }) };
  }
  if (earlier !== undefined && mode === 'send') {
    io.error(
      `${path}: an earlier run into ${dataset} ended at ${describeResumePosition(earlier)}, with ${counted(earlier.stored, 'event')} stored. Continue it with --resume, or send the file again from its start with --restart.`,
    );
    return undefined;
  }
  const preview = await previewWithOptions(source, args, signal);
  printSettings(io, path, preview);
  if (isDayOrderUnconfirmed(args, preview)) {
    io.error(
      `${path}: nothing was sent, since the order of day and month is ambiguous. Specify it with --time-format, such as '02/01/2006' for a day that comes first.`,
    );
    return undefined;
  }
  if (!(await confirmSend(path, source, preview, session))) return undefined;
  return {
    source,
    start: async (onProgress) => {
      if (earlier !== undefined) await deleteRun(earlier.path);
      return startRun({
        ...parts,
        onProgress,
        dataset,
        deployment: connection.deployment,
        settings: preview.settings,
        // For a local deployment, compressing takes longer than sending uncompressed data.
        encoding: connection.isLocal ? 'identity' : bestEncoding,
        runsFolder: runsFolder(),
        failedFolder: runsFolder(),
      });
    },
  };
}

/** Whether the day order is ambiguous and unconfirmed. The user must confirm it, which requires a terminal. */
function isDayOrderUnconfirmed({ time }: Session['args'], { notices }: Preview): boolean {
  const isAmbiguous = notices.some(({ code }) => code === 'ambiguous-time');
  return isAmbiguous && time.format === undefined && process.stdin.isTTY !== true;
}

/** Returns the latest interrupted run with the same file, dataset and deployment. */
function earlierRun(runs: readonly SavedRun[], path: string, dataset: string, deployment: string) {
  const fullPath = resolve(path);
  return runs.find(
    ({ header }) =>
      header.file.path !== undefined &&
      resolve(header.file.path) === fullPath &&
      header.dataset === dataset &&
      header.deployment === deployment,
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
          ...(target.organization === undefined
            ? []
            : ['--organization', quoted(target.organization)]),
        ];
  return ['aplomb ingest', quoted(path), '--dataset', dataset, ...where, '--resume'].join(' ');
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
