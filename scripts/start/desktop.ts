// A desktop VS Code for `npm start`, with its own folders, driven over the DevTools protocol so that
// the sample data is loaded in the same way as in the browser.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { stopLocalDeployment } from '../host/localDeployment.ts';
import { repository } from '../host/paths.ts';
import { freePort } from '../host/ports.ts';
import { spawnProgram, stopProcess } from '../host/processes.ts';
import { createProfile } from '../host/profile.ts';
import type { OpenWindow, Part } from './window.ts';

const startLimitMs = 60_000;

/** Opens the VS Code of the path `command`. Each process that is started is added to `parts`, for the caller to stop. */
export async function openDesktop(command: string, parts: Part[]): Promise<OpenWindow> {
  const profile = await createProfile();
  parts.push({ stop: profile.remove });
  parts.push({ stop: () => stopLocalDeployment(profile) });
  const folder = join(profile.root, 'workspace');
  await mkdir(folder);
  const port = await freePort();
  const args = [
    '--wait',
    '--new-window',
    '--disable-workspace-trust',
    `--extensionDevelopmentPath=${repository}`,
    `--user-data-dir=${profile.userDataDirectory}`,
    `--extensions-dir=${profile.extensionsDirectory}`,
    `--remote-debugging-port=${port}`,
    folder,
  ];
  const child = spawnProgram(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  parts.push({ stop: () => stopProcess(child) });
  const closed = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const browser = await connect(port);
  // Closing the connection would leave the window; quitting through it closes the window.
  parts.push({ stop: () => quit(browser) });
  const page = await workbenchPage(browser);
  return {
    page,
    profile,
    closed,
    message: `VS Code is open (${command}), with Aplomb and its sample data.`,
  };
}

async function connect(port: number): Promise<Browser> {
  const deadline = Date.now() + startLimitMs;
  for (;;) {
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error('VS Code did not open within a minute. Try npm start -- --browser.', {
          cause: error,
        });
      }
      await sleep(250);
    }
  }
}

async function workbenchPage(browser: Browser): Promise<Page> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      if (
        (await page
          .locator('.monaco-workbench')
          .count()
          .catch(() => 0)) > 0
      )
        return page;
    }
    await sleep(250);
  }
  throw new Error('VS Code showed no window within a minute. Try npm start -- --browser.');
}

async function quit(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession().catch(() => undefined);
  await session?.send('Browser.close').catch(() => {});
  await browser.close().catch(() => {});
}
