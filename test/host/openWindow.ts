// A window of VS Code in a browser for the tests of a file: a fresh profile with the extension, a folder with
// files, and everything ended afterwards.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/host/browser.ts';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import { createProfile, linkExtension, type Profile } from '../../scripts/host/profile.ts';
import { startVscodeServer } from '../../scripts/host/server.ts';
import { openWorkbench } from '../../scripts/host/workbench.ts';

export interface OpenedWindow {
  readonly page: Page;
  readonly profile: Profile;
  /** The folder of the workspace. */
  readonly folder: string;
  /** Ends what was started, and what is added, the last first. */
  readonly stops: (() => Promise<unknown>)[];
  close(): Promise<void>;
}

/** Opens a window over a folder with these files, by name, with settings of the user. */
export async function openWindow(
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<OpenedWindow> {
  const stops: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    await ensureBuilt();
    const profile = await createProfile(settings);
    stops.push(profile.remove, () => stopLocalDeployment(profile));
    await linkExtension(profile);
    const folder = join(profile.root, 'workspace');
    await mkdir(folder);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const server = await startVscodeServer(profile);
    stops.push(server.stop);
    const browser = await launchBrowser();
    stops.push(() => browser.close());
    const { page } = await openWorkbench(browser, server, { folder });
    return { page, profile, folder, stops, close };
  } catch (error) {
    await close();
    throw error;
  }
}
