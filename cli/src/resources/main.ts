/** `aplomb pull` and `aplomb push`: copy a deployment's resources to files in a folder, and apply changed files. */
import { styleText } from 'node:util';
import { deploymentStore } from '../../../client/src/resources/folders/deploymentStore.ts';
import { counted } from '../../../formats/src/counts.ts';
import { printableJson, printableLines, syntaxErrors } from '../../../language/src/index.ts';
import { type ApplyReport, applySteps, lockAfter } from '../../../resources/src/folder/apply.ts';
import { type FolderFiles, problemText } from '../../../resources/src/folder/files.ts';
import { type Lock, writeLock } from '../../../resources/src/folder/lock.ts';
import { FolderError } from '../../../resources/src/folder/marker.ts';
import { planText, pullText, reportText } from '../../../resources/src/folder/messages.ts';
import { planApply } from '../../../resources/src/folder/plan.ts';
import { planJson, problemsJson } from '../../../resources/src/folder/planJson.ts';
import { planPull, writePull } from '../../../resources/src/folder/pull.ts';
import { type CheckSyntax, readFolder } from '../../../resources/src/folder/readFolder.ts';
import type { Progress, ResourceStore } from '../../../resources/src/folder/store.ts';
import { type Exit, exits, UsageError } from '../../../system/src/commandLine.ts';
import { askYesNo } from '../ingest/askYesNo.ts';
import { cancellable } from '../ingest/cancellable.ts';
import { type Connection, connect } from '../ingest/target.ts';
import type { Target } from '../ingest/targetOptions.ts';
import type { Io } from '../io.ts';
import { type PushArguments, pullArguments, pushArguments } from './arguments.ts';
import { diskFiles } from './diskFiles.ts';
import { gitHistory } from './gitHistory.ts';

interface Session {
  readonly io: Io;
  readonly store: ResourceStore;
  readonly connection: Connection;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly clear: () => void;
}

export async function pull(args: readonly string[], io: Io): Promise<Exit> {
  const { folder, target, kinds, deletes } = pullArguments(args);
  return inSession(target, io, async (session) => {
    const files = diskFiles(folder);
    const plan = await planPull(session.store, files, kinds, session);
    await writePull(plan, files, { removeStale: deletes, ...session });
    session.clear();
    write(io, pullText(plan, { folder, removed: deletes }));
    for (const skipped of plan.skipped) io.error(skipped);
    return plan.skipped.length > 0 ? exits.problems : exits.clean;
  });
}

/** Applies the changed files to the deployment. With `--dry-run`, only prints the changes. */
export async function push(args: readonly string[], io: Io): Promise<Exit> {
  const parsed = pushArguments(args);
  const { folder, target, deletes, overwrites, dryRun } = parsed;
  const isJson = parsed.format === 'json';
  const files = diskFiles(folder);
  const content = await readFolder(files, checkSyntax).catch(reportExpected(io));
  if (content === undefined) return exits.problems;
  if (content.problems.length > 0) {
    if (isJson) io.writeExact(printableJson(problemsJson(content.problems)));
    else for (const problem of content.problems) write(io, `${folder}/${problemText(problem)}\n`);
    const count = counted(content.problems.length, 'problem');
    io.error(`${count} in ${folder}. Nothing was applied.`);
    return exits.problems;
  }
  return inSession(target, io, async (session) => {
    const { store, connection, clear } = session;
    const plan = await planApply(store, content, {
      deletes,
      history: gitHistory(folder),
      ...(overwrites && { overwrites: ['change', 'delete'] }),
      ...session,
    });
    clear();
    const to = connection.resourceLabel;
    const writeJson = (report?: ApplyReport) =>
      io.writeExact(printableJson(planJson(plan, to, report)));
    if (!isJson) write(io, planText(plan, to));
    if (plan.conflicts.length > 0) {
      io.error(
        'Conflicts are not applied. To keep what the deployment has, commit the folder and run aplomb pull. To replace it, add --overwrite.',
      );
    }
    // JSON output must be a single document, so omit the plan if a report will follow.
    if (isJson && (dryRun || plan.steps.length === 0 || needsConfirmation(parsed, connection)))
      writeJson();
    const hasAll = plan.refused.length === 0 && plan.conflicts.length === 0;
    const refused = hasAll ? exits.clean : exits.problems;
    if (dryRun) return plan.steps.length > 0 && hasAll ? exits.changes : refused;
    if (plan.steps.length === 0) {
      await saveLock(files, plan.lock, session);
      return refused;
    }
    if (!(await confirm(parsed, session))) return exits.cancelled;
    const report = await applySteps(store, plan.steps, session);
    clear();
    if (isJson) writeJson(report);
    else write(io, `\n${reportText(report)}`);
    await saveLock(files, lockAfter(plan, report), session);
    if (session.signal.aborted) return exits.cancelled;
    const isDone = report.results.every(({ outcome }) => outcome === 'done');
    return isDone ? refused : exits.problems;
  });
}

/** Saves the lock. The steps have been applied, so an error is printed instead of thrown. */
async function saveLock(files: FolderFiles, lock: Lock, { io }: Session): Promise<void> {
  await writeLock(files, lock).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    io.error(`${why} The next push may report what this one applied as a conflict.`);
  });
}

const checkSyntax: CheckSyntax = async (queries) =>
  queries.map((text) => {
    const [first] = syntaxErrors(text);
    return first && { offset: first.start, message: first.message };
  });

function needsConfirmation({ yes }: PushArguments, { isLocal }: Connection): boolean {
  return !yes && !isLocal;
}

/** Asks to confirm changes to a deployment on another machine. Throws a UsageError if nobody can be asked. */
async function confirm(parsed: PushArguments, { io, connection, signal }: Session) {
  if (!needsConfirmation(parsed, connection)) return true;
  const to = connection.resourceLabel;
  // A program that reads JSON output can't answer.
  const answer =
    parsed.format === 'json' ? undefined : await askYesNo(`Apply this to ${to}?`, signal);
  if (answer === undefined)
    throw new UsageError(`Nothing was applied. To change ${to} without being asked, add --yes.`);
  if (!answer) io.error('Nothing was applied.');
  return answer;
}

async function inSession(target: Target, io: Io, work: (session: Session) => Promise<Exit>) {
  const connection = await connect(target, process.env);
  return cancellable(io, async (signal, progressLine) => {
    const clear = () => progressLine.clear();
    try {
      return await work({
        io,
        connection,
        store: deploymentStore(connection.service, signal),
        signal,
        onProgress: ({ done, total, message }) =>
          progressLine.show(`${done + 1} of ${total}: ${message}`),
        clear,
      });
    } catch (error) {
      clear();
      if (signal.aborted) return exits.cancelled;
      return reportExpected(io)(error) ?? exits.problems;
    } finally {
      await connection.close();
    }
  });
}

function reportExpected(io: Io): (error: unknown) => undefined {
  return (error) => {
    const isExpected =
      error instanceof FolderError || (error instanceof Error && error.name === 'GatherError');
    if (!isExpected) throw error;
    io.error(error.message);
    return undefined;
  };
}

/** Writes text with control characters escaped, because names from files and services may contain them. */
function write(io: Io, text: string): void {
  const safe = printableLines(text);
  io.writeExact(io.hasColor ? safe.split('\n').map(colorLine).join('\n') : safe);
}

const COLORS = [
  [/^[+]/, 'green'],
  [/^-/, 'red'],
  [/^@@|^~/, 'cyan'],
  [/^!/, 'yellow'],
] as const;

function colorLine(line: string): string {
  const color = COLORS.find(([pattern]) => pattern.test(line))?.[1];
  return color === undefined ? line : styleText(color, line, { validateStream: false });
}
