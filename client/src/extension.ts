// The extension's entry point: creates the shared objects and activates the features.
import * as vscode from 'vscode';
import { ResultsStore } from './answers/resultsStore.ts';
import { ResultTabs } from './answers/tabs.ts';
import { SharedCharts } from './charts/host/sharedCharts.ts';
import { tabCharts } from './charts/host/tabCharts.ts';
import type { Context, Feature } from './context.ts';
import { Deployments } from './deployments/deployments.ts';
import { LocalDeployment } from './deployments/localDeployment.ts';
import { keepsResults } from './deployments/profiles.ts';
import * as agents from './features/agents.ts';
import * as boardPages from './features/boardPages.ts';
import * as chartCommands from './features/chartCommands.ts';
import * as compareResults from './features/compareResults.ts';
import * as datasetCommands from './features/datasetCommands.ts';
import * as deploymentCommands from './features/deploymentCommands.ts';
import * as deploymentLine from './features/deploymentLine.ts';
import * as deploymentStatus from './features/deploymentStatus.ts';
import * as editFields from './features/editFields.ts';
import * as emptyStage from './features/emptyStage.ts';
import * as explainProblem from './features/explainProblem.ts';
import * as exportResults from './features/exportResults.ts';
import * as follow from './features/follow.ts';
import * as historyView from './features/historyView.ts';
import * as ingestFiles from './features/ingestFiles.ts';
import * as languageServer from './features/languageServer.ts';
import * as languageStatus from './features/languageStatus.ts';
import * as loadSampleData from './features/loadSampleData.ts';
import * as localDeployment from './features/localDeployment.ts';
import * as newQuery from './features/newQuery.ts';
import * as notebooks from './features/notebooks.ts';
import * as queryBlocks from './features/queryBlocks.ts';
import * as queryDataset from './features/queryDataset.ts';
import * as resourceDocuments from './features/resourceDocuments.ts';
import * as resourceFolders from './features/resourceFolders.ts';
import * as resultsMenus from './features/resultsMenus.ts';
import * as runQuery from './features/runQuery.ts';
import * as savedQueries from './features/savedQueries.ts';
import * as secondBlank from './features/secondBlank.ts';
import * as showLog from './features/showLog.ts';
import * as showPlan from './features/showPlan.ts';
import * as stageCounts from './features/stageCounts.ts';
import * as timeRange from './features/timeRange.ts';
import { followEffects, newFollows } from './follow/following.ts';
import { followQueries } from './follow/followQueries.ts';
import { Log } from './host/log.ts';
import { keptResultsBytes, onSettingChanged } from './host/settings.ts';
import { LanguageServer } from './languageServer/languageClient.ts';
import { ErrorMarks } from './query/errorMarks.ts';
import { LastQueries } from './query/lastQueries.ts';
import { learner } from './query/learnFields.ts';
import { ParameterMemory } from './query/parameterMemory.ts';
import { QueryRunner } from './query/runner.ts';
import { SilencedFiles } from './query/silencedFiles.ts';
import { StoredAnswers } from './query/storedAnswers.ts';
import * as datasetsView from './resources/datasetsView.ts';
import * as resourceViews from './resources/resourceViews.ts';
import { answerEffects } from './results/host/answerEffects.ts';
import { KeptTabs } from './results/keptTabs.ts';
import { ResultsView } from './results/resultsView.ts';
import { DatasetExtents } from './schema/datasetExtents.ts';
import { FrequentValues } from './schema/frequentValues.ts';
import { SchemaSource } from './schema/schemaSource.ts';
import { TimeRangeState } from './time/timeRangeState.ts';

/** The maximum memory for all results' rows, in bytes. The least recently shown rows are dropped first. */
const MAX_RESULT_BYTES = 2 * 1024 ** 3;

const features: readonly { readonly activate: Feature }[] = [
  languageServer,
  languageStatus,
  deploymentStatus,
  deploymentCommands,
  deploymentLine,
  localDeployment,
  timeRange,
  runQuery,
  follow,
  stageCounts,
  showPlan,
  historyView,
  savedQueries,
  emptyStage,
  secondBlank,
  queryBlocks,
  explainProblem,
  datasetsView,
  datasetCommands,
  editFields,
  queryDataset,
  newQuery,
  notebooks,
  resourceViews,
  resourceDocuments,
  resourceFolders,
  boardPages,
  resultsMenus,
  exportResults,
  compareResults,
  chartCommands,
  ingestFiles,
  loadSampleData,
  agents,
  showLog,
];

/** Activates all features. Returns the shared objects only in tests. */
export function activate(extension: vscode.ExtensionContext): Context | undefined {
  const parts: vscode.Disposable[] = [];
  const context = buildContext(extension, parts);
  for (const feature of features) parts.push(feature.activate(context));
  // Disposes of the first object last, because later objects depend on earlier ones.
  extension.subscriptions.push({
    dispose: () => vscode.Disposable.from(...parts.toReversed()).dispose(),
  });
  return extension.extensionMode === vscode.ExtensionMode.Test ? context : undefined;
}

function buildContext(extension: vscode.ExtensionContext, parts: vscode.Disposable[]): Context {
  const keep = <T extends vscode.Disposable>(part: T): T => {
    parts.push(part);
    return part;
  };
  const log = keep(new Log());
  const local = keep(new LocalDeployment(extension, log));
  const deployments = keep(new Deployments(extension, local, log));
  const schema = keep(
    new SchemaSource(
      deployments,
      log,
      vscode.Uri.joinPath(extension.globalStorageUri, 'schema').fsPath,
    ),
  );
  const extents = keep(new DatasetExtents({ deployments, schema, log }));
  const values = new FrequentValues({
    find: (name) => (name === undefined ? deployments.active : deployments.find(name)),
    service: (profile) => deployments.service(profile),
    warn: (message) => log.warn(message),
  });
  keep(
    schema.onDidChangeAny(({ deployment, datasets }) => {
      // Forget the values, as the language server also does in this case.
      if (datasets === undefined) values.forget(deployment);
    }),
  );
  const language = keep(new LanguageServer({ extension, schema, values, log }));
  const timeRangeState = keep(new TimeRangeState(extension.workspaceState));
  const tabs = new ResultTabs();
  const store = new ResultsStore({
    worker: extension.asAbsolutePath('dist/results.cjs'),
    maxBytes: MAX_RESULT_BYTES,
    disk: resultsDisk(extension),
  });
  keep(new vscode.Disposable(() => void store.dispose()));
  keep(
    onSettingChanged(['results.keepOnDisk'], () =>
      store.configure({ maxBytes: MAX_RESULT_BYTES, disk: resultsDisk(extension) }),
    ),
  );
  const keptTabs = keep(new KeptTabs({ memory: extension.workspaceState, tabs, store, log }));
  const asked = learner(schema, language);
  const answers = new StoredAnswers(store, {
    keep: ({ deployment }) => keepsResults(deployments.find(deployment)),
    asked,
  });
  const passingAnswers = new StoredAnswers(store, { asked });
  const runner = keep(
    new QueryRunner({
      deployments,
      timeRange: timeRangeState,
      tabs,
      answers,
      last: new LastQueries(extension.workspaceState),
      log,
    }),
  );
  keep(
    runner.onDidChangeActivity(() => {
      values.isBusy = runner.running.some(({ following }) => !following);
    }),
  );
  keep(followQueries(tabs));
  const sharedCharts = keep(new SharedCharts(deployments));
  const charts = keep(
    tabCharts({
      deployments,
      timeRange: timeRangeState,
      language,
      tabs,
      store,
      // Don't store answers about an earlier period on disk, because they are only needed during the comparison.
      answers: passingAnswers,
      runner,
      shared: sharedCharts,
    }),
  );
  const follows = keep(newFollows({ deployments, language, runner, tabs, store, asked }));
  const results = keep(
    new ResultsView({
      extension,
      store,
      tabs,
      language,
      log,
      onShown: () => void keptTabs.restore(),
      cancel: ({ id }) => runner.cancel(id),
      isProduction: (name) => deployments.isProduction(name),
      effects: answerEffects(
        { deployments, language, runner, store, timeRange: timeRangeState },
        charts,
      ),
      charts,
      follow: followEffects(follows, (problem) => log.warn(problem)),
      exports: exportResults.exportEffects({ extension, tabs, store, log }),
    }),
  );
  const marks = keep(new ErrorMarks());
  return {
    extension,
    log,
    deployments,
    schema,
    extents,
    language,
    timeRange: timeRangeState,
    tabs,
    answers,
    passingAnswers,
    parameters: new ParameterMemory(extension.workspaceState),
    silenced: new SilencedFiles(extension.workspaceState),
    store,
    results,
    charts,
    sharedCharts,
    follows,
    runner,
    marks,
  };
}

function resultsDisk(extension: vscode.ExtensionContext) {
  const maxBytes = keptResultsBytes();
  if (maxBytes === 0) return undefined;
  return { folder: vscode.Uri.joinPath(extension.globalStorageUri, 'results').fsPath, maxBytes };
}
