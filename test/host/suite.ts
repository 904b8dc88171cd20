// What the extension host runs: mocha over the suites beside this file. Bundled to dist/test/suite.cjs.
// The report goes to the console, which a desktop VS Code prints, and to the file that APLOMB_REPORT
// names, since a browser's console also carries what the workbench itself has to say.
import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';

/** Loaded one by one after mocha's globals exist, in the order in which they run. */
const suites: readonly (() => Promise<unknown>)[] = [
  () => import('./suites/activation.ts'),
  () => import('./suites/language.ts'),
  () => import('./suites/running.ts'),
  () => import('./suites/ingest.ts'),
  () => import('./suites/deployments.ts'),
];

const slowestTestMs = 60_000;

/** Called by VS Code. Rejects when a test failed, which makes the exit code 1. */
export async function run(): Promise<void> {
  const report = process.env.APLOMB_REPORT;
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    console.log(...args);
    if (report) appendFileSync(report, `${format(...args)}\n`);
  };
  const mocha = new Mocha({ ui: 'bdd', color: false, reporter: 'spec', timeout: slowestTestMs });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const load of suites) await load();
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} of the tests in VS Code failed.`);
}
