// What the extension host runs: mocha over the suites in the folder next to this file. Bundled to dist/test/suite.cjs.
// The report of each group goes to the console, which a desktop VS Code prints, and to a file in the folder that
// APLOMB_REPORTS names, since a browser's console also carries what the workbench itself has to say.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { leaveWindow, withWindow } from './window.ts';

/** Loaded one by one after mocha's globals exist, in the order in which they run. Groups may share a VS Code. */
const groups = {
  language: [
    () => import('./suites/activation.ts'),
    () => import('./suites/language.ts'),
    () => import('./suites/diagnostics.ts'),
    () => import('./suites/assistance.ts'),
    () => import('./suites/navigation.ts'),
    () => import('./suites/quickFixes.ts'),
    () => import('./suites/formatting.ts'),
    () => import('./suites/refactorings.ts'),
    () => import('./suites/typing.ts'),
    () => import('./suites/keyboard.ts'),
    () => import('./suites/markdown.ts'),
    () => import('./suites/explanations.ts'),
    () => import('./suites/deployments.ts'),
    () => import('./suites/origins.ts'),
  ],
  results: [
    () => import('./suites/running.ts'),
    () => import('./suites/values.ts'),
    () => import('./suites/results.ts'),
    () => import('./suites/runToHere.ts'),
    () => import('./suites/plan.ts'),
    () => import('./suites/runs.ts'),
    () => import('./suites/asking.ts'),
    () => import('./suites/following.ts'),
    () => import('./suites/badInput.ts'),
  ],
  charts: [
    () => import('./suites/charts.ts'),
    () => import('./suites/chartsBack.ts'),
    () => import('./suites/stepsBack.ts'),
    () => import('./suites/notebooks.ts'),
    () => import('./suites/notebookKeys.ts'),
    () => import('./suites/notebookCharts.ts'),
    () => import('./suites/notebookHistory.ts'),
    () => import('./suites/notebookOutputs.ts'),
    () => import('./suites/notebookProduction.ts'),
  ],
  resources: [
    () => import('./suites/trees.ts'),
    () => import('./suites/treeGestures.ts'),
    () => import('./suites/resourceDocuments.ts'),
    () => import('./suites/resourceFolders.ts'),
  ],
  boards: [() => import('./suites/boardPages.ts'), () => import('./suites/productionWrites.ts')],
  ingest: [
    () => import('./suites/ingest.ts'),
    () => import('./suites/sampleData.ts'),
    () => import('./suites/fields.ts'),
    () => import('./suites/ingestPage.ts'),
    () => import('./suites/ingestGestures.ts'),
  ],
  agents: [() => import('./suites/agentTools.ts'), () => import('./suites/assistant.ts')],
  account: [() => import('./suites/deploymentForm.ts'), () => import('./suites/deploymentUse.ts')],
  secrets: [() => import('./suites/secrets.ts')],
  clickhouse: [() => import('./suites/clickhouse.ts')],
} satisfies Record<string, readonly (() => Promise<unknown>)[]>;

export type SuiteGroup = keyof typeof groups;

/** Longer than a step may take on a busy machine, so that a step that fails is named. */
const slowestTestMs = 180_000;

/** Saves what the window showed when a test failed, next to this bundle. */
async function keepScreenshot(this: Mocha.Context): Promise<void> {
  const test = this.currentTest;
  if (test?.state !== 'failed') return;
  const name = test.fullTitle().replaceAll(/\W+/g, '-');
  const path = join(__dirname, `${name}.png`);
  await withWindow((page) => page.screenshot({ path }));
  Mocha.reporters.Base.consoleLog(`Screenshot: ${path}`);
}

/** Called by VS Code. Rejects when a test failed, which makes the exit code 1. */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    console.log(...args);
    if (process.env.APLOMB_REPORT)
      appendFileSync(process.env.APLOMB_REPORT, `${format(...args)}\n`);
  };
  const wanted = process.env.APLOMB_SUITES?.split(',') as SuiteGroup[] | undefined;
  const reports = process.env.APLOMB_REPORTS;
  let failures = 0;
  for (const group of wanted ?? (Object.keys(groups) as SuiteGroup[])) {
    if (reports) process.env.APLOMB_REPORT = join(reports, `${group}.txt`);
    failures += await runGroup(group);
    await closeAll();
  }
  await leaveWindow();
  if (failures > 0) throw new Error(`${failures} of the tests in VS Code failed.`);
}

/** Returns how many tests of the group failed. */
async function runGroup(group: SuiteGroup): Promise<number> {
  const mocha = new Mocha({ ui: 'bdd', color: false, reporter: 'spec', timeout: slowestTestMs });
  // For work on single tests: a regular expression of their full names.
  if (process.env.APLOMB_GREP) mocha.grep(new RegExp(process.env.APLOMB_GREP));
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  afterEach(keepScreenshot);
  for (const load of groups[group]) await load();
  return new Promise((resolve) => {
    mocha.run(resolve);
  });
}

/** Leaves the next group a window without editors, panel and notifications. */
async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await vscode.commands.executeCommand('workbench.action.closePanel');
  await vscode.commands.executeCommand('notifications.clearAll');
}
