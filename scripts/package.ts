// `npm run package`: makes the extension's VSIX. What goes in is copied to a separate folder first, so
// that nothing gets in by not being left out.
//   npm run package -- [--universal] [--out FILE]
// The plain one is for this machine's platform and carries DuckDB's native module next to the bundle;
// --universal makes the one for every other platform, which lacks only the local deployment.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { build } from './host/build.ts';
import { repository } from './host/paths.ts';
import { thirdPartyNotices } from './package/notices.ts';

const sizeLimitMegabytes = 60;

/** Copied as they are, next to the bundles and the manifest. */
const files = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'language-configuration.json',
  'media',
  'syntaxes',
  'docs',
];

/** Members of package.json that serve development alone. */
const developmentMembers = [
  'devDependencies',
  'dependencies',
  'scripts',
  'allowScripts',
  'private',
  'bin',
];

const { values } = parseArgs({
  options: { universal: { type: 'boolean', default: false }, out: { type: 'string' } },
});
const staging = await mkdtemp(join(tmpdir(), 'aplomb-package-'));
try {
  await packageExtension(staging);
} finally {
  await rm(staging, { recursive: true, force: true });
}

async function packageExtension(folder: string): Promise<void> {
  await build(['--production', `--outdir=${join(folder, 'dist')}`]);
  for (const name of files)
    await cp(join(repository, name), join(folder, name), { recursive: true });
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  for (const member of developmentMembers) delete manifest[member];
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  // The staging folder holds nothing else; without this file the packager warns that it might.
  await writeFile(join(folder, '.vscodeignore'), '');
  const target = values.universal ? undefined : `${process.platform}-${process.arch}`;
  const packages = target ? [`@duckdb/node-bindings-${target}`] : [];
  for (const name of packages) await copyPackage(name, join(folder, 'dist', 'node_modules'));
  const meta = join(folder, 'dist', 'meta.json');
  const { inputs } = JSON.parse(await readFile(meta, 'utf8')) as { inputs: string[] };
  await rm(meta);
  await writeFile(join(folder, 'ThirdPartyNotices.txt'), await thirdPartyNotices(inputs, packages));
  const name = [manifest.name, target, manifest.version].filter((part) => part).join('-');
  const out = resolve(values.out ?? join(repository, `${name}.vsix`));
  await createVSIX({
    cwd: folder,
    packagePath: out,
    dependencies: false,
    // There is no public address yet that links and pictures of the README could be rewritten to.
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
    ...(target && { target }),
  });
  const megabytes = (await stat(out)).size / 1e6;
  if (megabytes > sizeLimitMegabytes) {
    throw new Error(
      `${out} has ${megabytes.toFixed(1)} MB; at most ${sizeLimitMegabytes} are right.`,
    );
  }
}

async function copyPackage(name: string, modules: string): Promise<void> {
  const from = join(repository, 'node_modules', name);
  if (!existsSync(from)) {
    throw new Error(
      `${name} is not installed. Run npm ci on the platform that the package is for.`,
    );
  }
  await cp(from, join(modules, name), { recursive: true });
}
