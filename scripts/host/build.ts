// Runs the bundler for programs that need its result, and only when a source is newer than a bundle.
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { distDirectory, repository } from './paths.ts';
import { run } from './processes.ts';

const sources = [
  '{api,cli,client,formats,ingest,language,local,loopback,resources,server,system,table}/src/**/*',
  'local/page/**/*',
  'test/host/**/*.ts',
  'esbuild.mjs',
  'package-lock.json',
];

/**
 * Builds the bundles into dist/ unless they are there and newer than everything they are made of. In a run of the
 * tests, which sets APLOMB_BUILT, the runner has done it.
 */
export async function ensureBuilt(): Promise<void> {
  if (process.env.APLOMB_BUILT === '1') return;
  const built = globSync(['*.cjs', 'view/*.js', 'test/*.cjs'], { cwd: distDirectory });
  const oldest = Math.min(...built.map((file) => statSync(join(distDirectory, file)).mtimeMs));
  const newest = Math.max(
    ...globSync(sources, { cwd: repository }).map(
      (file) => statSync(join(repository, file)).mtimeMs,
    ),
  );
  if (existsSync(join(distDirectory, 'client.cjs')) && oldest > newest) return;
  await build();
}

/** Builds the bundles into `outdir`, dist/ when it is left out. Throws with the bundler's errors. */
export async function build(args: readonly string[] = []): Promise<void> {
  process.stderr.write('Building.\n');
  await run(process.execPath, ['esbuild.mjs', ...args], { cwd: repository });
}
