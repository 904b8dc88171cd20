// Installs the extension of the tests that provides a language model.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../scripts/host/profile.ts';

const folder = fileURLToPath(new URL('modelExtension', import.meta.url));

export async function installScriptedModel({ extensionsDirectory }: Profile): Promise<void> {
  await cp(folder, join(extensionsDirectory, 'aplomb-tests.scripted-model-1.0.0'), {
    recursive: true,
  });
}
