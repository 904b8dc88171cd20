// Objects that features share. Features use them because they must not import each other.
import type * as vscode from 'vscode';
import type { ResultsStore } from './answers/resultsStore.ts';
import type { ResultTabs } from './answers/tabs.ts';
import type { ChartEffects } from './charts/host/chartEffects.ts';
import type { SharedCharts } from './charts/host/sharedCharts.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { Follows } from './follow/follows.ts';
import type { Log } from './host/log.ts';
import type { LanguageServer } from './languageServer/languageClient.ts';
import type { ErrorMarks } from './query/errorMarks.ts';
import type { ParameterMemory } from './query/parameterMemory.ts';
import type { QueryRunner } from './query/runner.ts';
import type { SilencedFiles } from './query/silencedFiles.ts';
import type { Answers } from './query/storedAnswers.ts';
import type { ResultsView } from './results/resultsView.ts';
import type { DatasetExtents } from './schema/datasetExtents.ts';
import type { SchemaSource } from './schema/schemaSource.ts';
import type { TimeRangeState } from './time/timeRangeState.ts';

export interface Context {
  readonly extension: vscode.ExtensionContext;
  readonly log: Log;
  readonly deployments: Deployments;
  readonly schema: SchemaSource;
  readonly extents: DatasetExtents;
  readonly language: LanguageServer;
  readonly timeRange: TimeRangeState;
  readonly tabs: ResultTabs;
  readonly answers: Answers;
  /** Stores answers that are never kept on disk, such as those of dashboards and of charts' earlier periods. */
  readonly passingAnswers: Answers;
  readonly parameters: ParameterMemory;
  readonly silenced: SilencedFiles;
  readonly store: ResultsStore;
  readonly results: ResultsView;
  readonly charts: ChartEffects;
  readonly sharedCharts: SharedCharts;
  readonly follows: Follows;
  readonly runner: QueryRunner;
  readonly marks: ErrorMarks;
}

export type Feature = (context: Context) => vscode.Disposable;
