// The licences of what the bundles contain, which those licences ask to be handed on.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../host/paths.ts';
import type { NativePackage } from './targets.ts';

/**
 * Returns one text with the licence of every npm package that one of `inputs` (paths of bundled files,
 * relative to the repository) belongs to, and of the native packages.
 */
export async function thirdPartyNotices(
  inputs: readonly string[],
  packages: readonly NativePackage[],
): Promise<string> {
  const bundled = new Set(inputs.flatMap((path) => packageOf(path) ?? []));
  const folders = new Map([
    ...[...bundled].map((name) => [name, join(repository, 'node_modules', name)] as const),
    ...packages.map(({ name, folder }) => [name, folder] as const),
  ]);
  const notices = await Promise.all(
    [...folders.keys()].sort().map((name) => notice(folders.get(name) as string)),
  );
  return `Aplomb contains the following works of others.\n\n${notices.join('\n')}`;
}

/** The innermost package that a path leads into, with the folders it is nested in. */
function packageOf(path: string): string | undefined {
  return /^.*?node_modules\/((?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
}

async function notice(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : `Licence: ${manifest.license}`;
  return `${'-'.repeat(80)}\n${manifest.name} ${manifest.version}\n\n${text.trim()}\n`;
}
