// Runs groups of the suites in a real VS Code: the one in a browser, or the desktop one that APLOMB_VSCODE names.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { it, type TestContext } from 'node:test';
import { runTests } from '@vscode/test-electron';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import { repository } from '../../scripts/host/paths.ts';
import { freePort } from '../../scripts/host/ports.ts';
import { createProfile, type Profile } from '../../scripts/host/profile.ts';
import type { SuiteGroup } from './suite.ts';

const groupMs = 10 * 60_000;

export interface RunOptions {
  /** Before VS Code starts; what it returns is added to the environment of VS Code. */
  readonly prepare?: (profile: Profile) => Promise<Readonly<Record<string, string>>>;
  /** After VS Code ended, while what it wrote is still there. */
  readonly look?: (profile: Profile) => Promise<void>;
}

/** How long groups that share a VS Code may take. */
export const timeoutOf = (groups: readonly SuiteGroup[]) => ({ timeout: groups.length * groupMs });

/**
 * Declares a test for each group, by its name, that passes if all tests of the group do. The groups run in one VS Code
 * in this order.
 */
export function testSuites(
  names: Readonly<Partial<Record<SuiteGroup, string>>>,
  options: RunOptions = {},
): void {
  const groups = Object.keys(names) as SuiteGroup[];
  let run: Promise<SuitesRun> | undefined;
  for (const group of groups)
    it(
      `the suites of ${names[group]} pass in a real VS Code`,
      timeoutOf(groups),
      async (context) => {
        run ??= runSuites(groups, options);
        assertPassed(await run, group, context);
      },
    );
}

export interface SuitesRun {
  readonly reports: ReadonlyMap<SuiteGroup, string>;
  /** Why VS Code ended otherwise than after tests that passed. */
  readonly failure: unknown;
}

/** Fails if a test of the group did, or if VS Code failed and no group has a test that did. */
export function assertPassed(
  { reports, failure }: SuitesRun,
  group: SuiteGroup,
  context: TestContext,
): void {
  const shown = reports.get(group) ?? '';
  context.diagnostic(shown);
  const hasFailed = (report: string) => /^ +\d+ failing$/m.test(report);
  assert.match(shown, /^ +\d+ passing/m);
  assert.ok(!hasFailed(shown), `Tests of the group ${group} failed.`);
  if (![...reports.values()].some(hasFailed)) assert.equal(failure, undefined);
}

/** Runs groups in one VS Code, one after the other. */
export async function runSuites(
  groups: readonly SuiteGroup[],
  { prepare, look }: RunOptions = {},
): Promise<SuitesRun> {
  await ensureBuilt();
  const profile = await createProfile();
  const environment = await prepare?.(profile);
  const workspace = join(profile.root, 'workspace');
  const reportFolder = join(profile.root, 'reports');
  await mkdir(workspace);
  await mkdir(reportFolder);
  const debuggingPort = await freePort();
  const output = new PassThrough();
  const printed = text(output);
  let failure: unknown;
  try {
    await runTests({
      vscodeExecutablePath:
        process.env.APLOMB_VSCODE ?? join(repository, 'scripts', 'vscode-executable.ts'),
      extensionDevelopmentPath: repository,
      extensionTestsPath: join(repository, 'dist', 'test', 'suite.cjs'),
      launchArgs: [
        workspace,
        `--user-data-dir=${profile.userDataDirectory}`,
        `--extensions-dir=${profile.extensionsDirectory}`,
        `--crash-reporter-directory=${join(profile.root, 'crashes')}`,
        `--remote-debugging-port=${debuggingPort}`,
      ],
      extensionTestsEnv: {
        APLOMB_REPORTS: reportFolder,
        APLOMB_SUITES: groups.join(','),
        APLOMB_TEST_LIMIT: String(timeoutOf(groups).timeout / 1_000 - 30),
        APLOMB_DEBUGGING_PORT: String(debuggingPort),
        // The executable is a TypeScript file, which wants the Node that runs this one.
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        ...environment,
      },
      stdout: output,
      stderr: output,
    });
  } catch (error) {
    failure = error;
  }
  output.end();
  const reports = new Map<SuiteGroup, string>();
  for (const group of groups) {
    const report = await readFile(join(reportFolder, `${group}.txt`), 'utf8').catch(() => '');
    reports.set(group, report);
  }
  // The console has more to say of VS Code itself than of the suites; it serves when they did not run to their end.
  if (failure && [...reports.values()].some((report) => !/\d+ passing/.test(report)))
    console.log(await printed);
  await stopLocalDeployment(profile);
  try {
    if (failure === undefined) await look?.(profile);
  } finally {
    await profile.remove();
  }
  return { reports, failure };
}
