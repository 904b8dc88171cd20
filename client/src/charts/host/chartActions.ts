// What charts do in VS Code: set the range or add a filter and run again, go back, annotate, compare, save
// pictures.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Deployments } from '../../deployments/deployments.ts';
import type { Log } from '../../host/log.ts';
import { showFailure } from '../../host/notify.ts';
import { maxAnswerBytes, queryTimeoutMs, resultsTimeZone } from '../../host/settings.ts';
import type { LanguageServer } from '../../languageServer/languageClient.ts';
import type { Answers } from '../../query/answers.ts';
import { rangeLine } from '../../query/fileLines.ts';
import type { Query } from '../../query/query.ts';
import type { QueryRunner, Task } from '../../query/runner.ts';
import { writeFileLine } from '../../query/writeFileLine.ts';
import { removeFilter, writeFilter } from '../../results/addFilter.ts';
import type { FilterCondition } from '../../results/filterCondition.ts';
import type { HeldAnswer } from '../../results/store/heldAnswer.ts';
import type { ResultsStore } from '../../results/store/resultsStore.ts';
import type { ResultTab, ResultTabs, TabId } from '../../results/tabs.ts';
import { parseTimeRange } from '../../time/parseTimeRange.ts';
import { rangeText, type TimeRange } from '../../time/timeRange.ts';
import type { TimeRangeState } from '../../time/timeRangeState.ts';
import { showErrorMessage, showInformationMessage } from '../../ui/messages.ts';
import type { ChartMarks, EarlierOffset } from '../marks.ts';
import { annotateSpan } from './annotate.ts';
import { answerProfile, answerService } from './answerService.ts';
import type { ChartEffects, ChartState, PictureFormat } from './chartEffects.ts';
import { type AskInTab, EarlierAnswers } from './earlierAnswers.ts';
import { readMarks } from './marksSource.ts';
import { rangeOfSpan } from './rangeOfSpan.ts';
import { backState, type StepBack, StepsBack } from './stepsBack.ts';

interface ChartActionsParts {
  readonly deployments: Deployments;
  readonly timeRange: TimeRangeState;
  readonly language: LanguageServer;
  readonly tabs: ResultTabs;
  readonly store: ResultsStore;
  readonly answers: Answers;
  readonly runner: QueryRunner;
  readonly log: Log;
}

type Steps = readonly StepBack<string>[];

export class ChartActions implements ChartEffects, vscode.Disposable {
  readonly #parts: ChartActionsParts;
  /** Their ranges are as they were written. */
  readonly #steps = new StepsBack<TabId, string>();
  readonly #earlier: EarlierAnswers;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: { dispose(): void };

  constructor(parts: ChartActionsParts) {
    this.#parts = parts;
    const { deployments, tabs, store, answers, runner } = parts;
    const askInTab: AskInTab = async (tab, progress, signal, deployment, work) => {
      const query = runner.queryOf(tab.id);
      const profile = answerProfile(deployments, deployment);
      if (query === undefined || !profile.ok) return profile.ok ? undefined : profile;
      const ask = (task: Task) => {
        task.report(progress);
        return work({ service: task.service, signal: AbortSignal.any([signal, task.signal]) });
      };
      const outcome = await runner.task(query, ask, profile.value);
      return outcome?.ok ? outcome.value : outcome;
    };
    this.#earlier = new EarlierAnswers({
      answers,
      askInTab,
      limits: () => ({ timeoutMs: queryTimeoutMs(), maxBytes: maxAnswerBytes() }),
      onChange: () => this.#changed.fire(),
    });
    this.#subscription = tabs.onDidChange(({ changed, closed }) => {
      this.#steps.forget(closed);
      this.#earlier.closed(closed);
      for (const id of changed) {
        const tab = tabs.tab(id);
        if (tab) this.#earlier.tabChanged(tab, (answer) => store.get(answer));
      }
    });
  }

  state(tab: ResultTab, answer: HeldAnswer): ChartState {
    const earlier = this.#earlier.get(tab.id, answer.id);
    return {
      canSelectRange: tab.query.text !== '',
      ...backState(this.#stepsOf(tab)),
      ...(earlier && { earlier }),
    };
  }

  async selectRange(tab: ResultTab, from: number, to: number): Promise<void> {
    const range = rangeOfSpan(from, to);
    const query = this.#parts.runner.queryOf(tab.id);
    if (range === undefined || query === undefined) return;
    const former = await this.#setRange(tab, range);
    const steps = this.#stepsOf(tab);
    await this.#runAgain(inRange(query, range), [...steps, { kind: 'range', former }]);
  }

  /** Writes conditions into the query of a tab, in its document, and runs it again. */
  async addFilter(tab: ResultTab, conditions: readonly FilterCondition[]): Promise<void> {
    const { runner, language } = this.#parts;
    const former = runner.queryOf(tab.id);
    const steps = this.#stepsOf(tab);
    const filtered = former && (await writeFilter(language, former, conditions));
    if (filtered === undefined) return;
    const { query, filter } = filtered;
    await this.#runAgain(query, [...steps, { kind: 'filter', filter, text: query.text }]);
  }

  async back(tab: ResultTab): Promise<void> {
    const { runner, language } = this.#parts;
    const steps = this.#stepsOf(tab);
    const step = steps.at(-1);
    const query = runner.queryOf(tab.id);
    if (step === undefined || query === undefined) return;
    const before = steps.slice(0, -1);
    if (step.kind === 'filter') {
      const former = await removeFilter(language, query, step.filter);
      if (former !== undefined) return this.#runAgain(former, before);
      this.#steps.set(tab.id, before);
      return this.#changed.fire();
    }
    const range = parseTimeRange(step.former, Date.now(), resultsTimeZone());
    if (typeof range === 'string') return;
    await this.#setRange(tab, range, step.former);
    await this.#runAgain(inRange(query, range), before);
  }

  async annotate(answer: HeldAnswer, from: number, to: number): Promise<void> {
    const service = await this.#service(answer);
    if (service === undefined) return;
    const stored = await annotateSpan(service, answer, from, to);
    if (!stored) return;
    this.#changed.fire();
    await vscode.commands.executeCommand('aplomb.refreshAnnotations');
  }

  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void {
    this.#earlier.compare(tab, answer, offset);
  }

  async marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks> {
    const service = await answerService(this.#parts.deployments, answer.about.deployment);
    if (service.ok) return readMarks(service.value, answer, signal);
    return { annotations: [], thresholds: [], notes: [] };
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
      const why = error instanceof Error ? error.message : String(error);
      void showErrorMessage(`The chart was not saved. ${why}`);
    }
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#changed.event(listener);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#earlier.dispose();
    this.#changed.dispose();
  }

  /** Sets the range of the query's document, in its text if that states one. Returns the former, as it was written. */
  async #setRange(
    tab: ResultTab,
    range: TimeRange,
    written = rangeText(range, resultsTimeZone()),
  ): Promise<string> {
    const { timeRange } = this.#parts;
    const { rangeText: stated, place } = tab.query;
    const former = stated ?? rangeText(timeRange.of(place?.uri), resultsTimeZone());
    if (place === undefined) return former;
    const document =
      stated === undefined
        ? undefined
        : await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    const line = document && rangeLine(document.getText());
    if (document === undefined || line === undefined) {
      timeRange.setOf(place.uri, range);
      return former;
    }
    await writeFileLine(document, line, written);
    return line.text;
  }

  /** Runs a query in its tab, from which these steps lead back. */
  async #runAgain(query: Query, steps: Steps): Promise<void> {
    const { runner, tabs } = this.#parts;
    const running = runner.run([query]);
    // Another tab than that of the chart where that is pinned.
    if (tabs.active) this.#steps.set(tabs.active.id, steps);
    await running;
  }

  #stepsOf({ id, query }: ResultTab): Steps {
    return this.#steps.of(id, query);
  }

  async #service({ about }: HeldAnswer) {
    const { deployments } = this.#parts;
    const service = await answerService(deployments, about.deployment);
    if (service.ok) return service.value;
    showFailure('Cannot store the annotation', service.failure, {
      local: deployments.find(about.deployment)?.kind === 'local',
      needs: 'access to annotations',
    });
    return undefined;
  }
}

function inRange(query: Query, range: TimeRange): Query {
  if (query.rangeText === undefined && query.place !== undefined) return query;
  return { ...query, rangeText: rangeText(range, resultsTimeZone()) };
}
