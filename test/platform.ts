// Reasons to skip tests on systems that lack a feature, and assertions that hold only where the feature exists.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const isWindows = process.platform === 'win32';

/** Reports whether this user may make symbolic links, which Windows allows administrators and developers only. */
function canLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'aplomb-link-'));
  try {
    symlinkSync('nowhere', join(folder, 'link'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** By what a test needs, why it is skipped here; false where the system has it. */
export const needs = {
  modes: isWindows && 'Windows has access control lists instead of modes.',
  signals: isWindows && 'Windows has no signals between processes.',
  pipes: isWindows && 'Windows has no pipes in folders.',
  tools: process.platform !== 'linux' && 'Only Linux has GNU tar and sha256sum.',
  patternNames: isWindows && 'Windows allows no patterns in names of files.',
  devices: process.platform !== 'linux' && 'Only Linux has /dev/full and /proc.',
  links: !canLink() && 'This user may not make symbolic links.',
} as const;

/** Checks the permissions of a file or folder; nothing on Windows. */
export function assertMode(path: string, mode: number): void {
  if (isWindows) return;
  const actual = statSync(path).mode & 0o777;
  assert.equal(actual.toString(8), mode.toString(8), path);
}
