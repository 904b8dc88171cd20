/**
 * Runs the built command as a process in its own folder, as in a terminal or continuous
 * integration.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const bundle = join(import.meta.dirname, '../../dist/cli.cjs');

export interface Outcome {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder with files, used as the working directory of the command. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'aplomb-cli-'));

  /** Writes files. The keys are paths relative to the folder. */
  files(contents: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(contents)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
  }

  /** Runs `aplomb` with these arguments. */
  run(
    args: readonly string[],
    input: string | Uint8Array = '',
    env: object = {},
  ): Promise<Outcome> {
    assert.ok(existsSync(bundle), `${bundle} is not there; run npm run build`);
    const child = spawn(process.execPath, [bundle, ...args], {
      cwd: this.path,
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    // A command that doesn't read its input closes its end of the pipe.
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) => resolve({ status, out, err }));
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
