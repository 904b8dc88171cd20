// Packages of other platforms, which `npm ci` leaves out: fetched from the registry that npm is set up for, and
// compared with their digests.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../host/paths.ts';
import { npm, run } from '../host/processes.ts';

/** A version of a package and its digest, as lock files write it: `sha512-` and base64. */
export interface PackageVersion {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** Returns the version in the lock file. Throws if the package is not in it. */
export async function lockedVersion(name: string): Promise<PackageVersion> {
  const lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'));
  const entry = lock.packages[`node_modules/${name}`];
  if (entry?.integrity === undefined) throw new Error(`package-lock.json has no ${name}.`);
  return { name, version: entry.version, integrity: entry.integrity };
}

/** Fetches a package and unpacks it into a new folder. Throws if its bytes are not those of the digest. */
export async function unpackPackage(wanted: PackageVersion, folder: string): Promise<void> {
  const { name, version, integrity } = wanted;
  const temporary = await mkdtemp(join(tmpdir(), 'aplomb-fetch-'));
  try {
    const args = ['pack', `${name}@${version}`, '--json', '--pack-destination', temporary];
    const archive = join(temporary, JSON.parse(await run(npm, args))[0].filename);
    const digest = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${name}@${version} has the digest ${digest}, not ${integrity}.`);
    await mkdir(folder, { recursive: true });
    await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
