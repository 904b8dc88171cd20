// Load Sample Data: ingests the bundled samples into the local deployment, with current times, and opens the sample
// queries. Load Sample Data… generates a sample.
import { constants, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunReport } from '../../../ingest/src/contract.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import type { Context } from '../context.ts';
import { localProfile } from '../deployments/profiles.ts';
import { showFailure } from '../host/notify.ts';
import { makePrivateFolder } from '../host/privateFolder.ts';
import { joinedWhileRunning } from '../host/whileRunning.ts';
import { reportInWords } from '../ingest/reportWords.ts';
import { latestTime, moveTimes } from '../ingest/sampleTimes.ts';
import type { Failure, Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { registerCommand } from '../ui/commands.ts';
import { ask, showErrorMessage } from '../ui/notifications.ts';
import { showProgress } from '../ui/progress.ts';

interface Options {
  readonly open?: boolean;
  readonly existing?: 'keep' | 'replace';
}

const sampleSettings: ReadSettings = {
  format: 'ndjson',
  compression: 'none',
  encoding: 'utf-8',
  time: { field: '_time', format: { kind: 'rfc3339' }, zone: 'UTC' },
  labels: {},
  broken: 'stop',
};

const samples = ['sample-http-logs', 'sample-traces', 'sample-app-logs'];

export function activate(context: Context): vscode.Disposable {
  const load = registerCommand(
    'aplomb.loadSampleData',
    // A repeated call joins the running one, because users may run the command again during a slow start.
    joinedWhileRunning(async (options?: Options): Promise<RunReport[]> => {
      // Switch to the local deployment, because hosted deployments may charge for the samples.
      if (context.deployments.active.kind !== 'local') {
        await context.deployments.select(localProfile.name);
      }
      const unloaded = (failure: Failure): RunReport[] => {
        showFailure('Cannot load the sample data', failure, { local: true });
        return [];
      };
      const service = await context.deployments.service(localProfile);
      if (!service.ok) return unloaded(service.failure);
      const present = await samplesIn(service.value);
      if (!present.ok) return unloaded(present.failure);
      const choice =
        present.value.length === 0
          ? 'replace'
          : (options?.existing ?? (await keepOrReplace(present.value)));
      if (choice === undefined) return [];
      const replaced = choice === 'keep' ? [] : present.value;
      const names = samples.filter((name) => choice !== 'keep' || !present.value.includes(name));
      const outcomes = await ingestSamples(context, service.value, names, replaced);
      const wrong = outcomes.filter(({ outcome, failed }) => outcome !== 'complete' || failed > 0);
      for (const outcome of wrong) {
        void showErrorMessage(reportInWords(outcome));
      }
      const loaded = outcomes.length > 0 || choice === 'keep';
      if (loaded && options?.open !== false) await openWelcome(context);
      return outcomes;
    }),
  );
  return vscode.Disposable.from(
    load,
    registerCommand('aplomb.openSampleQueries', () => openWelcome(context)),
    registerCommand('aplomb.generateSampleData', async () => {
      const { generateSampleData } = await import('../ingest/host/ingestUi.ts');
      return generateSampleData(context);
    }),
  );
}

async function samplesIn(service: Service): Promise<Outcome<string[]>> {
  const datasets = await service.call('listDatasets');
  if (!datasets.ok) return datasets;
  const names = new Set(datasets.value.typed.map(({ name }) => name));
  return { ok: true, value: samples.filter((name) => names.has(name)) };
}

/** Asks whether to replace the datasets, because ingesting again would store every event twice. Enter keeps them. */
async function keepOrReplace(present: readonly string[]): Promise<'keep' | 'replace' | undefined> {
  const chosen = await ask(
    'The sample data is already loaded.',
    `Replace ${present.join(', ')} with the samples, with times up to now, or keep the existing datasets?`,
    'Keep',
    'Replace',
  );
  return chosen === 'Replace' ? 'replace' : chosen === 'Keep' ? 'keep' : undefined;
}

/** Ingests the named samples. Deletes the existing datasets of those in `replaced` first. */
async function ingestSamples(
  { schema, extension }: Context,
  service: Service,
  names: readonly string[],
  replaced: readonly string[],
): Promise<RunReport[]> {
  const location = vscode.ProgressLocation.Notification;
  return showProgress({ location, title: 'Loading sample data' }, async (progress) => {
    const texts = await Promise.all(
      names.map((name) =>
        readFile(extension.asAbsolutePath(join('media', 'samples', `${name}.ndjson`)), 'utf8'),
      ),
    );
    const latest = Math.max(...texts.map((text) => latestTime(text) ?? 0));
    const by = Date.now() - latest;
    const outcomes: RunReport[] = [];
    const { sendText } = await import('../ingest/host/ingestUi.ts');
    for (const [index, text] of texts.entries()) {
      const dataset = names[index] as string;
      progress.report({ message: dataset });
      if (replaced.includes(dataset)) {
        const deleted = await service.call('deleteDataset', { params: { dataset_id: dataset } });
        if (!deleted.ok && deleted.failure.status !== 404) {
          showFailure(`${dataset} was not replaced`, deleted.failure, { local: true });
          continue;
        }
      }
      outcomes.push(
        await sendText(moveTimes(text, by), {
          name: `${dataset}.ndjson`,
          worker: extension.asAbsolutePath('dist/ingest.cjs'),
          dataset,
          deployment: { name: localProfile.name, isLocal: true },
          service: async () => ({ ok: true, value: service }),
          settings: sampleSettings,
        }),
      );
    }
    schema.invalidate(names);
    return outcomes;
  });
}

/** Opens a copy of the sample queries, so that the user's edits survive an update of the extension. */
async function openWelcome({ extension }: Context): Promise<void> {
  const bundled = extension.asAbsolutePath(join('media', 'samples', 'welcome.apl'));
  const folder = extension.globalStorageUri.fsPath;
  const copy = join(folder, 'welcome.apl');
  await makePrivateFolder(folder);
  await copyFile(bundled, copy, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(copy));
  const start = new vscode.Position(firstLineOfQuery(document), 0);
  const selection = new vscode.Selection(start, start);
  await vscode.window.showTextDocument(document, { preview: false, selection });
}

/** Returns the first line after the leading comments, so that Shift+Enter runs the first query. */
function firstLineOfQuery(document: vscode.TextDocument): number {
  const lines = document.getText().split(/\r?\n/);
  return Math.max(
    lines.findIndex((line) => !/^\s*(\/\/|$)/.test(line)),
    0,
  );
}
