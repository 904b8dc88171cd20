// The licences of what the bundles contain, which those licences ask to be handed on.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../host/paths.ts';

/**
 * Returns one text with the licence of every npm package that one of `inputs` (paths of bundled files,
 * relative to the repository) belongs to, and of the other packages that are named.
 */
export async function thirdPartyNotices(
  inputs: readonly string[],
  packages: readonly string[],
): Promise<string> {
  const bundled = inputs.flatMap((path) => packageOf(path) ?? []);
  const names = [...new Set([...bundled, ...packages])].sort();
  const notices = await Promise.all(names.map(notice));
  return `Aplomb contains the following works of others.\n\n${notices.join('\n')}`;
}

/** The innermost package that a path leads into, with the folders it is nested in. */
function packageOf(path: string): string | undefined {
  return /^.*?node_modules\/((?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
}

async function notice(name: string): Promise<string> {
  const folder = join(repository, 'node_modules', name);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : `Licence: ${manifest.license}`;
  return `${'-'.repeat(80)}\n${manifest.name} ${manifest.version}\n\n${text.trim()}\n`;
}
