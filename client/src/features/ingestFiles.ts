// Ingest Files: takes files from a dialog, the explorer or a call, asks for the dataset, sends each file
// with progress, and says exactly what is stored and what is not.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { adviceFor } from '../advice.ts';
import type { Service } from '../api/service.ts';
import type { Context } from '../context.ts';
import { askForMissingToken } from '../deployments/askToken.ts';
import { datasetNameProblem, suggestedName } from '../ingest/datasetName.ts';
import { ingestFile } from '../ingest/ingestFile.ts';
import { eventsInWords, type IngestOutcome, outcomeInWords } from '../ingest/outcome.ts';
import type { FileSource } from '../ingest/readPieces.ts';
import { showFailure, showWithActions } from '../notify.ts';

/** A file that is not on a disk can only be had whole; beyond this it would not fit well in memory. */
const UNSTREAMED_BYTES_MAX = 256 * 1024 * 1024;

export function activate(context: Context): vscode.Disposable {
  // From the explorer: the file clicked and all files selected. From the tree: a dataset. From elsewhere:
  // files and the dataset's name, and then nothing is asked. Returns what came of each file.
  return vscode.commands.registerCommand(
    'aplomb.ingestFiles',
    async (target?: unknown, more?: unknown): Promise<IngestOutcome[]> => {
      const files = await filesToIngest(target, more);
      if (files.length === 0) return [];
      const { deployments } = context;
      const profile = deployments.active;
      await askForMissingToken(deployments, profile);
      const service = await deployments.service(profile);
      if (!service.ok) {
        showFailure('Cannot ingest the files', service.failure, {
          local: profile.kind === 'local',
        });
        return [];
      }
      const dataset = await datasetFor(context, target, more, files);
      if (dataset === undefined) return [];
      return ingestAll(context, service.value, files, dataset);
    },
  );
}

/** The files meant by what a menu or a caller hands over; asks where nothing is. */
async function filesToIngest(target: unknown, more: unknown): Promise<vscode.Uri[]> {
  const given = [target, more].find(
    (value): value is vscode.Uri[] =>
      Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof vscode.Uri),
  );
  if (given) return given;
  if (target instanceof vscode.Uri) return [target];
  const chosen = await vscode.window.showOpenDialog({
    title: 'Ingest Files',
    openLabel: 'Ingest',
    canSelectMany: true,
    filters: {
      'Events (JSON, NDJSON, CSV)': [
        'json',
        'ndjson',
        'jsonl',
        'ldjson',
        'csv',
        'tsv',
        'log',
        'txt',
        'gz',
        'zst',
      ],
      'All files': ['*'],
    },
  });
  return chosen ?? [];
}

interface DatasetItem extends vscode.QuickPickItem {
  readonly create?: boolean;
}

async function datasetFor(
  { schema }: Context,
  target: unknown,
  more: unknown,
  files: readonly vscode.Uri[],
): Promise<string | undefined> {
  if (typeof more === 'string') return checked(more);
  const node = target as { dataset?: { name?: unknown } } | undefined;
  if (typeof node?.dataset?.name === 'string') return node.dataset.name;
  const suggested = suggestedName(basename((files[0] as vscode.Uri).path));
  const datasets = (await schema.datasets())?.datasets ?? [];
  const known = datasets.filter(({ kind }) => kind === 'dataset').map(({ name }) => name);
  const items: DatasetItem[] = [
    { label: '$(add) New dataset…', create: true, alwaysShow: true },
    ...known.toSorted((a, b) => a.localeCompare(b)).map((label) => ({ label })),
  ];
  const title =
    files.length === 1
      ? `Ingest ${basename((files[0] as vscode.Uri).path)}`
      : `Ingest ${files.length} Files`;
  const chosen =
    known.length === 0
      ? items[0]
      : await vscode.window.showQuickPick(items, { title, placeHolder: 'Select a dataset' });
  if (!chosen?.create) return chosen?.label;
  const name = await vscode.window.showInputBox({
    title,
    prompt: 'Name of the new dataset',
    value: suggested,
    validateInput: (text) => datasetNameProblem(text.trim()),
  });
  return name?.trim() || undefined;
}

function checked(name: string): string {
  const problem = datasetNameProblem(name);
  if (problem) throw new Error(problem);
  return name;
}

async function ingestAll(
  context: Context,
  service: Service,
  files: readonly vscode.Uri[],
  dataset: string,
): Promise<IngestOutcome[]> {
  const outcomes = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Ingesting into ${dataset}`,
      cancellable: true,
    },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      const done: IngestOutcome[] = [];
      for (const uri of files) {
        done.push(await ingestOne(context, service, uri, dataset, controller.signal, progress));
        if (controller.signal.aborted) break;
      }
      return done;
    },
  );
  // Part of a file may be stored even where the whole of it is not.
  context.schema.invalidate([dataset]);
  for (const outcome of outcomes) void tell(context, outcome);
  return outcomes;
}

async function ingestOne(
  { deployments }: Context,
  service: Service,
  uri: vscode.Uri,
  dataset: string,
  signal: AbortSignal,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
): Promise<IngestOutcome> {
  const name = basename(uri.path);
  progress.report({ message: name });
  let percent = 0;
  try {
    return await ingestFile({
      service,
      dataset,
      file: await sourceOf(uri),
      pack: deployments.active.kind === 'hosted',
      signal,
      onProgress: ({ events, sent, total }) => {
        const now = total === 0 ? 100 : (100 * sent) / total;
        const message = `${name}: ${megabytes(sent)} of ${megabytes(total)} MB, ${eventsInWords(events)}`;
        progress.report({ message, increment: now - percent });
        percent = now;
      },
    });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const none = { ingested: 0, failed: 0, failures: [], notices: [], requests: 0 };
    return { file: name, dataset, ...none, cancelled: false, problem };
  } finally {
    progress.report({ increment: -percent });
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/** A file on a disk is streamed; one that only an extension provides is read whole. */
async function sourceOf(uri: vscode.Uri): Promise<FileSource> {
  const name = basename(uri.path);
  if (uri.scheme === 'file') {
    const { size } = await stat(uri.fsPath);
    return { name, size, open: () => createReadStream(uri.fsPath, { highWaterMark: 256 * 1024 }) };
  }
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > UNSTREAMED_BYTES_MAX) {
    throw new Error(`${name} exceeds 256 MB. Copy it to a local disk and ingest it from there.`);
  }
  const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri));
  return { name, size, open: () => Readable.from([bytes], { objectMode: false }) };
}

async function tell({ log, deployments }: Context, outcome: IngestOutcome): Promise<void> {
  const message = outcomeInWords(outcome);
  const clean = outcome.problem === undefined && outcome.failed === 0 && !outcome.cancelled;
  if (clean) log.info(message);
  else log.warn(message);
  for (const { error, count, firstTimestamp, firstEvent } of outcome.failures) {
    const first =
      firstEvent === undefined ? `at ${firstTimestamp ?? 'unknown'}` : `event ${firstEvent}`;
    log.warn(`${eventsInWords(count)} not stored (first ${first}): ${error}`);
  }
  if (outcome.failure) {
    const advice = adviceFor(outcome.failure, {
      local: deployments.active.kind === 'local',
      needs: `ingest access to ${outcome.dataset}`,
    });
    showWithActions(message, advice.actions);
    return;
  }
  const query = 'Query Dataset';
  const details = 'Show Log';
  const chosen = clean
    ? await vscode.window.showInformationMessage(message, query)
    : outcome.ingested > 0
      ? await vscode.window.showWarningMessage(message, details, query)
      : await vscode.window.showErrorMessage(message, details);
  if (chosen === query)
    await vscode.commands.executeCommand('aplomb.queryDataset', outcome.dataset);
  if (chosen === details) log.show();
}
