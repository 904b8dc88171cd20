// Opens VS Code's workbench in a browser on a running server, with an extension under development and,
// for tests, a suite to run in its extension host.
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import type { VscodeServer } from './server.ts';

/** What VS Code says about itself here: its file logger is not built, and its marketplace not reached. */
const ownTroubles = ['Could not locate the bindings file', 'open-vsx.org'];

/** Longer than a step takes on a busy machine. */
const stepLimitMs = 60_000;

/** What the workbench is to show. All paths are absolute. */
export interface WorkbenchOptions {
  /** The folder opened as the workspace. */
  readonly folder: string;
  /** A file opened in the editor. */
  readonly file?: string;
  /** Folders of extensions to load as with `--extensionDevelopmentPath`; takes the smoke test driver. */
  readonly extensions?: readonly string[];
  /** A CommonJS file exporting `run()`, as with `--extensionTestsPath`; takes the smoke test driver. */
  readonly suite?: string;
  /** Receives each line that the extension host prints while a suite runs. */
  readonly print?: (line: string) => void;
  /** Size of the window in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** An open workbench. */
export interface Workbench {
  readonly page: Page;
  /** The address a person would open to see the same. */
  readonly address: string;
  /** Resolves with the suite's exit code; stays pending when no suite was given. */
  readonly exitCode: Promise<number>;
}

/** The address of a workbench on this server. */
export function workbenchAddress(server: VscodeServer, options: WorkbenchOptions): string {
  const remote = (path: string) =>
    `vscode-remote://${server.authority}${pathToFileURL(path).pathname}`;
  const payload = (options.extensions ?? []).map((path) => [
    'extensionDevelopmentPath',
    remote(path),
  ]);
  if (options.file) payload.push(['openFile', remote(options.file)]);
  if (options.suite) payload.push(['extensionTestsPath', remote(options.suite)]);
  const address = new URL(`http://${server.authority}/`);
  address.searchParams.set('folder', options.folder);
  if (payload.length > 0) address.searchParams.set('payload', JSON.stringify(payload));
  return address.href;
}

/** Opens the workbench in a new window of the browser and resolves once it is drawn. */
export async function openWorkbench(
  browser: Browser,
  server: VscodeServer,
  options: WorkbenchOptions,
): Promise<Workbench> {
  const page = await browser.newPage({
    viewport: options.size ?? { width: 1440, height: 900 },
    // Otherwise the browser asks before the suite may read what was copied.
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const print = options.print ?? (() => {});
  const exitCode = new Promise<number>((resolve, reject) => {
    const exposed = Promise.all([
      page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)),
      // The arguments come as console functions take them, with the format and its values apart.
      page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
        const text = format(...args);
        if (!ownTroubles.some((trouble) => text.includes(trouble))) print(text);
      }),
    ]);
    exposed.catch(reject);
    page.on('crash', () => reject(new Error('The browser page that showed VS Code crashed.')));
    page.on('close', () => reject(new Error('The browser page that showed VS Code was closed.')));
  });
  // A workbench without a suite is closed without anybody waiting for its exit code.
  exitCode.catch(() => {});
  const address = workbenchAddress(server, options);
  page.setDefaultTimeout(stepLimitMs);
  await page.goto(address);
  await page
    .locator('.monaco-workbench')
    .first()
    .waitFor({ timeout: 2 * stepLimitMs });
  return { page, address, exitCode };
}
