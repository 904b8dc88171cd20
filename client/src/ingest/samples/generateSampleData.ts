// Load Sample Data…: asks for the kind, amount, time span and dataset, sends generated events to the local deployment,
// and offers a query for them.
import * as vscode from 'vscode';
import { counted, grouped, plural } from '../../../../formats/src/counts.ts';
import type { Context } from '../../context.ts';
import { localProfile } from '../../deployments/profiles.ts';
import { showFailure } from '../../host/notify.ts';
import { runApl } from '../../host/openApl.ts';
import { resultsTimeZone } from '../../host/settings.ts';
import type { Failure } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { rangeAround } from '../../time/extentWords.ts';
import { rangeText } from '../../time/timeRange.ts';
import { showInformationMessage } from '../../ui/notifications.ts';
import { showCancellable } from '../../ui/progress.ts';
import { askSample, type SampleWish } from './askSample.ts';
import { type SampleOutcome, sendSample } from './sendSample.ts';

/** The seed is fixed, so that the same choices generate the same events again, with later times. */
const SEED = 1;

interface Loaded {
  readonly wish: SampleWish;
  readonly endMs: number;
}

/** Returns the outcome; undefined if nothing was sent. */
export async function generateSampleData(context: Context): Promise<SampleOutcome | undefined> {
  // Require the local deployment, because hosted deployments may charge for the samples.
  if (context.deployments.active.kind !== 'local') {
    await context.deployments.select(localProfile.name);
  }
  const unloaded = (failure: Failure) =>
    showFailure('Cannot load sample data', failure, { local: true });
  const service = await context.deployments.service(localProfile);
  if (!service.ok) return unloaded(service.failure);
  const listed = await service.value.call('listDatasets');
  if (!listed.ok) return unloaded(listed.failure);
  const names = listed.value.typed.map(({ name }) => name);
  const wish = await askSample(names);
  if (wish === undefined) return undefined;
  if (wish === 'bundled') {
    await vscode.commands.executeCommand('aplomb.loadSampleData');
    return undefined;
  }
  return load(context, service.value, wish, names.includes(wish.dataset));
}

async function load(
  context: Context,
  service: Service,
  wish: SampleWish,
  exists: boolean,
): Promise<SampleOutcome | undefined> {
  const { dataset } = wish;
  const ready = await prepare(service, wish, exists);
  if (!ready.ok)
    return showFailure(`No events were stored in '${dataset}'`, ready.failure, { local: true });
  const loaded: Loaded = { wish, endMs: Date.now() };
  const outcome = await withProgress(service, loaded);
  context.schema.invalidate([dataset]);
  void report(context, loaded, outcome);
  return outcome;
}

/** Creates the dataset if necessary, after deleting an existing dataset that is to be replaced. */
async function prepare(service: Service, { dataset, existing }: SampleWish, exists: boolean) {
  if (exists && existing === 'append') return { ok: true } as const;
  if (exists) {
    const deleted = await service.call('deleteDataset', { params: { dataset_id: dataset } });
    if (!deleted.ok && deleted.failure.status !== 404) return deleted;
  }
  return service.call('createDataset', { body: { name: dataset } });
}

function withProgress(service: Service, { wish, endMs }: Loaded): Thenable<SampleOutcome> {
  const { choice, dataset, events, spanMs } = wish;
  const title = `Loading ${choice.label} into '${dataset}'`;
  return showCancellable(title, (signal, progress) => {
    let percent = 0;
    return sendSample({
      service,
      dataset,
      sample: { kind: choice.kind, events, spanMs, endMs, seed: SEED },
      signal,
      onProgress: (now) => {
        const done = (100 * now.events) / events;
        const rate = counted(Math.round(now.eventsPerSecond), 'event');
        const message = `${grouped(now.events)} of ${counted(events, 'event')}, ${rate}/s`;
        progress.report({ message, increment: done - percent });
        percent = done;
      },
    });
  });
}

async function report(
  context: Context,
  loaded: Loaded,
  { stored, failed, cancelled, failure }: SampleOutcome,
): Promise<void> {
  const { dataset } = loaded.wish;
  const were = `${counted(stored, 'event')} ${plural(stored, 'was', 'were')} stored in '${dataset}'`;
  if (failure !== undefined)
    return showFailure(`${were}, then loading failed`, failure, { local: true });
  const refused =
    failed === 0 ? '' : ` ${counted(failed, 'event')} ${plural(failed, 'was', 'were')} rejected.`;
  const message = `${cancelled ? 'Cancelled. ' : ''}${were}.${refused}`;
  const actions = stored === 0 ? [] : ['Run Query'];
  const chosen = await showInformationMessage(message, ...actions);
  if (chosen !== undefined) await runSampleQuery(context, loaded);
}

/** Runs the sample's query in a new document that states the events' time range. */
async function runSampleQuery({ language }: Context, { wish, endMs }: Loaded): Promise<void> {
  const at = (ms: number) => new Date(ms).toISOString();
  const extent = { first: at(endMs - wish.spanMs), last: at(endMs), events: wish.events };
  const range = rangeText(rangeAround(extent), resultsTimeZone());
  const query = wish.choice.query.replace('{dataset}', await language.quoteName(wish.dataset));
  await runApl(`// range: ${range}\n\n${query}\n`);
}
