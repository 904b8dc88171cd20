// Where VS Code and browsers are found on each system.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findInstalled } from '../../scripts/host/installed.ts';
import { commandLine } from '../../scripts/host/processes.ts';

type Env = Record<string, string>;

function found(
  program: 'vscode' | 'browser',
  platform: NodeJS.Platform,
  env: Env,
  ...files: string[]
) {
  return findInstalled(program, { platform, env, exists: (path) => files.includes(path) });
}

const windows: Env = {
  Path: 'C:\\Windows;D:\\tools',
  LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local',
  ProgramFiles: 'C:\\Program Files',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
};
const unix: Env = { PATH: '/usr/local/bin:/usr/bin', HOME: '/home/ada' };

const cases: readonly (readonly ['vscode' | 'browser', NodeJS.Platform, Env, string])[] = [
  ['vscode', 'win32', windows, 'D:\\tools\\code.cmd'],
  [
    'vscode',
    'win32',
    windows,
    'C:\\Users\\Ada\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd',
  ],
  ['vscode', 'win32', windows, 'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd'],
  ['vscode', 'linux', unix, '/usr/bin/code'],
  [
    'vscode',
    'darwin',
    unix,
    '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code',
  ],
  [
    'browser',
    'darwin',
    unix,
    '/home/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  [
    'browser',
    'win32',
    windows,
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
  [
    'browser',
    'win32',
    windows,
    'C:\\Users\\Ada\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe',
  ],
  ['browser', 'linux', unix, '/usr/local/bin/chromium'],
];

describe('an installed program', () => {
  for (const [program, platform, env, path] of cases) {
    it(`${path} is found on ${platform}`, () => {
      assert.equal(found(program, platform, env, path), path);
    });
  }

  it('in PATH takes precedence', () => {
    const installed = 'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd';
    assert.equal(
      found('vscode', 'win32', windows, installed, 'D:\\tools\\code.cmd'),
      'D:\\tools\\code.cmd',
    );
  });

  it('is undefined if it is not installed', () => {
    assert.equal(found('browser', 'win32', {}), undefined);
    assert.equal(found('vscode', 'freebsd', { PATH: '' }), undefined);
  });
});

it('a command script and its arguments are quoted for the Windows shell', () => {
  assert.equal(
    commandLine('C:\\Program Files\\Code\\code.cmd', ['--wait', 'C:\\a b']),
    '"C:\\Program Files\\Code\\code.cmd" "--wait" "C:\\a b"',
  );
});
