// Runs a group of the suites in a real VS Code: the one in a browser, or the desktop one that APLOMB_VSCODE names.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { runTests } from '@vscode/test-electron';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import { repository } from '../../scripts/host/paths.ts';
import { freePort } from '../../scripts/host/ports.ts';
import { createProfile, type Profile } from '../../scripts/host/profile.ts';
import type { SuiteGroup } from './suite.ts';

export const suitesTimeout = 6 * 60_000;

export interface RunOptions {
  /** Before VS Code starts; what it returns is added to the environment of VS Code. */
  readonly prepare?: (profile: Profile) => Promise<Readonly<Record<string, string>>>;
  /** After VS Code ended, while what it wrote is still there. */
  readonly look?: (profile: Profile) => Promise<void>;
}

/** Fails if a test of the suites does. */
export async function runSuites(
  group: SuiteGroup,
  context: TestContext,
  { prepare, look }: RunOptions = {},
): Promise<void> {
  await ensureBuilt();
  const profile = await createProfile();
  const environment = await prepare?.(profile);
  const workspace = join(profile.root, 'workspace');
  const report = join(profile.root, 'report.txt');
  await mkdir(workspace);
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
        APLOMB_REPORT: report,
        APLOMB_SUITES: group,
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
  const shown = await readFile(report, 'utf8').catch(() => '');
  context.diagnostic(shown);
  // The console has more to say of VS Code itself than of the suite; it serves when the suite never ran.
  if (failure && shown === '') console.log(await printed);
  await stopLocalDeployment(profile);
  try {
    if (failure === undefined) await look?.(profile);
  } finally {
    await profile.remove();
  }
  assert.equal(failure, undefined);
  assert.match(shown, /\d+ passing/);
}
