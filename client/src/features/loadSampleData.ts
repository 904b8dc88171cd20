// Load Sample Data: ingests the bundled samples, moved to end now, into the local deployment, and opens
// the queries that go with them.
import { constants, copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { localProfile } from '../deployments/profiles.ts';
import { ingestFile } from '../ingest/ingestFile.ts';
import { type IngestOutcome, outcomeInWords } from '../ingest/outcome.ts';
import { latestTime, moveTimes } from '../ingest/sampleTimes.ts';
import { showFailure } from '../notify.ts';

const samples = ['sample-http-logs', 'sample-traces', 'sample-app-logs'];

export function activate(context: Context): vscode.Disposable {
  // Returns what came of each sample; with { open: false } the queries are not opened.
  return vscode.commands.registerCommand(
    'aplomb.loadSampleData',
    async (options?: { readonly open?: boolean }): Promise<IngestOutcome[]> => {
      // Samples are for the deployment that costs nothing.
      if (context.deployments.active.kind !== 'local') {
        await context.deployments.select(localProfile.name);
      }
      const outcomes = await load(context);
      const wrong = outcomes.filter(({ problem, failed }) => problem !== undefined || failed > 0);
      for (const outcome of wrong) {
        void vscode.window.showErrorMessage(outcomeInWords(outcome));
      }
      if (outcomes.length > 0 && options?.open !== false) await openWelcome(context);
      return outcomes;
    },
  );
}

async function load(context: Context): Promise<IngestOutcome[]> {
  const { deployments, schema, extension } = context;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title: 'Loading sample data' },
    async (progress) => {
      const service = await deployments.service(localProfile);
      if (!service.ok) {
        showFailure('The sample data was not loaded', service.failure, { local: true });
        return [];
      }
      const texts = await Promise.all(
        samples.map((name) =>
          readFile(extension.asAbsolutePath(join('media', 'samples', `${name}.ndjson`)), 'utf8'),
        ),
      );
      const latest = Math.max(...texts.map((text) => latestTime(text) ?? 0));
      const by = Date.now() - latest;
      const outcomes: IngestOutcome[] = [];
      for (const [index, text] of texts.entries()) {
        const dataset = samples[index] as string;
        progress.report({ message: dataset });
        const bytes = Buffer.from(moveTimes(text, by));
        outcomes.push(
          await ingestFile({
            service: service.value,
            dataset,
            file: {
              name: `${dataset}.ndjson`,
              size: bytes.length,
              open: () => Readable.from([bytes], { objectMode: false }),
            },
            pack: false,
            signal: new AbortController().signal,
            onProgress: () => {},
          }),
        );
      }
      schema.invalidate(samples);
      return outcomes;
    },
  );
}

/** Opens a copy of the queries: what a person writes into it outlives an update of the extension. */
async function openWelcome({ extension }: Context): Promise<void> {
  const bundled = extension.asAbsolutePath(join('media', 'samples', 'welcome.apl'));
  const folder = extension.globalStorageUri.fsPath;
  const copy = join(folder, 'welcome.apl');
  await mkdir(folder, { recursive: true });
  await copyFile(bundled, copy, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await vscode.window.showTextDocument(vscode.Uri.file(copy), { preview: false });
}
