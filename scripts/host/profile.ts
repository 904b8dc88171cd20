// A user's folders for one run of VS Code, made fresh so that runs do not see one another.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './paths.ts';

/** Settings that hide unrelated parts of VS Code, and turn off animations, which cost processor time. */
const quietSettings = {
  'breadcrumbs.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'editor.fontFamily': 'monospace',
  'editor.minimap.enabled': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/** A user's folders. */
export interface Profile {
  readonly root: string;
  readonly userDataDirectory: string;
  readonly extensionsDirectory: string;
  /** Deletes all of it. */
  remove(): Promise<void>;
}

/** Makes empty folders with the quiet settings and those given, which win. */
export async function createProfile(
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Profile> {
  const root = await mkdtemp(join(tmpdir(), 'aplomb-vscode-'));
  const userDataDirectory = join(root, 'user-data');
  const extensionsDirectory = join(root, 'extensions');
  await mkdir(extensionsDirectory, { recursive: true });
  await writeSettings(userDataDirectory, settings);
  return {
    root,
    userDataDirectory,
    extensionsDirectory,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Writes the user's settings file into a user-data folder. */
export async function writeSettings(
  userDataDirectory: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const folder = join(userDataDirectory, 'User');
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
  await writeFile(join(folder, 'settings.json'), text);
}

/**
 * Installs the extension of this repository, as it is built, into a profile. It is a link, so that a
 * reloaded window has what was built since.
 */
export async function linkExtension({ extensionsDirectory }: Profile): Promise<void> {
  const manifest = await readFile(join(repository, 'package.json'), 'utf8');
  const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
  const link = join(extensionsDirectory, `${publisher}.${name}-${version}`);
  await symlink(repository, link, process.platform === 'win32' ? 'junction' : 'dir');
}
