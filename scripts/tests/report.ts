// What the runner prints: a line per file, failures in full, figures, and the counts as Node's runner ends with them.
import { type Counts, noCounts } from './messages.ts';
import type { FileResult } from './testProcess.ts';
import { slowestFirst } from './times.ts';

const SLOWEST_SHOWN = 10;

/** Diagnostics of Node's runner that repeat the counts. */
const countLine = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+\n/gm;

export const hasFailed = ({ counts }: FileResult) => counts.fail + counts.cancelled > 0;

const seconds = (value: number) => `${value.toFixed(1).padStart(6)} s`;

/** Gives a line for a file, and another one with its first failure. */
export function fileLine(result: FileResult): string {
  const line = `${seconds(result.seconds)}  ${result.file} (${result.counts.tests})`;
  return hasFailed(result) ? `✖ ${line}\n  ${reasonOf(result)}` : `✔ ${line}`;
}

/** Gives the first line of the first failure of a file. */
export const reasonOf = ({ failures: [first] }: FileResult) =>
  first === undefined ? '' : `${first.name}: ${first.error.split('\n')[0]}`;

export function failureText({ file, failures, output }: FileResult): string {
  const printed = output.replaceAll(countLine, '').trim();
  return [
    `✖ ${file}`,
    ...failures.flatMap(({ name, error }) => ['', `  ${name}`, indented(error, '    ')]),
    ...(printed === '' ? [] : ['', '  The file printed:', indented(printed, '    ')]),
    '',
  ].join('\n');
}

const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);

/** The last lines of a run, in the form of Node's spec reporter. */
export function closingLines(results: readonly FileResult[], milliseconds: number): string {
  const sums: Counts = { ...noCounts };
  for (const { counts } of results)
    for (const name of Object.keys(sums) as (keyof Counts)[]) sums[name] += counts[name];
  return [...Object.entries(sums), ['duration_ms', milliseconds]]
    .map(([name, value]) => `ℹ ${name} ${value}`)
    .join('\n');
}

export interface Figures {
  readonly seconds: number;
  /** Seconds of types, lint and build, which run at the same time. */
  readonly checks: Readonly<Record<string, number>>;
  readonly units: readonly FileResult[];
  readonly windows: readonly FileResult[];
}

export function figureLines({ seconds: total, checks, units, windows }: Figures): string {
  const rows = [
    ...Object.entries(checks),
    ...(units.length > 0 ? [[`units, ${units.length} files`, sum(units)] as const] : []),
    ...(windows.length > 0 ? [[`windows, ${windows.length} files`, sum(windows)] as const] : []),
    ['all, side by side', total] as const,
  ];
  const slowest = slowestFirst([...units, ...windows]).slice(0, SLOWEST_SHOWN);
  return [
    'Seconds:',
    ...rows.map(([name, value]) => `${seconds(value)}  ${name}`),
    '',
    'Slowest files:',
    ...slowest.map(({ file, seconds: value }) => `${seconds(value)}  ${file}`),
  ].join('\n');
}

const sum = (files: readonly FileResult[]) => files.reduce((total, one) => total + one.seconds, 0);
