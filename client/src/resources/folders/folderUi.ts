// Export Resources and Apply Resources: write resources to a folder, and apply a folder to a deployment.

import * as vscode from 'vscode';
import { counted } from '../../../../formats/src/counts.ts';
import { type ApplyReport, applySteps, lockAfter } from '../../../../resources/src/folder/apply.ts';
import type { FileProblem, FolderFiles } from '../../../../resources/src/folder/files.ts';
import { LOCK, type Lock, writeLock } from '../../../../resources/src/folder/lock.ts';
import { FolderError } from '../../../../resources/src/folder/marker.ts';
import {
  planLine,
  planSummary,
  planText,
  pullText,
  reportSummary,
  reportText,
} from '../../../../resources/src/folder/messages.ts';
import { type Plan, planApply, type Step } from '../../../../resources/src/folder/plan.ts';
import { type PullPlan, planPull, writePull } from '../../../../resources/src/folder/pull.ts';
import { readFolder } from '../../../../resources/src/folder/readFolder.ts';
import {
  Cancelled,
  type OperationContext,
  type ResourceStore,
} from '../../../../resources/src/folder/store.ts';
import { kindNames, kinds } from '../../../../resources/src/kinds.ts';
import type { Context } from '../../context.ts';
import { attemptOn } from '../../deployments/askDeployment.ts';
import { askForMissingToken } from '../../deployments/askToken.ts';
import { isProduction, KEEP_UNCHANGED, type Profile } from '../../deployments/profiles.ts';
import { showFailure, showWithActions } from '../../host/notify.ts';
import { diagnostic } from '../../ui/editorParts.ts';
import { confirmByTyping } from '../../ui/inputs.ts';
import {
  ask,
  confirm,
  showErrorMessage,
  showInformationMessage,
  showWarningMessage,
} from '../../ui/notifications.ts';
import { showCancellable } from '../../ui/progress.ts';
import { errorMessage } from '../../words/errors.ts';
import { refreshCommand } from '../commands.ts';
import { askSteps } from './askSteps.ts';
import { deploymentStore } from './deploymentStore.ts';
import { ReviewDocuments } from './reviewDocuments.ts';
import { workspaceFiles } from './workspaceFiles.ts';

const FOLDER_KEY = 'resourceFolder';

interface Session extends OperationContext {
  readonly store: ResourceStore;
}

export class FolderUi implements vscode.Disposable {
  readonly #context: Context;
  readonly #problems = vscode.languages.createDiagnosticCollection('aplomb-resources');
  readonly #documents = new ReviewDocuments();

  constructor(context: Context) {
    this.#context = context;
  }

  dispose(): void {
    this.#problems.dispose();
    this.#documents.dispose();
  }

  /** Exports to a folder. Returns the plan if files were written. */
  async export(given?: vscode.Uri): Promise<PullPlan | undefined> {
    const folder = given ?? (await this.#askFolder('Export Resources', 'Export'));
    if (folder === undefined) return undefined;
    const files = workspaceFiles(folder);
    const plan = await this.#run('Reading resources', (session) =>
      planPull(session.store, files, kindNames, session),
    );
    if (plan === undefined) return undefined;
    const removeStale = await confirmExport(plan, folder);
    if (removeStale === undefined) return undefined;
    const written = await this.#run('Exporting resources', async (session) => {
      await writePull(plan, files, { removeStale, ...session });
      return true;
    });
    if (written !== true) return undefined;
    void this.#reportExport(plan, folder, removeStale);
    return plan;
  }

  /** Applies a folder. Returns the report if steps were applied. */
  async apply(given?: vscode.Uri): Promise<string | undefined> {
    const folder = given ?? (await this.#askFolder('Apply Resources', 'Apply'));
    if (folder === undefined) return undefined;
    if (!(await saveIn(folder))) return undefined;
    this.#problems.clear();
    const { language } = this.#context;
    const files = workspaceFiles(folder);
    const content = await this.#run('Reading files', (session) =>
      readFolder(files, (texts) => language.syntaxErrors(texts), session),
    );
    if (content === undefined) return undefined;
    if (content.problems.length > 0) {
      this.#showProblems(folder, content.problems);
      return undefined;
    }
    const profile = this.#context.deployments.active;
    // Allow deletions of changed resources, because the user selects and confirms each deletion.
    const plan = await this.#run('Comparing resources', (session) =>
      planApply(session.store, content, { deletes: true, overwrites: ['delete'], ...session }),
    );
    if (plan === undefined) return undefined;
    if (plan.steps.length === 0 && plan.conflicts.length === 0) {
      await this.#note(files, plan.lock);
    }
    const chosen = await this.#review(plan, profile);
    if (chosen === undefined || chosen.length === 0) return undefined;
    const report = await this.#carryOut(profile, chosen);
    if (report === undefined) return undefined;
    await this.#note(files, lockAfter(plan, report));
    return reportText(report);
  }

  /** Asks for a folder. The default is the folder last used in this workspace. */
  async #askFolder(title: string, button: string): Promise<vscode.Uri | undefined> {
    const { workspaceState } = this.#context.extension;
    const last = workspaceState.get<string>(FOLDER_KEY);
    const first =
      last === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.parse(last);
    const [folder] =
      (await vscode.window.showOpenDialog({
        title,
        openLabel: button,
        canSelectFiles: false,
        canSelectFolders: true,
        ...(first && { defaultUri: first }),
      })) ?? [];
    if (folder) await workspaceState.update(FOLDER_KEY, folder.toString());
    return folder;
  }

  /** Writes the lock file. A failure is only reported as a warning, because the steps were already applied. */
  async #note(files: FolderFiles, lock: Lock): Promise<void> {
    try {
      await writeLock(files, lock);
    } catch (error) {
      void showWarningMessage(
        `${LOCK} was not written, so the next apply may report a conflict. ${errorMessage(error)}`,
      );
    }
  }

  /** Returns the selected steps; undefined if there are none or the list is dismissed. */
  async #review(plan: Plan, profile: Profile): Promise<readonly Step[] | undefined> {
    const summary = `${planSummary(plan)}.`;
    if (plan.steps.length === 0 && plan.conflicts.length === 0) {
      const show = 'Show Plan';
      const text = `There is nothing to apply to ${profile.name}: ${summary}`;
      void showInformationMessage(text, show).then((chosen) => {
        if (chosen === show) void this.#documents.showText('Plan', planText(plan, profile.name));
      });
      return undefined;
    }
    await this.#documents.showBelow('Plan', planText(plan, profile.name));
    const chosen = await askSteps(plan, {
      title: `Apply Resources to ${profile.name}: ${summary}`,
      compare: (step) => this.#documents.compare(step, profile.name),
      look: (step) => this.#documents.reveal('Plan', planLine(step)),
    }).finally(() => this.#documents.close());
    if (chosen === undefined || chosen.length === 0) return undefined;
    const isHarmless = ({ action, conflict }: Step) =>
      action !== 'delete' && conflict === undefined;
    if (chosen.every(isHarmless) && !isProduction(profile)) return chosen;
    if (!(await confirmSteps(chosen, profile))) return undefined;
    if (isProduction(profile)) {
      const endpoints = chosen.map(({ action, kind }) => {
        const { create, update, delete: remove } = kinds[kind].endpoints;
        return { create, change: update, delete: remove }[action];
      });
      // Include the creation of missing datasets, because the confirmed plan contains it.
      for (const endpoint of [...endpoints, 'createDataset']) {
        if (endpoint !== undefined) this.#context.deployments.writes.confirmed(profile, endpoint);
      }
    }
    return chosen;
  }

  async #carryOut(profile: Profile, steps: readonly Step[]): Promise<ApplyReport | undefined> {
    const report = await this.#run(
      `Applying resources to ${profile.name}`,
      (session) => applySteps(session.store, steps, session),
      profile,
    );
    if (report === undefined) return undefined;
    this.#refresh(steps, profile);
    const isWhole = report.results.every(
      ({ outcome, reason }) => outcome === 'done' && reason === undefined,
    );
    const sentence = `Applied resources to ${profile.name}: ${reportSummary(report)}.`;
    if (isWhole) void showInformationMessage(sentence);
    else {
      await this.#documents.showText('Report', reportText(report));
      const advice = report.stopReason === undefined ? '' : ' Apply again to continue.';
      void showWarningMessage(`${sentence}${advice}`);
    }
    return report;
  }

  #refresh(steps: readonly Step[], profile: Profile): void {
    if (profile.name !== this.#context.deployments.active.name) return;
    for (const kind of new Set(steps.map((step) => step.kind))) {
      const command = refreshCommand(kind);
      if (command !== undefined) void vscode.commands.executeCommand(command);
    }
    this.#context.schema.invalidate();
  }

  #showProblems(folder: vscode.Uri, problems: readonly FileProblem[]): void {
    for (const { path, message, line = 1, column = 1 } of problems) {
      const uri = vscode.Uri.joinPath(folder, path);
      const at = new vscode.Position(line - 1, column - 1);
      const problem = diagnostic(new vscode.Range(at, at), message);
      problem.source = 'Apply Resources';
      this.#problems.set(uri, [...(this.#problems.get(uri) ?? []), problem]);
    }
    const words = counted(problems.length, 'problem');
    const show = { label: 'Show Problems', command: 'workbench.actions.view.problems' };
    showWithActions(`Nothing was applied. The files have ${words}.`, [show]);
  }

  async #reportExport(plan: PullPlan, folder: vscode.Uri, removed: boolean): Promise<void> {
    const name = folder.path.split('/').findLast(Boolean) ?? folder.path;
    const text = pullText(plan, { folder: name, removed });
    const [first = ''] = text.split('\n');
    const open = 'Show Details';
    const all = [text, ...plan.skipped].join('\n');
    const chosen =
      plan.skipped.length === 0
        ? await showInformationMessage(first, open)
        : await showWarningMessage(`${first} ${plan.skipped[0]}`, open);
    if (chosen === open) await this.#documents.showText('Export', all);
  }

  /** Runs work with progress and Cancel. Shows a failure. Returns undefined after a failure or cancellation. */
  async #run<T>(
    title: string,
    work: (session: Session) => Promise<T>,
    profile: Profile = this.#context.deployments.active,
  ): Promise<T | undefined> {
    const { deployments, log } = this.#context;
    await askForMissingToken(deployments, profile);
    return showCancellable(title, async (signal, progress) => {
      const service = await deployments.service(profile);
      if (!service.ok) return showFailure(`${title} failed`, service.failure, attemptOn(profile));
      try {
        return await work({
          store: deploymentStore(service.value, signal),
          signal,
          onProgress: ({ done, total, message }) =>
            progress.report({
              message: `${done + 1} of ${total}: ${message}`,
              increment: 100 / total,
            }),
        });
      } catch (error) {
        if (error instanceof Cancelled) return undefined;
        const why = errorMessage(error);
        if (!(error instanceof FolderError)) log.warn(`${title} failed. ${why}`);
        void showErrorMessage(`${title} failed. ${why}`);
        return undefined;
      }
    });
  }
}

/** Asks for confirmation, and whether to remove files that have no resource. Returns undefined if the user cancels. */
async function confirmExport(plan: PullPlan, folder: vscode.Uri): Promise<boolean | undefined> {
  const { changed, stale } = plan;
  if (changed.length === 0 && stale.length === 0) return false;
  const [write, remove] = ['Export', 'Export and Remove'];
  const parts = [
    ...(changed.length > 0 ? [`${counted(changed.length, 'file')} will be overwritten.`] : []),
    ...(stale.length > 0
      ? [
          `${counted(stale.length, 'file')} without a resource: ${stale.slice(0, 5).join(', ')}${stale.length > 5 ? ', …' : ''}.`,
        ]
      : []),
  ];
  const message = `Export resources to ${folder.path.split('/').findLast(Boolean)}?`;
  const buttons = stale.length > 0 ? [write, remove] : [write];
  const chosen = await ask(message, parts.join('\n'), ...buttons);
  return chosen === undefined ? undefined : chosen === remove;
}

async function confirmSteps(steps: readonly Step[], profile: Profile): Promise<boolean> {
  const deletes = steps.filter(({ action }) => action === 'delete');
  const overwrites = steps.filter(({ action, conflict }) => action !== 'delete' && conflict);
  const listed = (title: string, some: readonly Step[]) => {
    const shown = some.slice(0, 10).map(({ label }) => label);
    return some.length === 0 ? [] : [`${some.length} ${title}: ${shown.join(', ')}.`];
  };
  const detail = [
    ...(isProduction(profile) ? [`${profile.name} is marked as production.`] : []),
    ...listed('to delete', deletes),
    ...listed('to overwrite, although changed on the deployment', overwrites),
  ];
  const parts = [
    'Apply',
    ...(overwrites.length > 0 ? ['Overwrite'] : []),
    ...(deletes.length > 0 ? ['Delete'] : []),
  ];
  const button = parts.length === 3 ? 'Apply, Overwrite and Delete' : parts.join(' and ');
  const message = `Apply ${counted(steps.length, 'change')} to ${profile.name}?`;
  const safe = isProduction(profile) ? KEEP_UNCHANGED : undefined;
  if (!(await confirm(message, detail.join('\n'), button, safe))) return false;
  if (deletes.length === 0 || !isProduction(profile)) return true;
  const { name } = profile;
  return confirmByTyping(name, {
    title: `Delete ${deletes.length === 1 ? 'a resource' : `${deletes.length} resources`} from ${name}`,
    prompt: `Type '${name}' to delete ${deletes.map(({ label }) => label).join(', ')}.`,
  });
}

/** Saves the folder's edited files, so that the applied content matches the editors. */
async function saveIn(folder: vscode.Uri): Promise<boolean> {
  const prefix = `${folder.toString()}/`;
  const edited = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.toString().startsWith(prefix),
  );
  const saved = await Promise.all(edited.map((document) => document.save()));
  return saved.every(Boolean);
}
