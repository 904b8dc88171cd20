// Chart actions shared by results, notebooks and dashboards: reading and adding annotations, and saving pictures.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { ResultTab } from '../../answers/tabs.ts';
import type { Deployments } from '../../deployments/deployments.ts';
import { showFailure } from '../../host/notify.ts';
import { answerService } from '../../query/answerService.ts';
import { showErrorMessage, showInformationMessage } from '../../ui/notifications.ts';
import { errorMessage } from '../../words/errors.ts';
import { type ChartMarks, noMarks } from '../marks.ts';
import { annotateSpan } from './annotate.ts';
import type { PictureFormat } from './chartEffects.ts';
import type { SharedEffects } from './chartSession.ts';
import { readMarks } from './marksSource.ts';

export class SharedCharts implements SharedEffects, vscode.Disposable {
  readonly #deployments: Deployments;
  readonly #annotated = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#annotated.event;

  constructor(deployments: Deployments) {
    this.#deployments = deployments;
  }

  async annotate(answer: HeldAnswer, from: number, to: number): Promise<void> {
    const { deployment } = answer.about;
    const service = await answerService(this.#deployments, deployment);
    if (!service.ok)
      return showFailure('Cannot store the annotation', service.failure, {
        local: this.#deployments.find(deployment)?.kind === 'local',
        needs: 'access to annotations',
      });
    if (!(await annotateSpan(service.value, answer, from, to))) return;
    this.#annotated.fire();
    await vscode.commands.executeCommand('aplomb.refreshAnnotations');
  }

  async marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks> {
    const service = await answerService(this.#deployments, answer.about.deployment);
    return service.ok ? readMarks(service.value, answer, signal) : noMarks;
  }

  async savePicture(tab: ResultTab, format: PictureFormat, content: string): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
    const name = tab.title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
    const target = await vscode.window.showSaveDialog({
      title: 'Save Picture',
      defaultUri: vscode.Uri.joinPath(folder, `${name.slice(0, 80) || 'chart'}.${format}`),
      filters: { [format.toUpperCase()]: [format] },
    });
    if (target === undefined) return;
    try {
      const bytes = Buffer.from(content, format === 'png' ? 'base64' : 'utf8');
      await vscode.workspace.fs.writeFile(target, bytes);
      const open = 'Open';
      const file = target.path.slice(target.path.lastIndexOf('/') + 1);
      void showInformationMessage(`Saved the chart to ${file}.`, open).then((chosen) =>
        chosen === open ? vscode.commands.executeCommand('vscode.open', target) : undefined,
      );
    } catch (error) {
      void showErrorMessage(`The chart was not saved. ${errorMessage(error)}`);
    }
  }

  dispose(): void {
    this.#annotated.dispose();
  }
}
