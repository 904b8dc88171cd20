// Bundles pages and workers for tests. The test files of a run share a folder in which each is made once.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { cached } from './cache.ts';
import { repository } from './paths.ts';

/** The variable of the environment that names the folder. */
export const sharedBundles = 'APLOMB_SHARED_BUNDLES';

/** The worker that holds the rows of results. */
export const storeWorker = 'client/src/answers/worker/main.ts';

export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

const bundled = new Map<string, Promise<PageBundle>>();

/** Returns the bundle of a page for the browser, `minify` as it is packaged. */
export function bundlePage(entry: string, minify = false): Promise<PageBundle> {
  const name = `${entry.replaceAll(/\W+/g, '-')}${minify ? '-minified' : ''}`;
  const made = bundled.get(name) ?? sharedOrOwn(name, () => build(entry, minify));
  bundled.set(name, made);
  return made;
}

async function sharedOrOwn(name: string, make: () => Promise<PageBundle>): Promise<PageBundle> {
  const shared = process.env[sharedBundles];
  if (shared === undefined) return make();
  const file = 'bundle.json';
  const write = async (folder: string) =>
    writeFile(join(folder, file), JSON.stringify(await make()));
  return JSON.parse(await readFile(join(await cached(name, write, shared), file), 'utf8'));
}

async function build(entry: string, minify: boolean): Promise<PageBundle> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(repository, entry)],
    bundle: true,
    minify,
    write: false,
    outdir: 'out',
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
    loader: { '.gif': 'dataurl', '.png': 'dataurl', '.svg': 'dataurl' },
  });
  const text = (ending: string) =>
    outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

/** Returns the address of a worker: of its source, or of the shared bundle, which starts faster. */
export async function workerAddress(entry: string): Promise<URL> {
  const source = join(repository, entry);
  const shared = process.env[sharedBundles];
  if (shared === undefined) return pathToFileURL(source);
  const file = 'worker.cjs';
  const write = async (folder: string) => {
    await esbuild.build({
      entryPoints: [source],
      outfile: join(folder, file),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
    });
  };
  const folder = await cached(entry.replaceAll(/\W+/g, '-'), write, shared);
  return pathToFileURL(join(folder, file));
}
