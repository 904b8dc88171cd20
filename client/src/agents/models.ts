// Chooses a language model, and describes failures of models with what to do next.
import * as vscode from 'vscode';
import type { Action } from '../host/advice.ts';
import { showWithActions } from '../host/notify.ts';
import { showQuickPick } from '../ui/inputs.ts';
import { errorMessage } from '../words/errors.ts';

const MODEL_KEY = 'agents.model';

const chooseModel: Action = {
  label: 'Select Language Model',
  command: 'aplomb.selectLanguageModel',
};

const NO_MODEL =
  'No language model is available. Install an extension that provides one, such as GitHub Copilot, and sign in to it.';

/** Returns the models that can call tools. */
export async function usableModels(): Promise<vscode.LanguageModelChat[]> {
  const models = await vscode.lm.selectChatModels();
  return models.filter((model) => {
    const { capabilities } = model as { capabilities?: { supportsToolCalling?: unknown } };
    return capabilities?.supportsToolCalling !== false;
  });
}

/** Returns the selected model or the only one. Otherwise asks. Without a model, shows a message. */
export async function modelToUse(
  memory: vscode.Memento,
): Promise<vscode.LanguageModelChat | undefined> {
  const models = await usableModels();
  const [only] = models;
  if (only === undefined) {
    showWithActions(NO_MODEL, []);
    return undefined;
  }
  const kept = memory.get<string>(MODEL_KEY);
  const selected = models.find((model) => idOf(model) === kept);
  return selected ?? (models.length === 1 ? only : pickModel(models, memory));
}

/** Asks for the model to use from now on. */
export async function selectModel(memory: vscode.Memento): Promise<void> {
  const models = await usableModels();
  if (models.length === 0) return showWithActions(NO_MODEL, []);
  await pickModel(models, memory);
}

async function pickModel(
  models: readonly vscode.LanguageModelChat[],
  memory: vscode.Memento,
): Promise<vscode.LanguageModelChat | undefined> {
  const items = models.map((model) => ({
    label: model.name,
    description: model.vendor,
    model,
  }));
  const chosen = await showQuickPick(items, {
    title: 'Select Language Model',
    placeHolder: 'The model that explains, fixes and writes queries',
    matchOnDescription: true,
  });
  if (chosen) await memory.update(MODEL_KEY, idOf(chosen.model));
  return chosen?.model;
}

const idOf = ({ vendor, id }: vscode.LanguageModelChat) => `${vendor}/${id}`;

/** Shows why a task failed. `doing` names the task, without a full stop. */
export function showModelFailure(
  doing: string,
  { name }: vscode.LanguageModelChat,
  error: unknown,
): void {
  const { message, actions } = modelAdvice(name, error);
  showWithActions(`${doing}. ${message}`, actions);
}

/** Describes an error of a model by its code. */
export function modelAdvice(
  name: string,
  error: unknown,
): { readonly message: string; readonly actions: readonly Action[] } {
  const reason = errorMessage(error).trim().replace(/\.?$/, '.');
  const { code } = Object(error) as { code?: unknown };
  const again = [chooseModel];
  switch (code) {
    case 'NoPermissions':
      return {
        message: `Aplomb may not use ${name}. Run the command again and allow it, or change your answer in the accounts menu, under Manage Language Model Access.`,
        actions: again,
      };
    case 'NotFound':
      return { message: `${name} is no longer available. Select another model.`, actions: again };
    case 'Blocked':
      return {
        message: `${name} refused the request, because of a quota or a filter: ${reason} Try again later, or select another model.`,
        actions: again,
      };
    default:
      return {
        message: `${name} failed: ${reason} Try again, or select another model.`,
        actions: again,
      };
  }
}
