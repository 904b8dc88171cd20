// What only Windows does to the local deployment and the command line: files that are open elsewhere cannot be
// replaced or opened, and processes end without a signal.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bed } from './bed.ts';
import { type WineProcess, windowsPath } from './wine.ts';

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
    await sleep(50);
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

/** Starts while another process reads the lock file in a loop. */
export async function startsBesideReader(bed: Bed, starts: number): Promise<void> {
  const data = join(bed.scratch, 'read');
  mkdirSync(data);
  await besideReader(bed, join(data, 'deployment.json'), async () => {
    for (let start = 1; start <= starts; start++) {
      const local = startLocal(bed, data);
      try {
        await request(await addressOf(local), 'GET', '/v2/datasets');
      } catch (error) {
        throw new Error(`Start ${start}: ${(error as Error).message}`);
      } finally {
        await local.kill();
      }
    }
  });
}

/** Replaces a file while another process reads it in a loop: no replacement fails, and the last one is there. */
export async function replacementsBesideReader(bed: Bed, count: number): Promise<void> {
  const folder = join(bed.scratch, 'replaced');
  mkdirSync(folder);
  const path = join(folder, 'file');
  const script = join(bed.copy, 'replacements.mts');
  writeFileSync(script, replacementsOf(path, count));
  await besideReader(bed, path, async () => {
    const writer = bed.wine.start([script], bed.copy);
    const status = await writer.statusWithin(READY_MS + count * 100);
    if (status !== 0) throw new Error(`The writer ended with ${status}.\n${writer.err}`);
  });
  if (readFileSync(path, 'utf8') !== String(count)) throw new Error('The last content is missing.');
  if (readdirSync(folder).length !== 1) throw new Error('Drafts are left.');
}

const replacementsOf = (path: string, count: number) => `
import { writeAtomically } from './system/src/replace.ts';
for (let i = 1; i <= ${count}; i++)
  await writeAtomically(${JSON.stringify(windowsPath(path))}, String(i), { mode: 0o600 });
`;

/** Does the work while another process reads a file in a loop. Throws if it never read the file. */
async function besideReader(bed: Bed, path: string, work: () => Promise<void>): Promise<void> {
  const script = join(bed.scratch, 'reader.mjs');
  writeFileSync(script, readerOf(path));
  const reader = bed.wine.start([script], bed.copy);
  try {
    await work();
  } finally {
    await reader.kill();
  }
  if (!(Number(reader.out.trim().split('\n').at(-1)) > 0))
    throw new Error(`The reader has read nothing.\n${reader.err}`);
}

const readerOf = (path: string) => `
import { closeSync, openSync, readSync } from 'node:fs';
let reads = 0;
const bytes = Buffer.alloc(1_000);
setInterval(() => {
  const end = Date.now() + 50;
  while (Date.now() < end) {
    try {
      const file = openSync(${JSON.stringify(windowsPath(path))}, 'r');
      readSync(file, bytes);
      reads += 1;
      const until = performance.now() + 2;
      while (performance.now() < until);
      closeSync(file);
    } catch {}
  }
  console.log(reads);
}, 60);
`;

/** Kills while events are sent: the next start has every acknowledged event once. */
export async function kills(bed: Bed, rounds: number): Promise<void> {
  const data = join(bed.scratch, 'killed');
  mkdirSync(data);
  const acknowledged = new Set<number>();
  const sent = new Set<number>();
  for (let round = 1; round <= rounds + 1; round++) {
    const local = startLocal(bed, data);
    try {
      const address = await addressOf(local);
      if (round === 1) await request(address, 'POST', '/v2/datasets', { name: 'killed' });
      await checkStored(address, acknowledged, sent);
      if (round > rounds) return;
      const sending = sendUntilKilled(address, acknowledged, sent);
      await sleep(300 + ((round * 7_919) % 1_500));
      await local.kill();
      await sending;
    } catch (error) {
      throw new Error(`Round ${round}: ${(error as Error).message}\n${local.err}`);
    } finally {
      await local.kill();
    }
  }
}

const EVENTS = 50;

async function sendUntilKilled(address: Address, acknowledged: Set<number>, sent: Set<number>) {
  for (;;) {
    const first = sent.size;
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      n: first + index,
      text: 'x'.repeat(500),
    }));
    for (const { n } of events) sent.add(n);
    try {
      await request(address, 'POST', '/v1/datasets/killed/ingest', events);
    } catch {
      return;
    }
    for (const { n } of events) acknowledged.add(n);
  }
}

async function checkStored(address: Address, acknowledged: Set<number>, sent: Set<number>) {
  if (sent.size === 0) return;
  const stored = await storedNumbers(address);
  const different = new Set(stored);
  if (different.size !== stored.length) throw new Error('Events are stored twice.');
  const lost = [...acknowledged].filter((n) => !different.has(n));
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged events are lost.`);
  const foreign = stored.filter((n) => !sent.has(n));
  if (foreign.length > 0) throw new Error('Events are stored that nobody sent.');
}

async function storedNumbers(address: Address): Promise<number[]> {
  const { tables } = (await request(address, 'POST', '/v1/query/_apl?format=tabular', {
    apl: "['killed'] | project n | take 1000000",
    startTime: '2000-01-01T00:00:00Z',
    endTime: '2100-01-01T00:00:00Z',
  })) as { tables: readonly { columns: readonly (readonly number[])[] }[] };
  return [...(tables[0]?.columns[0] ?? [])];
}

/** Names that Windows does not allow for files, and names that it takes for one. */
const NAMES = ['a:b?*', 'con', 'AUX', 'nul.json', 'Case', 'case', ' blanks. ', 'ümläut', '../up'];

/** Pulls resources with odd names, changes the folder, pushes it, and pulls once more: the folder is the same. */
export async function pullAndPush(bed: Bed): Promise<void> {
  const data = join(bed.scratch, 'resources');
  const folder = join(bed.scratch, 'pulled');
  mkdirSync(data);
  const local = startLocal(bed, data);
  const aplomb = async (...args: string[]) => {
    const cli = join(bed.copy, 'dist', 'cli.cjs');
    const run = bed.wine.start([cli, ...args, '--data', data], bed.scratch);
    const status = await run.statusWithin(READY_MS);
    if (status !== 0) throw new Error(`${args[0]} ended with ${status}.\n${run.out}${run.err}`);
    return run.out;
  };
  try {
    const address = await addressOf(local);
    await request(address, 'POST', '/v2/datasets', { name: 'logs' });
    for (const [threshold, name] of NAMES.entries())
      await request(address, 'POST', '/v2/monitors', {
        name,
        type: 'Threshold',
        aplQuery: "['logs']\n| count",
        threshold,
      });
    await aplomb('pull', folder);
    const monitors = join(folder, 'monitors');
    const files = readdirSync(monitors).filter((name) => name.endsWith('.json'));
    if (files.length !== NAMES.length) throw new Error(`pull wrote ${files.join(', ')}.`);
    // As an editor of Windows saves it.
    for (const file of files) {
      const text = readFileSync(join(monitors, file), 'utf8');
      writeFileSync(
        join(monitors, file),
        text.replace(/"threshold": (\d)/, '"threshold": 4$1').replaceAll('\n', '\r\n'),
      );
    }
    await aplomb('push', folder, '--yes');
    const changed = (await request(address, 'GET', '/v2/monitors')) as { threshold: number }[];
    if (changed.length !== NAMES.length || changed.some(({ threshold }) => threshold < 40))
      throw new Error(`push left ${JSON.stringify(changed)}.`);
    const plan = await aplomb('push', folder, '--yes');
    if (!/: 9 unchanged\.$/m.test(plan)) throw new Error(`The second push found changes:\n${plan}`);
    if (existsSync(join(bed.scratch, 'up.json'))) throw new Error('A name led out of the folder.');
  } finally {
    await local.kill();
  }
}
