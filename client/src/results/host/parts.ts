/** The dependencies of the host of pages with answers: the answers, their tabs, and effects beyond the page. */

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

/** The part of the results store that pages need. */
export type HeldAnswers = Pick<
  ResultsStore,
  'get' | 'rows' | 'shown' | 'restore' | 'drop' | 'setViewState' | 'onDidChange'
>;

/** Effects of a page outside of it. */
export interface Effects {
  copy(text: string): Promise<void>;
  /** Whether copied text gets an apostrophe where a spreadsheet would run it as a formula. */
  guardsFormulas(): boolean;
  openDocument(document: CellDocument, place: string): Promise<void>;
  /** Only ever called with an http or https address of a value that a person has clicked. */
  openLink(address: string): void;
  runAction(action: TabAction): void;
  /** Writes conditions into the query of a tab and runs it again; absent where queries are not edited. */
  addFilter?: (tab: ResultTab, conditions: readonly FilterCondition[]) => Promise<void>;
  /** Shows the most frequent values of a column of a tab's query; absent where queries do not run in tabs. */
  topValues?: (tab: ResultTab, column: string) => Promise<void>;
  /** A column, or a member below its value, as a query names it. */
  pathText(column: string, path: ValuePath): Promise<string>;
  setTimeZone(timeZone: 'utc' | 'local'): void;
  /** Appends the next rows of an answer; rejects with a `RequestFailed` where the service has none to give. */
  loadMore?: (answer: HeldAnswer, signal: AbortSignal) => Promise<void>;
  inform(message: string): void;
  warn(message: string): void;
}

export interface FollowEffects {
  view(tab: TabId): ViewFollow | undefined;
  act(tab: TabId, action: FollowAction): void;
  /** What is said of a tab has changed. */
  onDidChange(listener: (tab: TabId) => void): { dispose(): void };
}

export interface ExportEffects {
  /** Undefined if the tab has no result. */
  form(tab: TabId): ExportForm | undefined;
  write(tab: TabId, choice: ExportChoice): Promise<unknown>;
}

/** A page with a strip of tabs, one of which it shows. */
export interface StripParts {
  readonly tabs: ResultTabs;
  cancel(tab: ResultTab): void;
  /** The page has the keyboard, or has it no longer. */
  focused(isFocused: boolean): void;
  leftForPalette?(): void;
  /** Absent where queries are not followed. */
  readonly follow?: FollowEffects;
  /** Absent where parameters are not asked for. */
  readonly parameterForms?: ParameterForms;
  /** Absent where results are not exported. */
  readonly exports?: ExportEffects;
}

export interface AnswersHostParts {
  readonly answers: HeldAnswers;
  readonly tabs: AnswerSlots;
  /** Absent where a page shows any number of tabs. */
  readonly strip?: StripParts;
  readonly arrangements: Arrangements;
  readonly effects: Effects;
  /** Absent where charts are only drawn. */
  readonly charts?: ChartEffects;
  readonly runAgain: (tab: ResultTab) => TabAction;
  /** Whether summaries over time are shown as charts until a person chooses. */
  readonly chartsFirst: () => boolean;
  /** Whether the deployment of that name is marked as production, as its results are then; absent where none is. */
  readonly isProduction?: (deployment: string) => boolean;
  readonly timeZone: () => 'utc' | 'local';
  readonly onProblem: (problem: string) => void;
}
