/** A window of VS Code with the extension as it is packaged, in which a suite measures and writes its figures. */
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runTests } from '@vscode/test-electron';
import { build as bundle } from 'esbuild';
import { build } from '../../scripts/host/build.ts';
import { stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import { freePort } from '../../scripts/host/ports.ts';
import type { Profile } from '../../scripts/host/profile.ts';
import { root } from '../house/sources.ts';

const limitSeconds = 900;

/** Empties the folder and puts the extension there: the bundles that are packaged, and all else by links. */
export async function packageExtension(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const packaged = join(folder, 'aplomb');
  const dist = join(packaged, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(root)) {
    if (name !== 'dist' && !name.startsWith('.'))
      symlinkSync(join(root, name), join(packaged, name));
  }
  await build(['--production', `--outdir=${dist}`]);
  return packaged;
}

/** Bundles a program for the extension host. */
export async function bundleForHost(from: string, to: string, minify = false): Promise<void> {
  await bundle({
    entryPoints: [from],
    outfile: to,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    logLevel: 'warning',
    external: ['vscode', 'playwright-core'],
    minify,
  });
}

export interface WindowRun {
  /** Its folders; the caller removes them. */
  readonly profile: Profile;
  readonly packaged: string;
  /** The bundle of the suite. */
  readonly suite: string;
  /** What the suite is told as JSON in `APLOMB_BENCH`; `figures` is the file that it writes. */
  readonly options: { readonly figures: string };
}

/** Runs the suite in a new window and returns what it wrote. Stops the local deployment that it started. */
export async function runInWindow<Figures>(run: WindowRun): Promise<Figures> {
  const { profile, packaged, suite, options } = run;
  const workspace = join(profile.root, 'workspace');
  const output = new PassThrough();
  const printed = text(output);
  const port = await freePort();
  try {
    await mkdir(workspace, { recursive: true });
    await runTests({
      vscodeExecutablePath:
        process.env.APLOMB_VSCODE ?? join(root, 'scripts', 'vscode-executable.ts'),
      extensionDevelopmentPath: packaged,
      extensionTestsPath: suite,
      launchArgs: [
        workspace,
        `--user-data-dir=${profile.userDataDirectory}`,
        `--extensions-dir=${profile.extensionsDirectory}`,
        `--remote-debugging-port=${port}`,
      ],
      extensionTestsEnv: {
        APLOMB_BENCH: JSON.stringify(options),
        APLOMB_DEBUGGING_PORT: String(port),
        APLOMB_TEST_LIMIT: String(limitSeconds),
        // The executable is a TypeScript file, which wants the Node that runs this one.
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      },
      stdout: output,
      stderr: output,
    });
    return JSON.parse(await readFile(options.figures, 'utf8')) as Figures;
  } catch (error) {
    output.end();
    throw new Error(`The suite in VS Code failed:\n${(await printed).slice(-4_000)}`, {
      cause: error,
    });
  } finally {
    output.end();
    await stopLocalDeployment(profile);
  }
}
