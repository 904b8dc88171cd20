// `npm run package`: makes the extension's VSIX. What goes in is copied to a separate folder first, so
// that nothing gets in by not being left out.
//   npm run package -- [--target TARGET]… [--all] [--out FILE]
// Without options, it is for this machine. Each carries the native module of its platform next to the bundles. The
// same sources give the same bytes.
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { build } from './host/build.ts';
import { repository } from './host/paths.ts';
import { thirdPartyNotices } from './package/notices.ts';
import { isTarget, nativePackage, type Target, targets, thisTarget } from './package/targets.ts';

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
  'workspaces',
  'private',
  'bin',
];

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [thisTarget] },
    all: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const wanted: readonly Target[] = values.all ? targets : values.target.map(known);
if (values.out !== undefined && wanted.length > 1)
  throw new Error('--out names one file: choose one target.');

// Files of a package have one date, so that two builds are equal.
process.env.SOURCE_DATE_EPOCH ??= String(Date.UTC(2026, 0, 1) / 1_000);

const staging = await mkdtemp(join(tmpdir(), 'aplomb-package-'));
try {
  const { name, version, inputs } = await stage(staging);
  for (const target of wanted) {
    const suffix = target === 'universal' ? '' : `-${target}`;
    const out = resolve(values.out ?? join(repository, `${name}${suffix}-${version}.vsix`));
    await packageFor(target, inputs, out);
  }
} finally {
  await rm(staging, { recursive: true, force: true });
}

function known(name: string): Target {
  if (isTarget(name)) return name;
  throw new Error(`Unknown target '${name}'. Targets: ${targets.join(', ')}.`);
}

interface Staged {
  readonly name: string;
  readonly version: string;
  /** The files that the bundles are made of, from the repository's root. */
  readonly inputs: readonly string[];
}

/** Copies everything that the packages of all targets have into a folder. */
async function stage(folder: string): Promise<Staged> {
  await build(['--production', `--outdir=${join(folder, 'dist')}`]);
  for (const name of files)
    await cp(join(repository, name), join(folder, name), { recursive: true });
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  for (const member of developmentMembers) delete manifest[member];
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  // The staging folder holds nothing else; without this file the packager warns that it might.
  await writeFile(join(folder, '.vscodeignore'), '');
  const meta = join(folder, 'dist', 'meta.json');
  const { inputs } = JSON.parse(await readFile(meta, 'utf8')) as { inputs: string[] };
  await rm(meta);
  return { name: manifest.name, version: manifest.version, inputs };
}

async function packageFor(target: Target, inputs: readonly string[], out: string): Promise<void> {
  const modules = join(staging, 'dist', 'node_modules');
  await rm(modules, { recursive: true, force: true });
  const native = await nativePackage(target);
  if (native !== undefined)
    await cp(native.folder, join(modules, native.name), { recursive: true });
  const notices = await thirdPartyNotices(inputs, native === undefined ? [] : [native]);
  await writeFile(join(staging, 'ThirdPartyNotices.txt'), notices);
  await createVSIX({
    cwd: staging,
    packagePath: out,
    dependencies: false,
    // There is no public address yet that links and pictures of the README could be rewritten to.
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
    ...(target !== 'universal' && { target }),
  });
  const megabytes = (await stat(out)).size / 1e6;
  if (megabytes > sizeLimitMegabytes) {
    throw new Error(
      `${out} has ${megabytes.toFixed(1)} MB; at most ${sizeLimitMegabytes} are right.`,
    );
  }
}
