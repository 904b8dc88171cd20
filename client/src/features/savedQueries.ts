// The command Save Query, and opening saved queries.

import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { askDeployment } from '../deployments/askDeployment.ts';
import { deploymentNamed } from '../deployments/fileDeployment.ts';
import { showFailure, showWithActions } from '../host/notify.ts';
import { openApl } from '../host/openApl.ts';
import { queryAt } from '../query/inEditor.ts';
import {
  listSavedQueries,
  type SavedQuery,
  savedQueryDocument,
  saveQuery,
} from '../savedQueries/savedQueries.ts';
import { rangeParameters } from '../time/timeRange.ts';
import { registerCommand } from '../ui/commands.ts';
import { askName } from '../ui/inputs.ts';
import { confirm, showInformationMessage, showWarningMessage } from '../ui/notifications.ts';

const NAME_CHARACTERS_MAX = 200;

export function activate(context: Context): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('aplomb.saveQuery', (uri?: unknown) => save(context, uri)),
    registerCommand('aplomb.openSavedQuery', (node?: unknown) => {
      const { saved } = (node ?? {}) as { readonly saved?: SavedQuery };
      return saved && openApl(savedQueryDocument(saved));
    }),
  );
}

async function save(context: Context, uri: unknown): Promise<string | undefined> {
  const query = await queryAt(context.language, uri);
  if (query === undefined) return undefined;
  const profile = deploymentNamed(context.deployments, query.deployment);
  if (!profile.ok) return showFailure('The query was not saved', profile.failure, { local: false });
  const { name: deployment } = profile.value;
  const title = `Save Query on ${deployment}`;
  const asking = { title, prompt: 'Name of the saved query.', value: query.title };
  const name = await askName(asking, NAME_CHARACTERS_MAX);
  if (name === undefined) return undefined;
  const about = { problem: `The query '${name}' was not saved`, needs: 'access to saved queries' };
  const saved = await askDeployment(context.deployments, profile.value, about, async (service) => {
    const known = await listSavedQueries(service);
    if (!known.ok) return known;
    const replaced = known.value.find((other) => other.name === name);
    const question = `${deployment} already has a saved query '${name}'.`;
    const warning = 'Replacing it cannot be undone.';
    if (replaced && !(await confirm(question, warning, 'Replace')))
      return { ok: true, value: false };
    const range = rangeParameters(context.timeRange.value, Date.now());
    const answer = await saveQuery(service, { name, apl: query.text, range }, replaced);
    if (!answer.ok) return answer;
    showSaved(name, deployment, answer.value);
    return { ok: true, value: true };
  });
  if (!saved) return undefined;
  void vscode.commands.executeCommand('aplomb.refreshHistory');
  return name;
}

function showSaved(name: string, deployment: string, [notice, ...others]: readonly string[]): void {
  const actions = [{ label: 'Show in History', command: 'aplomb.history.focus' }];
  const saved = `The query '${name}' was saved on ${deployment}.`;
  const more = others.length === 0 ? '' : ` (${others.length} more)`;
  if (notice === undefined) showWithActions(saved, actions, showInformationMessage);
  else showWithActions(`${saved} ${notice}${more}`, actions, showWarningMessage);
}
