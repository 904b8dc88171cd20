// Settings of the extension and of VS Code, with their types. A value of the wrong type counts as the default,
// because people write settings by hand.
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
const isTimeZone = (value: unknown): value is TimeZone => value === 'utc' || value === 'local';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isFrom =
  (min: number, max: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && value >= min && value <= max;
const isCount = isFrom(0, 10_000);

export function deploymentLayers(): DeploymentLayers {
  const found = configuration().inspect<unknown>('deployments');
  return {
    user: found?.globalValue,
    // In a multi-root workspace, the folder's setting applies. VS Code omits both levels in an untrusted workspace,
    // because the manifest restricts the setting.
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

export function defaultTimeRange(): string {
  return read('timeRange.default', isText, '1h');
}

export function runsAfterRange(): boolean {
  return read('timeRange.runAgain', isBoolean, true);
}

export function queryTimeoutMs(): number {
  return read('query.timeout', isFrom(1, 86_400), 120) * 1_000;
}

/** The length of a time range, in words, beyond which a query without a limit is confirmed; empty for never. */
export function warnBeyond(): string {
  return read('query.warnBeyond', isText, '30d');
}

export function resultsTimeZone(): TimeZone {
  return read('results.timeZone', isTimeZone, 'utc');
}

export function chartsFirst(): boolean {
  return read('results.chartsFirst', isBoolean, true);
}

export function guardsCopiedFormulas(): boolean {
  return read('results.guardCopiedFormulas', isBoolean, true);
}

/** The maximum size of an unpacked response, in bytes. */
export function maxAnswerBytes(): number {
  return read('results.maxAnswerSize', isFrom(1, 1_048_576), 1_024) * 1024 * 1024;
}

export function answerLimits() {
  return { timeoutMs: queryTimeoutMs(), maxBytes: maxAnswerBytes() };
}

const isInterval = isFrom(0.5, 3_600);

export function followSettings() {
  return {
    intervalMs: read('follow.interval', isInterval, 2) * 1_000,
    rerunMs: read('follow.rerunInterval', isInterval, 10) * 1_000,
    maxRows: Math.trunc(read('follow.maxRows', isFrom(100, 1_000_000), 20_000)),
    newestFirst: read('follow.newestFirst', isBoolean, false),
  };
}

/** Sets the order at the level where it is configured, or else for the user. */
export function setNewestFirst(newestFirst: boolean): Promise<void> {
  return store('follow.newestFirst', newestFirst);
}

export function historySize(): number {
  return Math.trunc(read('history.size', isCount, 500));
}

export function dashboardConcurrency(): number {
  return Math.trunc(read('dashboards.concurrency', isFrom(1, 20), 4));
}

type ResultsLocation = 'panel' | 'beside' | 'editor';

const isLocation = (value: unknown): value is ResultsLocation =>
  value === 'panel' || value === 'beside' || value === 'editor';

export function resultsLocation(): ResultsLocation {
  return read('results.location', isLocation, 'panel');
}

export function keptResultsBytes(): number {
  return read('results.keepOnDisk', isCount, 200) * 1024 * 1024;
}

/** The local deployment's folder; empty for the extension's storage. */
export function localDataDirectory(): string {
  return read('local.dataDirectory', isText, '').trim();
}

/** The local engine's memory; empty for its default. */
export function localMemoryLimit(): string {
  const limit = read('local.memoryLimit', isText, '').trim();
  return /^\d+(\.\d+)?\s*(KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/.test(limit) ? limit : '';
}

/** Absolute paths and addresses that externaldata may read on the local deployment. */
export function localAllowExternal(): readonly string[] {
  const entries = read<readonly unknown[]>('local.allowExternal', Array.isArray, []);
  return entries
    .filter(isText)
    .map((entry) => entry.trim())
    .filter((entry) => isAbsolute(entry) || (/^https?:\/\//.test(entry) && URL.canParse(entry)));
}

/** Sets the zone at the level where it is configured, or else for the user. */
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

/** Calls `changed` when one of the named settings changes. Names lack the prefix `aplomb.`. */
export function onSettingChanged(names: readonly string[], changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) changed();
  });
}
