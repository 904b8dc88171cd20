/** The dependencies of the host for answer pages: the answers, their tabs, and effects outside the page. */

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
  /** Opens an address that the user has clicked, always http or https. */
  openLink(address: string): void;
  runAction(action: TabAction): void;
  /** Adds conditions to a tab's query and runs it again. Absent if queries cannot be edited. */
  addFilter?: (tab: ResultTab, conditions: readonly FilterCondition[]) => Promise<void>;
  /** Shows a column's most frequent values. Absent if queries don't run in tabs. */
  topValues?: (tab: ResultTab, column: string) => Promise<void>;
  /** Returns the expression that names a column or a member of its value in a query. */
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
  /** Returns the export form; undefined if the tab has no result. */
  form(tab: TabId): ExportForm | undefined;
  write(tab: TabId, choice: ExportChoice): Promise<unknown>;
}

export interface StripParts {
  readonly tabs: ResultTabs;
  cancel(tab: ResultTab): void;
  /** Called when the page receives or loses the keyboard focus. */
  focused(isFocused: boolean): void;
  leftForPalette?(): void;
  /** Effects on followed queries; absent if queries can't be followed. */
  readonly follow?: FollowEffects;
  /** The parameter forms; absent if the page doesn't ask for parameters. */
  readonly parameterForms?: ParameterForms;
  /** The export effects; absent if results can't be exported. */
  readonly exports?: ExportEffects;
}

export interface AnswersHostParts {
  readonly store: HeldAnswers;
  readonly tabs: AnswerSlots;
  /** The tab strip's parts; absent if the page shows several tabs at once. */
  readonly strip?: StripParts;
  readonly arrangements: Arrangements;
  readonly effects: Effects;
  /** The effects of charts; absent if charts are only drawn. */
  readonly charts?: ChartEffects;
  readonly runAgain: (tab: ResultTab) => TabAction;
  /** Whether summaries over time open as charts until the user chooses a view. Absent if they always do. */
  readonly chartsFirst?: () => boolean;
  /** Whether the named deployment is marked as production. Absent if the page does not mark production results. */
  readonly isProduction?: (deployment: string) => boolean;
  readonly timeZone: () => 'utc' | 'local';
  readonly onProblem: (problem: string) => void;
}
