// What all tests of pages share in a run: one browser, in which each page has a context of its own, and a folder in
// which each bundle is made once. A test file that is run alone starts a browser and bundles for itself.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { launchBrowser, launchBrowserServer } from './browser.ts';
import { sharedBundles } from './bundles.ts';

const sharedBrowser = 'APLOMB_SHARED_BROWSER';

export interface Shared {
  /** The environment by which a test file finds what is shared. */
  readonly env: Record<string, string>;
  /** Ends the browser and deletes the bundles. */
  stop(): Promise<void>;
}

/** Starts the browser and makes the folder. The process must stay free to answer while tests run: it serves them. */
export async function startShared(): Promise<Shared> {
  const server = await launchBrowserServer();
  const folder = await mkdtemp(join(tmpdir(), 'aplomb-shared-'));
  return {
    env: { [sharedBrowser]: server.wsEndpoint(), [sharedBundles]: folder },
    stop: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Connects to the shared browser, or starts one. The caller closes it, which closes only its own pages. */
export function pageBrowser(): Promise<Browser> {
  const endpoint = process.env[sharedBrowser];
  return endpoint === undefined ? launchBrowser() : chromium.connect(endpoint);
}
