// Settings of the extension and of VS Code, with their types. A value of the wrong type counts as the default, because
// users write settings by hand.
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';

const section = 'aplomb';

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(section);
}

function setting<T>(name: string, usable: (value: unknown) => value is T, fallback: T): () => T {
  return () => {
    const value = configuration().get<unknown>(name);
    return usable(value) ? value : fallback;
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isOneOf =
  <T extends string>(...words: readonly T[]) =>
  (value: unknown): value is T =>
    words.includes(value as T);

/** Returns a reader for a number from `min` to `max`. It multiplies the number by `scale` and rounds down. */
function scaled(name: string, min: number, max: number, fallback: number, scale = 1): () => number {
  const isValid = (value: unknown): value is number =>
    typeof value === 'number' && value >= min && value <= max;
  const read = setting(name, isValid, fallback);
  return () => Math.trunc(read() * scale);
}

export const defaultTimeRange = setting('timeRange.default', isText, '1h');
export const runsAfterRange = setting('timeRange.runAgain', isBoolean, true);
/**
 * The time range beyond which an unlimited query needs confirmation, such as `30d`. If empty, no query needs
 * confirmation.
 */
export const warnBeyond = setting('query.warnBeyond', isText, '30d');
export const queryTimeoutMs = scaled('query.timeout', 1, 86_400, 120, 1_000);
export const resultsTimeZone = setting('results.timeZone', isOneOf('utc', 'local'), 'utc');
export const resultsLocation = setting(
  'results.location',
  isOneOf('panel', 'beside', 'editor'),
  'panel',
);
export const chartsFirst = setting('results.chartsFirst', isBoolean, true);
export const guardsCopiedFormulas = setting('results.guardCopiedFormulas', isBoolean, true);
/** The maximum size of an unpacked response, in bytes. */
export const maxAnswerBytes = scaled('results.maxAnswerSize', 1, 1_048_576, 1_024, 1024 * 1024);
export const keptResultsBytes = scaled('results.keepOnDisk', 0, 10_000, 200, 1024 * 1024);
const followIntervalMs = scaled('follow.interval', 0.5, 3_600, 2, 1_000);
const followRerunMs = scaled('follow.rerunInterval', 0.5, 3_600, 10, 1_000);
const followMaxRows = scaled('follow.maxRows', 100, 1_000_000, 20_000);
const newestFirst = setting('follow.newestFirst', isBoolean, false);
export const historySize = scaled('history.size', 0, 10_000, 500);
export const dashboardConcurrency = scaled('dashboards.concurrency', 1, 20, 4);
const dataDirectory = setting('local.dataDirectory', isText, '');
const memoryLimit = setting('local.memoryLimit', isText, '');
const allowExternal = setting<readonly unknown[]>('local.allowExternal', Array.isArray, []);

/** Whether tools for agents may store events in the local deployment. Each call is confirmed. */
export const allowsAgentIngest = setting('agents.allowIngest', isBoolean, false);
export const offersMcpServer = setting('agents.mcpServer', isBoolean, true);

export const answerLimits = () => ({ timeoutMs: queryTimeoutMs(), maxBytes: maxAnswerBytes() });

/** `intervalMs` is the interval of requests for events, and `rerunMs` that of other queries. */
export const followSettings = () => ({
  intervalMs: followIntervalMs(),
  rerunMs: followRerunMs(),
  maxRows: followMaxRows(),
  newestFirst: newestFirst(),
});

/** Returns the local deployment's folder; empty for the extension's storage. */
export const localDataDirectory = () => dataDirectory().trim();

/** Sets the order at the level where it is configured, or else in the user's settings. */
export const setNewestFirst = (value: boolean) => store('follow.newestFirst', value);
export const setResultsTimeZone = (zone: 'utc' | 'local') => store('results.timeZone', zone);

/** The local engine's memory limit; empty for its default. */
export function localMemoryLimit(): string {
  const limit = memoryLimit().trim();
  return /^\d+(\.\d+)?\s*(KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/.test(limit) ? limit : '';
}

/** Returns the absolute paths and addresses that the local deployment's externaldata operator may read. */
export function localAllowExternal(): readonly string[] {
  return allowExternal()
    .filter(isText)
    .map((entry) => entry.trim())
    .filter((entry) => isAbsolute(entry) || (/^https?:\/\//.test(entry) && URL.canParse(entry)));
}

async function store(name: string, value: unknown): Promise<void> {
  const found = configuration().inspect(name);
  const target =
    found?.workspaceValue === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await configuration().update(name, value, target);
}

/** Calls `changed` when one of the named settings changes. Names lack the prefix `aplomb.`. */
export function onSettingChanged(names: readonly string[], changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (names.some((name) => event.affectsConfiguration(`${section}.${name}`))) changed();
  });
}
