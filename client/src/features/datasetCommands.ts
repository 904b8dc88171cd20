// The commands that create, trim and delete datasets.

import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askDeployment } from '../deployments/askDeployment.ts';
import { datasetNameProblem } from '../ingest/datasetName.ts';
import { datasetOfNode } from '../resources/datasetNode.ts';
import type { Outcome } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { registerCommands } from '../ui/commands.ts';
import { askName, confirmByTyping, showQuickPick } from '../ui/inputs.ts';
import { showInformationMessage } from '../ui/notifications.ts';
import { showProgress } from '../ui/progress.ts';
import { itemDeleted } from '../ui/trees.ts';

export function activate(context: Context): vscode.Disposable {
  const onDataset = (run: typeof remove) => (node?: unknown) => {
    const name = datasetOfNode(node);
    return name === undefined ? undefined : run(context, name);
  };
  return registerCommands({
    'aplomb.createDataset': () => create(context),
    'aplomb.deleteDataset': onDataset(remove),
    'aplomb.trimDataset': onDataset(trim),
  });
}

async function create(context: Context): Promise<string | undefined> {
  const prompt = `Name of the dataset on ${context.deployments.active.name}.`;
  // Let `datasetNameProblem` check the length, because its message says how long the name is.
  const name = await askName({ title: 'New Dataset', prompt }, Number.POSITIVE_INFINITY, (text) =>
    text === '' ? undefined : datasetNameProblem(text),
  );
  if (name === undefined) return undefined;
  const done = await change(context, name, `The dataset '${name}' was not created`, (service) =>
    service.call('createDataset', { body: { name } }),
  );
  return done ? name : undefined;
}

async function remove(context: Context, name: string): Promise<boolean> {
  const isConfirmed = await confirmByTyping(name, {
    title: `Delete '${name}' from ${context.deployments.active.name}`,
    prompt: `Type '${name}' to delete the dataset with all its events. This cannot be undone.`,
  });
  if (!isConfirmed) return false;
  const deployment = context.deployments.active.name;
  const done = await change(context, name, `The dataset '${name}' was not deleted`, (service) =>
    service.call('deleteDataset', { params: { dataset_id: name } }),
  );
  if (!done) return false;
  itemDeleted('aplomb.datasets');
  context.schema.deleted(name, deployment);
  return true;
}

/** The offered ages in hours, because the service doesn't accept days. */
const ages = [
  { label: '1 day', hours: 24 },
  { label: '7 days', hours: 7 * 24 },
  { label: '30 days', hours: 30 * 24 },
  { label: '90 days', hours: 90 * 24 },
];

/** Deletes old events after confirmation. Returns whether the deployment accepted the request. */
async function trim(context: Context, name: string): Promise<boolean> {
  const age = await showQuickPick(
    ages.map((one) => ({ ...one, label: `Older than ${one.label}` })),
    { title: `Trim '${name}'`, placeHolder: 'Select the age of the events to delete' },
  );
  if (age === undefined) return false;
  const older = age.label.toLowerCase();
  const isConfirmed = await confirmByTyping(name, {
    title: `Trim '${name}' on ${context.deployments.active.name}`,
    prompt: `Type '${name}' to delete the events of the dataset ${older}. This cannot be undone.`,
  });
  if (!isConfirmed) return false;
  const done = await change(context, name, `The dataset '${name}' was not trimmed`, (service) =>
    service.call('trimDataset', {
      params: { dataset_id: name },
      body: { maxDuration: `${age.hours}h` },
    }),
  );
  if (done) {
    void showInformationMessage(
      `The events of '${name}' ${older} are being deleted. A hosted deployment may take hours.`,
    );
  }
  return done;
}

/** Calls the service with progress in the tree. A failure is shown with `problem` as its first sentence. */
async function change(
  { deployments, schema }: Context,
  dataset: string,
  problem: string,
  call: (service: Service) => Promise<Outcome<unknown>>,
): Promise<boolean> {
  const profile = deployments.active;
  const location = { viewId: 'aplomb.datasets' };
  const about = { problem, needs: 'access to create and delete datasets' };
  const isDone = await showProgress({ location }, () =>
    askDeployment(deployments, profile, about, async (service) => {
      const answer = await call(service);
      return answer.ok ? { ok: true, value: true } : answer;
    }),
  );
  // Invalidate the schema even after a failure, because someone else may have created or deleted the dataset.
  schema.invalidate([dataset]);
  return isDone === true;
}
