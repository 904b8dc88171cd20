// Windows of VS Code in a browser, one after the other, for the tests of a file and what it imports. They have one
// server and one profile, from which a window that is closed takes what the extension had stored: each finds it new.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/host/browser.ts';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { stopLocalDeployment } from '../../scripts/host/localDeployment.ts';
import {
  createProfile,
  linkExtension,
  type Profile,
  writeSettings,
} from '../../scripts/host/profile.ts';
import { startVscodeServer, type VscodeServer } from '../../scripts/host/server.ts';
import { openWorkbench } from '../../scripts/host/workbench.ts';

export interface OpenedWindow {
  readonly page: Page;
  readonly profile: Profile;
  /** The folder of the workspace. */
  readonly folder: string;
  /** Closes the window, and what is added, the last first. */
  readonly stops: (() => Promise<unknown>)[];
  close(): Promise<void>;
}

interface Started {
  readonly profile: Profile;
  readonly server: VscodeServer;
  readonly browser: Browser;
}

let started: Promise<Started> | undefined;
/** What is ended after all tests, the last first. */
const ends: (() => Promise<unknown>)[] = [];

after(async () => {
  for (const end of ends.reverse()) await end();
});

async function start(install: WindowOptions['install']): Promise<Started> {
  await ensureBuilt();
  const profile = await createProfile();
  ends.push(profile.remove);
  await linkExtension(profile);
  await install?.(profile);
  // On a busy machine the last word of a page that is reloaded may not arrive.
  const server = await startVscodeServer({ ...profile, graceSeconds: 5 });
  ends.push(server.stop);
  const browser = await launchBrowser();
  ends.push(() => browser.close());
  return { profile, server, browser };
}

export interface WindowOptions {
  /** Settings of the user. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Installs further extensions, if the window is the first of its server. */
  readonly install?: (profile: Profile) => Promise<void>;
  /** The file that is open at first. */
  readonly file?: string;
  /** Where the window finds the server, if not at its own port. */
  readonly through?: (
    server: VscodeServer,
  ) => Promise<{ readonly port: number; close(): Promise<void> }>;
}

/** Opens a window over a folder with these files, by name. */
export async function openWindow(
  files: Readonly<Record<string, string>>,
  { settings = {}, install, file, through }: WindowOptions = {},
): Promise<OpenedWindow> {
  started ??= start(install);
  const { profile, server, browser } = await started;
  const stops: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  const storage = join(profile.userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb');
  stops.push(
    () => rm(storage, { recursive: true, force: true, maxRetries: 5 }),
    () => stopLocalDeployment(profile),
    () => server.hostsEnded(),
  );
  try {
    await writeSettings(profile.userDataDirectory, settings);
    const folder = await mkdtemp(join(profile.root, 'workspace-'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const between = await through?.(server);
    if (between) stops.push(() => between.close());
    const port = between?.port ?? server.port;
    const seen = { ...server, port, authority: `127.0.0.1:${port}` };
    const { page } = await openWorkbench(browser, seen, {
      folder,
      ...(file !== undefined && { file: join(folder, file) }),
    });
    // A page that is left ends its extension host, unlike one that is only closed.
    stops.push(async () => {
      await page.goto('about:blank');
      await page.close();
    });
    return { page, profile, folder, stops, close };
  } catch (error) {
    await close();
    throw error;
  }
}
