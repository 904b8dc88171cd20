#!/usr/bin/env node
// Stands in for the desktop VS Code that @vscode/test-electron starts: takes the same arguments, runs
// the suite in a browser's workbench, prints what it prints and ends with its exit code.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from './host/browser.ts';
import { stopOnSignal } from './host/processes.ts';
import { createProfile, writeSettings } from './host/profile.ts';
import { startVscodeServer } from './host/server.ts';
import { openWorkbench } from './host/workbench.ts';

const defaultLimitSeconds = 300;

process.exit(await runInBrowser(process.argv.slice(2)));

/** Runs the suite that the arguments name and returns its exit code. */
async function runInBrowser(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
      'remote-debugging-port': { type: 'string' },
    },
  });
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const suite = text('extensionTestsPath');
  if (!suite) return fail('--extensionTestsPath=FILE is missing.');
  const profile = await createProfile();
  const userDataDirectory = text('user-data-dir') ?? profile.userDataDirectory;
  // Settings that the caller has put there are the caller's; without any, the quiet ones.
  if (!existsSync(join(userDataDirectory, 'User', 'settings.json'))) {
    await writeSettings(userDataDirectory, {});
  }
  const started: { stop(): Promise<void> }[] = [{ stop: profile.remove }];
  const stop = async () => {
    for (const part of started.reverse().splice(0)) await part.stop();
  };
  stopOnSignal(stop);
  try {
    const server = await startVscodeServer({
      userDataDirectory,
      extensionsDirectory: text('extensions-dir') ?? profile.extensionsDirectory,
      smokeTestDriver: true,
    });
    started.push(server);
    const debuggingPort = Number(text('remote-debugging-port') ?? 0);
    const browser = await launchBrowser({ debuggingPort });
    started.push({ stop: () => browser.close() });
    const workbench = await openWorkbench(browser, server, {
      folder: resolve(positionals[0] ?? profile.root),
      extensions: [values.extensionDevelopmentPath ?? []].flat().map(String),
      suite,
      print: (line) => process.stdout.write(`${line}\n`),
    });
    return await Promise.race([workbench.exitCode, timeLimit()]);
  } finally {
    await stop();
  }
}

function timeLimit(): Promise<number> {
  const seconds = Number(process.env.APLOMB_TEST_LIMIT ?? defaultLimitSeconds);
  return new Promise((done) => {
    const timer = setTimeout(() => {
      process.stderr.write(`The suite did not end within ${seconds} seconds.\n`);
      done(1);
    }, seconds * 1000);
    timer.unref();
  });
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
