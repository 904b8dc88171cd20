/**
 * Aplomb in a real VS Code over a local deployment with events: activation, runs, and blocks of the extension
 * host. A suite measures inside the extension host; this prepares its windows and reads its figures.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBuilt } from '../../../scripts/host/build.ts';
import { createProfile } from '../../../scripts/host/profile.ts';
import { root } from '../../house/sources.ts';
import { Deployment } from '../local/deployment.ts';
import { writeEvents } from '../local/events.ts';
import { type Measure, measure, median, middle } from '../measure.ts';
import { bundleForHost, packageExtension, runInWindow } from '../window.ts';
import type { Figures, KeyToRows, SuiteOptions } from './figures.ts';

const folder = join(root, '.bench', 'workbench');
const suite = join(folder, 'suite.cjs');
/** Extensions that only start a language client; the first one that is activated warms VS Code up. */
const plainExtensions = ['warmup', 'plain'];
const activationRounds = 3;

/** Returns the folder of the packaged extension. */
async function prepare(): Promise<string> {
  // The deployment that is filled is started from there.
  await ensureBuilt();
  const packaged = await packageExtension(folder);
  const host = join(import.meta.dirname, 'host');
  await bundleForHost(join(host, 'suite.ts'), suite);
  for (const name of plainExtensions) {
    const extension = join(folder, name);
    mkdirSync(extension, { recursive: true });
    await bundleForHost(join(host, 'languageClientOnly.ts'), join(extension, 'client.cjs'), true);
    copyFileSync(join(packaged, 'dist', 'server.cjs'), join(extension, 'server.cjs'));
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
  return packaged;
}

/** Runs the suite in a new window, over a deployment with as many events as it works with. */
async function runSuite(
  packaged: string,
  oursFirst: boolean,
  rows: number | undefined,
  progress: (text: string) => void,
): Promise<Figures> {
  const profile = await createProfile();
  const options: SuiteOptions = {
    figures: join(profile.root, 'figures.json'),
    oursFirst,
    ...(rows !== undefined && { work: { rows, exportTo: join(profile.root, 'events.csv') } }),
  };
  try {
    for (const name of plainExtensions) {
      const installed = join(profile.extensionsDirectory, `bench.${name}-1.0.0`);
      await cp(join(folder, name), installed, { recursive: true });
    }
    if (rows !== undefined) await fill(profile.userDataDirectory, rows, progress);
    progress('a window of VS Code');
    return await runInWindow<Figures>({ profile, packaged, suite, options });
  } finally {
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
  const packaged = await prepare();
  const all: Figures[] = [];
  for (let round = 0; round < activationRounds; round++) {
    all.push(await runSuite(packaged, round % 2 === 1, round === 0 ? rows : undefined, progress));
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
    runMeasure('run to rows by 12 columns, against a plain client', 'ours', 1.3),
    runMeasure('of which until the rows are held', 'held'),
    middle(
      runToRows.map((run) =>
        measure(
          'workbench',
          'first bytes to first rows, against 1,000 rows',
          'ms',
          run.afterFirstBytes,
          run.afterFirstBytesOfFew,
          1.2,
        ),
      ),
    ),
    activation('activation, against a language client alone', 'activated'),
    activation('activation until the language server runs', 'running'),
  ];
}
