/**
 * Aplomb in a real VS Code over a local deployment with events: activation, runs, and blocks of the extension
 * host. A suite measures inside the extension host; this prepares its windows and reads its figures.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runTests } from '@vscode/test-electron';
import { build as bundle } from 'esbuild';
import { build, ensureBuilt } from '../../../scripts/host/build.ts';
import { stopLocalDeployment } from '../../../scripts/host/localDeployment.ts';
import { freePort } from '../../../scripts/host/ports.ts';
import { createProfile } from '../../../scripts/host/profile.ts';
import { root } from '../../house/sources.ts';
import { Deployment } from '../local/deployment.ts';
import { writeEvents } from '../local/events.ts';
import { type Measure, measure, median, middle } from '../measure.ts';
import type { Figures, KeyToRows, SuiteOptions } from './figures.ts';

const folder = join(root, '.bench', 'workbench');
const suite = join(folder, 'suite.cjs');
/** The extension with the bundles that are packaged, and everything else as it is in the repository. */
const packaged = join(folder, 'aplomb');
/** Extensions that only start a language client; the first one that is activated warms VS Code up. */
const plainExtensions = ['warmup', 'plain'];
const activationRounds = 3;
const limitSeconds = 900;

async function prepare(): Promise<void> {
  // The deployment that is filled is started from there.
  await ensureBuilt();
  rmSync(folder, { recursive: true, force: true });
  const dist = join(packaged, 'dist');
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(root)) {
    if (name !== 'dist' && !name.startsWith('.'))
      symlinkSync(join(root, name), join(packaged, name));
  }
  await build(['--production', `--outdir=${dist}`]);
  const common = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    logLevel: 'warning',
  } as const;
  const host = join(import.meta.dirname, 'host');
  await bundle({
    ...common,
    entryPoints: [join(host, 'suite.ts')],
    outfile: suite,
    external: ['vscode', 'playwright-core'],
  });
  for (const name of plainExtensions) {
    const extension = join(folder, name);
    mkdirSync(extension, { recursive: true });
    await bundle({
      ...common,
      entryPoints: [join(host, 'languageClientOnly.ts')],
      outfile: join(extension, 'client.cjs'),
      external: ['vscode'],
      minify: true,
    });
    copyFileSync(join(dist, 'server.cjs'), join(extension, 'server.cjs'));
    const manifest = {
      name,
      publisher: 'bench',
      version: '1.0.0',
      engines: { vscode: '^1.100.0' },
      main: './client.cjs',
      activationEvents: [],
    };
    writeFileSync(join(extension, 'package.json'), JSON.stringify(manifest));
  }
}

/** Runs the suite in a new window, over a deployment with as many events as it works with. */
async function runSuite(
  oursFirst: boolean,
  rows: number | undefined,
  progress: (text: string) => void,
): Promise<Figures> {
  const profile = await createProfile();
  const workspace = join(profile.root, 'workspace');
  const figures = join(profile.root, 'figures.json');
  const options: SuiteOptions = {
    figures,
    oursFirst,
    ...(rows !== undefined && { work: { rows, exportTo: join(profile.root, 'events.csv') } }),
  };
  const output = new PassThrough();
  const printed = text(output);
  const port = await freePort();
  try {
    await mkdir(workspace);
    for (const name of plainExtensions) {
      const installed = join(profile.extensionsDirectory, `bench.${name}-1.0.0`);
      await cp(join(folder, name), installed, { recursive: true });
    }
    if (rows !== undefined) await fill(profile.userDataDirectory, rows, progress);
    progress('a window of VS Code');
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
    return JSON.parse(await readFile(figures, 'utf8')) as Figures;
  } catch (error) {
    output.end();
    throw new Error(`The suite in VS Code failed:\n${(await printed).slice(-4_000)}`, {
      cause: error,
    });
  } finally {
    output.end();
    await stopLocalDeployment(profile);
    await profile.remove();
  }
}

/** Puts events where the extension's local deployment has its data. */
async function fill(
  userDataDirectory: string,
  rows: number,
  progress: (text: string) => void,
): Promise<void> {
  progress(`ingesting ${rows.toLocaleString('en-US')} events`);
  const file = join(root, '.bench', `events-${rows}.ndjson`);
  await writeEvents(file, rows);
  const data = join(userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb', 'local');
  await mkdir(data, { recursive: true });
  const deployment = await Deployment.start(data);
  try {
    await deployment.makeDataset();
    await deployment.ingest(file);
    await deployment.settled();
  } finally {
    await deployment.end();
  }
}

export async function hostMeasures(
  rows: number,
  progress: (text: string) => void,
): Promise<Measure[]> {
  await prepare();
  const all: Figures[] = [];
  for (let round = 0; round < activationRounds; round++) {
    all.push(await runSuite(round % 2 === 1, round === 0 ? rows : undefined, progress));
  }
  const activation = (name: string, key: 'activated' | 'running'): Measure =>
    middle(
      all.map(({ ours, theirs }) => measure('workbench', name, 'ms', ours[key], theirs[key], 1.5)),
    );
  const work = all[0]?.work;
  if (work === undefined) throw new Error('The suite reported no work.');
  const { keyToRows, runToRows, blocks } = work;
  const part = (key: keyof KeyToRows) => median(keyToRows.map((run) => run[key]));
  const total = part('total');
  const keyMeasure = (name: string, key: keyof KeyToRows): Measure =>
    measure('workbench', name, 'ms', part(key), total);
  const runMeasure = (name: string, key: 'ours' | 'held', bar?: number): Measure =>
    middle(runToRows.map((run) => measure('workbench', name, 'ms', run[key], run.theirs, bar)));
  const block = (
    name: string,
    key: 'arriving' | 'ordered' | 'filtered' | 'exported',
  ): Measure[] => [
    measure('workbench', `longest block of VS Code's host, ${name}`, 'ms', blocks[key].busy, 50, 1),
    measure(
      'workbench',
      `by the clock, ${name}, against idle`,
      'ms',
      blocks[key].elapsed,
      blocks.idle.elapsed,
    ),
  ];
  return [
    ...block('rows arriving', 'arriving'),
    ...block('rows ordered', 'ordered'),
    ...block('rows filtered', 'filtered'),
    ...block('rows exported', 'exported'),
    measure('workbench', "longest block of VS Code's host, idle", 'ms', blocks.idle.busy, 50),
    keyMeasure('Shift+Enter to 1,000 rows', 'total'),
    keyMeasure('of which before the request', 'before'),
    keyMeasure('of which server', 'server'),
    keyMeasure('of which HTTP', 'http'),
    keyMeasure('of which decode', 'decode'),
    keyMeasure('of which paint', 'paint'),
    runMeasure('run to rows by 12 columns, against a plain client', 'ours', 2),
    runMeasure('of which until the rows are held', 'held'),
    activation('activation, against a language client alone', 'activated'),
    activation('activation until the language server runs', 'running'),
  ];
}
