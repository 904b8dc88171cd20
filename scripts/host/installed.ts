// Finds VS Code and browsers of this machine: on the path, and where installers put them, for all users or for one.
import { existsSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** The part of a machine that decides where programs are. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  exists(path: string): boolean;
}

const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  exists: existsSync,
};

/** File names on the path, and files in folders that variables of the environment name. */
interface Places {
  readonly names: readonly string[];
  readonly files: readonly (readonly [variable: string, file: string])[];
}

const ROOT = '';
const windowsFolders = ['LOCALAPPDATA', 'ProgramFiles', 'ProgramFiles(x86)'];
const below = (folders: readonly string[], file: string) =>
  folders.map((variable) => [variable, file] as const);

const programs = {
  vscode: {
    win32: {
      names: ['code.cmd'],
      files: [
        ['LOCALAPPDATA', 'Programs\\Microsoft VS Code\\bin\\code.cmd'],
        ['ProgramFiles', 'Microsoft VS Code\\bin\\code.cmd'],
      ],
    },
    darwin: {
      names: ['code'],
      files: below(
        [ROOT, 'HOME'],
        'Applications/Visual Studio Code.app/Contents/Resources/app/bin/code',
      ),
    },
    linux: { names: ['code'], files: [] },
  },
  browser: {
    win32: {
      names: ['chrome.exe', 'chromium.exe', 'msedge.exe'],
      files: [
        ...below(windowsFolders, 'Google\\Chrome\\Application\\chrome.exe'),
        ...below(windowsFolders, 'Chromium\\Application\\chrome.exe'),
        ...below(windowsFolders, 'Microsoft\\Edge\\Application\\msedge.exe'),
      ],
    },
    darwin: {
      names: [],
      files: ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap((name) =>
        below([ROOT, 'HOME'], `Applications/${name}.app/Contents/MacOS/${name}`),
      ),
    },
    linux: {
      names: [
        'google-chrome',
        'google-chrome-stable',
        'chromium',
        'chromium-browser',
        'chrome',
        'microsoft-edge',
        'microsoft-edge-stable',
      ],
      files: [],
    },
  },
} satisfies Record<string, Record<'win32' | 'darwin' | 'linux', Places>>;

/** Returns the path of a program, if it is installed. */
export function findInstalled(
  program: keyof typeof programs,
  { platform, env, exists }: Machine = thisMachine,
): string | undefined {
  const { names, files }: Places =
    programs[program][platform === 'win32' || platform === 'darwin' ? platform : 'linux'];
  const { join, delimiter } = platform === 'win32' ? win32 : posix;
  // Windows finds variables whatever their case, but an object of them does not.
  const variableOf = (variable: string) =>
    variable === ROOT
      ? '/'
      : Object.entries(env).find(([name]) => name.toLowerCase() === variable.toLowerCase())?.[1];
  const folders = (variableOf('PATH') ?? '').split(delimiter).filter((folder) => folder !== '');
  const installed = files.flatMap(([variable, file]) => {
    const folder = variableOf(variable);
    return folder === undefined ? [] : join(folder, file);
  });
  return [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...installed,
  ].find(exists);
}
