// The platforms that the extension is packaged for, as VS Code names them, with the package of DuckDB's native module.
// `universal` is for all others: it has none, so its local deployment is that of the command line, if that is there.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cached } from '../host/cache.ts';
import { repository } from '../host/paths.ts';
import { lockedVersion, unpackPackage } from './registry.ts';

const bindings = {
  'win32-x64': '@duckdb/node-bindings-win32-x64',
  'win32-arm64': '@duckdb/node-bindings-win32-arm64',
  'darwin-x64': '@duckdb/node-bindings-darwin-x64',
  'darwin-arm64': '@duckdb/node-bindings-darwin-arm64',
  'linux-x64': '@duckdb/node-bindings-linux-x64',
  'linux-arm64': '@duckdb/node-bindings-linux-arm64',
  'alpine-x64': '@duckdb/node-bindings-linux-x64-musl',
  'alpine-arm64': '@duckdb/node-bindings-linux-arm64-musl',
  universal: undefined,
} as const;

export type Target = keyof typeof bindings;

export const targets = Object.keys(bindings) as readonly Target[];

/** The target of this machine; `universal` if there is none for it. */
export const thisTarget: Target =
  targets.find((target) => target === `${process.platform}-${process.arch}`) ?? 'universal';

export const isTarget = (name: string): name is Target => Object.hasOwn(bindings, name);

/** A package that goes into an extension next to its bundles. */
export interface NativePackage {
  readonly name: string;
  readonly folder: string;
}

/** Returns the native package of a target: the installed one, or the locked version from the registry. */
export async function nativePackage(target: Target): Promise<NativePackage | undefined> {
  const name = bindings[target];
  if (name === undefined) return undefined;
  const wanted = await lockedVersion(name);
  const installed = join(repository, 'node_modules', name);
  if (await isVersion(installed, wanted.version)) return { name, folder: installed };
  const cacheName = `${name.replaceAll('/', '-')}-${wanted.version}`;
  return { name, folder: await cached(cacheName, (folder) => unpackPackage(wanted, folder)) };
}

async function isVersion(folder: string, version: string): Promise<boolean> {
  const manifest = join(folder, 'package.json');
  return existsSync(manifest) && JSON.parse(await readFile(manifest, 'utf8')).version === version;
}
