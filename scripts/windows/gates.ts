// What only Windows does to the local deployment and the command line: files that are open elsewhere cannot be
// replaced or opened, and processes end without a signal.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bed } from './bed.ts';
import type { WineProcess } from './wine.ts';

const READY_MS = 60_000;

interface Address {
  readonly url: string;
  readonly token: string;
}

/** Starts the local deployment on a data folder. */
export function startLocal({ wine, copy }: Bed, data: string): WineProcess {
  return wine.start([join(copy, 'dist', 'local.cjs'), '--data', data, '--port', '0'], copy);
}

/** Waits for the address that a start prints. Throws with its output when it ends without one. */
export async function addressOf(started: WineProcess): Promise<Address> {
  let status: number | undefined;
  void started.exited.then((code) => {
    status = code;
  });
  const end = performance.now() + READY_MS;
  for (;;) {
    const { out } = started;
    if (out.endsWith('\n')) return JSON.parse(out) as Address;
    if (status !== undefined) throw new Error(`It ended with ${status}.\n${started.err}`);
    if (performance.now() > end) throw new Error(`It was not ready in time.\n${started.err}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function request(
  { url, token }: Address,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Two starts at once on one folder: both name the one deployment, which answers. */
export async function simultaneousStarts(bed: Bed, pairs: number): Promise<void> {
  for (let pair = 1; pair <= pairs; pair++) {
    const data = join(bed.scratch, `pair-${pair}`);
    mkdirSync(data);
    const both = [startLocal(bed, data), startLocal(bed, data)];
    try {
      const [first, second] = await Promise.all(both.map(addressOf));
      if (first!.url !== second!.url || first!.token !== second!.token)
        throw new Error(`They name ${first!.url} and ${second!.url}.`);
      await request(first!, 'GET', '/v2/datasets');
    } catch (error) {
      throw new Error(`Pair ${pair}: ${(error as Error).message}`);
    } finally {
      await Promise.all(both.map((each) => each.kill()));
    }
  }
}
