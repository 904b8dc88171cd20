// A second local deployment, started next to the window's own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface OtherDeployment {
  readonly url: string;
  readonly token: string;
  readonly personalToken: string;
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export interface OtherOptions {
  /** The data folder, which exists and is kept. By default one that is removed in the end. */
  readonly folder: string;
  /** The file for what the process writes. */
  readonly log: string;
}

/** `dist` is the folder of the bundles. `options` are further options of the command line. */
export async function startOther(
  dist: string,
  kept?: OtherOptions,
  options: readonly string[] = [],
): Promise<OtherDeployment> {
  const folder = kept?.folder ?? (await mkdtemp(join(tmpdir(), 'aplomb-other-')));
  const bundle = join(dist, 'local.cjs');
  const child = spawn(process.execPath, [bundle, '--data', folder, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', kept ? openSync(kept.log, 'a') : 'inherit'],
  });
  assert.ok(child.stdout);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, token, personalToken } = JSON.parse(line);
  return {
    url,
    token,
    personalToken,
    ask: (method, path, body) => ask({ url, token }, method, path, body),
    async stop() {
      if (child.exitCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a request and returns the JSON of its answer. Throws if the status is not a success. */
export async function ask(
  { url, token }: { readonly url: string; readonly token: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
