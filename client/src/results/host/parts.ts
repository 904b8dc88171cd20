/** The dependencies of the host of answer pages: the answers, their tabs, and effects outside the page. */

import type { ValuePath } from '../../../../table/src/viewState.ts';
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { ResultsStore } from '../../answers/resultsStore.ts';
import type { AnswerSlots } from '../../answers/slots.ts';
import type { ResultTab, ResultTabs, TabAction, TabId } from '../../answers/tabs.ts';
import type { ChartEffects } from '../../charts/host/chartEffects.ts';
import type { FilterCondition } from '../../query/filterCondition.ts';
import type { ParameterForms } from '../../query/parameterForms.ts';
import type { Arrangements } from '../arrangements.ts';
import type { CellDocument } from '../cellDocument.ts';
import type { ExportChoice, ExportForm } from '../exportForm.ts';
import type { FollowAction, ViewFollow } from '../pageContent.ts';

export type HeldAnswers = Pick<
  ResultsStore,
  'get' | 'rows' | 'shown' | 'restore' | 'drop' | 'setViewState' | 'onDidChange'
>;

export interface Effects {
  copy(text: string): Promise<void>;
  /** Whether to prefix copied text with an apostrophe if a spreadsheet would run it as a formula. */
  guardsFormulas(): boolean;
  openDocument(document: CellDocument, place: string): Promise<void>;
  /** Opens an address that a person has clicked, always http or https. */
  openLink(address: string): void;
  runAction(action: TabAction): void;
  /** Adds conditions to a tab's query and runs it again. Absent if queries cannot be edited. */
  addFilter?: (tab: ResultTab, conditions: readonly FilterCondition[]) => Promise<void>;
  /** Shows the most frequent values of a column. Absent if queries do not run in tabs. */
  topValues?: (tab: ResultTab, column: string) => Promise<void>;
  /** Returns the expression by which a query names a column or a member of its value. */
  pathText(column: string, path: ValuePath): Promise<string>;
  setTimeZone(timeZone: 'utc' | 'local'): void;
  /** Appends the next rows of an answer. Rejects with a `RequestFailed` if no rows could be loaded. */
  loadMore?: (answer: HeldAnswer, signal: AbortSignal) => Promise<void>;
  inform(message: string): void;
  warn(message: string): void;
}

export interface FollowEffects {
  view(tab: TabId): ViewFollow | undefined;
  act(tab: TabId, action: FollowAction): void;
  /** Calls `listener` when a tab's follow state changes. */
  onDidChange(listener: (tab: TabId) => void): { dispose(): void };
}

export interface ExportEffects {
  /** Undefined if the tab has no result. */
  form(tab: TabId): ExportForm | undefined;
  write(tab: TabId, choice: ExportChoice): Promise<unknown>;
}

export interface StripParts {
  readonly tabs: ResultTabs;
  cancel(tab: ResultTab): void;
  /** Called when the page receives or loses the keyboard focus. */
  focused(isFocused: boolean): void;
  leftForPalette?(): void;
  /** Absent if queries cannot be followed. */
  readonly follow?: FollowEffects;
  /** Absent if the page does not ask for parameters. */
  readonly parameterForms?: ParameterForms;
  /** Absent if results cannot be exported. */
  readonly exports?: ExportEffects;
}

export interface AnswersHostParts {
  readonly store: HeldAnswers;
  readonly tabs: AnswerSlots;
  /** Absent if the page shows any number of tabs at once. */
  readonly strip?: StripParts;
  readonly arrangements: Arrangements;
  readonly effects: Effects;
  /** Absent if charts are only drawn. */
  readonly charts?: ChartEffects;
  readonly runAgain: (tab: ResultTab) => TabAction;
  /** Whether summaries over time open as charts until the person chooses a view. Absent if they always do. */
  readonly chartsFirst?: () => boolean;
  /** Whether the named deployment is marked as production. Absent if the page does not mark production results. */
  readonly isProduction?: (deployment: string) => boolean;
  readonly timeZone: () => 'utc' | 'local';
  readonly onProblem: (problem: string) => void;
}
