// The settings of the extension, and those of VS Code that it follows, read with their types. A value of
// the wrong type counts as the default: people write settings by hand.
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { NetworkSettings } from '../deployments/network.ts';
import type { DeploymentLayers, DeploymentSetting } from '../deployments/profiles.ts';
import type { TimeZone } from '../time/timeZone.ts';

const section = 'aplomb';

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(section);
}

function read<T>(name: string, usable: (value: unknown) => value is T, fallback: T): T {
  const value = configuration().get<unknown>(name);
  return usable(value) ? value : fallback;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && value <= 86_400;

const isTimeZone = (value: unknown): value is TimeZone => value === 'utc' || value === 'local';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 10_000;

const isMegabytes = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && value <= 1_048_576;

/** How hosted deployments are described, by where it is said. */
export function deploymentLayers(): DeploymentLayers {
  const found = configuration().inspect<unknown>('deployments');
  return {
    user: found?.globalValue,
    // In a folder of a workspace the folder's own setting counts; VS Code withholds both levels where
    // the workspace is not trusted, because the manifest lists the setting as restricted.
    workspace: vscode.workspace.isTrusted
      ? (found?.workspaceFolderValue ?? found?.workspaceValue)
      : undefined,
  };
}

export async function writeDeployments(
  level: 'user' | 'workspace',
  entries: readonly DeploymentSetting[],
): Promise<void> {
  const target =
    level === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await configuration().update('deployments', entries, target);
}

/** The range that a window starts with, as a person wrote it. */
export function defaultTimeRange(): string {
  return read('timeRange.default', isText, '1h');
}

/** Whether the query in view runs again when a time range is chosen. */
export function runsAfterRange(): boolean {
  return read('timeRange.runAgain', isBoolean, true);
}

/** How long a query may take, in milliseconds. */
export function queryTimeoutMs(): number {
  return read('query.timeout', isSeconds, 120) * 1_000;
}

/** The length of a time range, in words, beyond which a query without a limit is asked about; empty for never. */
export function warnBeyond(): string {
  return read('query.warnBeyond', isText, '30d');
}

export function resultsTimeZone(): TimeZone {
  return read('results.timeZone', isTimeZone, 'utc');
}

/** Whether summaries over time are shown as charts until a person chooses. */
export function chartsFirst(): boolean {
  return read('results.chartsFirst', isBoolean, true);
}

/** Whether copied cells get an apostrophe where a spreadsheet would run them as a formula. */
export function guardsCopiedFormulas(): boolean {
  return read('results.guardCopiedFormulas', isBoolean, true);
}

/** How large an answer may be, in bytes as the service sends it, unpacked. */
export function maxAnswerBytes(): number {
  return read('results.maxAnswerSize', isMegabytes, 1_024) * 1024 * 1024;
}

/** How long and how large an answer may be. */
export function answerLimits() {
  return { timeoutMs: queryTimeoutMs(), maxBytes: maxAnswerBytes() };
}

const isInterval = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0.5 && value <= 3_600;
const isRowBound = (value: unknown): value is number =>
  typeof value === 'number' && value >= 100 && value <= 1_000_000;

/** How queries are followed: the times between questions in milliseconds, and what is kept. */
export function followSettings() {
  return {
    intervalMs: read('follow.interval', isInterval, 2) * 1_000,
    rerunMs: read('follow.rerunInterval', isInterval, 10) * 1_000,
    maxRows: Math.trunc(read('follow.maxRows', isRowBound, 20_000)),
    newestFirst: read('follow.newestFirst', isBoolean, false),
  };
}

/** Stores where the newest rows are shown, where it is set, or else for the user. */
export function setNewestFirst(newestFirst: boolean): Promise<void> {
  return store('follow.newestFirst', newestFirst);
}

/** How many queries the history keeps; 0 for none. */
export function historySize(): number {
  return Math.trunc(read('history.size', isCount, 500));
}

const isConcurrency = (value: unknown): value is number =>
  typeof value === 'number' && value >= 1 && value <= 20;

/** How many requests of a dashboard may be under way at once. */
export function dashboardConcurrency(): number {
  return Math.trunc(read('dashboards.concurrency', isConcurrency, 4));
}

type ResultsLocation = 'panel' | 'beside' | 'editor';

const isLocation = (value: unknown): value is ResultsLocation =>
  value === 'panel' || value === 'beside' || value === 'editor';

/** Where results are shown: in the panel, next to the editor, or in a tab of the editor. */
export function resultsLocation(): ResultsLocation {
  return read('results.location', isLocation, 'panel');
}

/** How many bytes of results are kept on disk for windows that are reloaded; 0 for none. */
export function keptResultsBytes(): number {
  return read('results.keepOnDisk', isCount, 200) * 1024 * 1024;
}

/** Where the local deployment keeps its data; empty text means the extension's own storage. */
export function localDataDirectory(): string {
  return read('local.dataDirectory', isText, '').trim();
}

/** How much memory the engine of the local deployment may use; empty text means its own choice. */
export function localMemoryLimit(): string {
  const limit = read('local.memoryLimit', isText, '').trim();
  return /^\d+(\.\d+)?\s*(KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/.test(limit) ? limit : '';
}

/** What queries on the local deployment may read with externaldata: absolute paths and addresses. */
export function localAllowExternal(): readonly string[] {
  const entries = read<readonly unknown[]>('local.allowExternal', Array.isArray, []);
  return entries
    .filter(isText)
    .map((entry) => entry.trim())
    .filter((entry) => isAbsolute(entry) || (/^https?:\/\//.test(entry) && URL.canParse(entry)));
}

/** Stores the zone where it is set, or else for the user. */
export function setResultsTimeZone(timeZone: TimeZone): Promise<void> {
  return store('results.timeZone', timeZone);
}

async function store(name: string, value: unknown): Promise<void> {
  const found = configuration().inspect(name);
  const target =
    found?.workspaceValue === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await configuration().update(name, value, target);
}

/** VS Code's settings about the network. */
export function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const noProxy = http.get<unknown>('noProxy');
  return {
    proxy: http.get<string>('proxy') ?? '',
    support: http.get<string>('proxySupport') ?? 'override',
    noProxy: Array.isArray(noProxy) ? noProxy.filter(isText) : [],
    strict: http.get<boolean>('proxyStrictSSL') ?? true,
    systemCertificates: http.get<boolean>('systemCertificates') ?? true,
  };
}

/** Calls back when one of the named settings changes; names are without the prefix `aplomb.`. */
export function onSettingChanged(names: readonly string[], changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) changed();
  });
}
