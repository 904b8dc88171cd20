// Twelve writers of events and six of tokens and resources use a process that is killed repeatedly:
// at any moment, during checkpoints, and during recovery. The next start succeeds, and every
// acknowledged event is there once, in its last acknowledged state.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_LOG } from '../../local/src/engines/duckdb/database/recovery.ts';
import { isLong, seed } from '../drawn.ts';
import { KilledResources } from './killedResources.ts';
import {
  bundles,
  leftBehind,
  type Requests,
  rows,
  send,
  type Traffic,
  Victim,
  write,
} from './killing.ts';
import { random } from './random.ts';

type Kind = 'any' | 'checkpoint' | 'recovery';

/**
 * Number of kills of each kind, a twentieth unless APLOMB_LONG is set. Their times and the data
 * depend on the seed.
 */
const kills: Readonly<Record<Kind, number>> = isLong
  ? { any: 50, checkpoint: 75, recovery: 75 }
  : { any: 3, checkpoint: 4, recovery: 3 };

/** The number of kills after which a new folder is used. */
const KILLS_OF_A_FOLDER = 12;

/** More than the requests of a round. */
const ROWS_MAX = 1_000_000;

/** Two datasets, because writers of one wait while a checkpoint writes it. */
const writers: readonly Traffic[] = Array.from({ length: 12 }, (_, writer) =>
  writer < 4
    ? { dataset: 'large', events: 200, bytes: 4_000 }
    : { dataset: 'small', events: 20, bytes: 40 },
);
const datasets = ['large', 'small'];

let folder: string;
let paths: Awaited<ReturnType<typeof bundles>>;
let victim: Victim | undefined;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-kills-'));
  paths = await bundles(folder);
});
after(async () => {
  await victim?.kill();
  await rm(folder, { recursive: true, force: true });
});

it('every start after a kill succeeds and keeps every acknowledged event, token and resource', async (t) => {
  const next = random(seed);
  const fraction = () => next(1_000_000) / 1_000_000;
  const left: Kind[] = (Object.keys(kills) as Kind[]).flatMap((kind) =>
    Array.from({ length: kills[kind] }, () => kind),
  );
  const counts = { kills: 0, inCheckpoint: 0, besideCommits: 0, inRecovery: 0, changes: 0 };
  let slowest = 0;
  // A kill that missed its moment is repeated.
  let spare = 2 * left.length;
  for (let lineage = 0; left.length > 0; lineage += 1) {
    const data = join(folder, `data${lineage}`);
    const chosen = Array.from(
      { length: Math.min(KILLS_OF_A_FOLDER, left.length) },
      () => left.splice(next(left.length), 1)[0]!,
    );
    // Some runs use the shipped limits.
    const bundle = next(5) === 0 && isLong ? paths.shipped : paths.frequent;
    const life = new Life(bundle, data, fraction);
    for (const kind of chosen) {
      const killed =
        kind === 'recovery' ? await life.killInRecovery() : await life.killWriting(kind);
      counts.kills += 1;
      counts.inCheckpoint += Number(killed.inCheckpoint);
      counts.besideCommits += Number(killed.besideCommits);
      counts.inRecovery += Number(killed.inRecovery);
      counts.changes += killed.changes;
      const missed =
        (kind === 'checkpoint' && !killed.besideCommits) ||
        (kind === 'recovery' && !killed.inRecovery);
      if (missed && spare-- > 0) left.push(kind);
    }
    slowest = Math.max(slowest, await life.end());
    await rm(data, { recursive: true });
  }
  t.diagnostic(`${JSON.stringify(counts)}, slowest start ${Math.round(slowest)} ms`);
  // Resources were changed between kills.
  assert.ok(counts.changes > 3 * counts.kills, JSON.stringify(counts));
  assert.ok(counts.inRecovery >= kills.recovery, JSON.stringify(counts));
  assert.ok(counts.besideCommits >= kills.checkpoint, JSON.stringify(counts));
});

/** A data folder through starts and kills, and everything sent to it. */
class Life {
  readonly #bundle: string;
  readonly #data: string;
  readonly #random: () => number;
  /** Sent requests by dataset, and the number of stored events by round and dataset. */
  readonly #stored = new Map<string, number>();
  readonly #requests = new Map<string, Requests>();
  readonly #resources: KilledResources;
  #round = 0;
  #slowest = 0;

  constructor(bundle: string, data: string, random: () => number) {
    this.#bundle = bundle;
    this.#data = data;
    this.#random = random;
    this.#resources = new KilledResources(random);
  }

  /** Starts the writers and kills the process at any time or during a checkpoint. */
  async killWriting(kind: 'any' | 'checkpoint') {
    const address = await this.#start();
    const random = this.#random;
    this.#round += 1;
    this.#requests.clear();
    for (const dataset of datasets) this.#requests.set(dataset, new Map());
    let done = false;
    const writing = writers.map((traffic) =>
      write(address, this.#round, traffic, this.#requests.get(traffic.dataset)!, random),
    );
    const changing = this.#resources.write(address);
    // Readers keep old row versions alive, so that others can commit during a checkpoint.
    const reading = (async () => {
      while (!done) await rows(address, "['small'] | summarize count()").catch(() => undefined);
    })();
    await (kind === 'any' ? sleep(50 + random() * 700) : this.#untilCheckpoint());
    await victim!.kill();
    done = true;
    await Promise.all([...writing, reading]);
    return { ...(await leftBehind(this.#data)), inRecovery: false, changes: await changing };
  }

  /** Starts the process and kills it while it opens the database. */
  async killInRecovery() {
    // Recovery is only needed after a kill.
    if (this.#round === 0) await this.killWriting('any');
    victim = new Victim(this.#bundle, this.#data);
    while (!victim.hasOpened() && !victim.isReady) await sleep(1);
    await sleep(this.#random() * 60);
    const inRecovery = !victim.isReady;
    await victim.kill();
    return { inCheckpoint: false, besideCommits: false, inRecovery, changes: 0 };
  }

  /**
   * Checks everything again and ends. Returns the duration of the slowest start in milliseconds.
   */
  async end(): Promise<number> {
    await this.#start();
    await victim!.end();
    await this.#start();
    await victim!.end();
    return this.#slowest;
  }

  async #untilCheckpoint(): Promise<void> {
    const second = join(this.#data, `data.duckdb${SECOND_LOG}`);
    const end = performance.now() + 10_000;
    while (!existsSync(second) && performance.now() < end) await sleep(1);
    await sleep(this.#random() * 20);
  }

  async #start() {
    const began = performance.now();
    victim = new Victim(this.#bundle, this.#data);
    const address = await victim.ready;
    this.#slowest = Math.max(this.#slowest, performance.now() - began);
    if (this.#round === 0) {
      for (const name of datasets) {
        await send(address, 'POST', '/v2/datasets', JSON.stringify({ name }));
        // Makes the fields known to queries even if no event of the first round is stored.
        const event = '{"round":0,"request":0,"number":0,"text":""}';
        const sent = await send(address, 'POST', `/v1/ingest/${name}`, event);
        assert.equal(sent.status, 200);
      }
      return address;
    }
    for (const dataset of datasets) await this.#check(address, dataset);
    await this.#resources.check(address);
    return address;
  }

  async #check(address: { url: string; token: string }, dataset: string): Promise<void> {
    const all = `['${dataset}'] | summarize events = count() by round`;
    const byRound = new Map((await rows(address, all)).map(([round, n]) => [round!, n!]));
    for (let round = 1; round < this.#round; round += 1) {
      assert.equal(byRound.get(round) ?? 0, this.#stored.get(`${round} ${dataset}`) ?? 0);
    }
    const found = new Map(
      (
        await rows(
          address,
          // There may be more requests than the default row limit.
          `['${dataset}'] | where round == ${this.#round} | summarize events = count(), distinct = dcount(number) by request | limit ${ROWS_MAX}`,
        )
      ).map(([request, events, distinct]) => [request!, { events, distinct }]),
    );
    for (const [request, { events, acknowledged }] of this.#requests.get(dataset)!) {
      const there = found.get(request);
      found.delete(request);
      if (there === undefined) assert.ok(!acknowledged, `${dataset}: request ${request} is lost`);
      // A request is stored completely once, or not at all.
      else assert.deepEqual(there, { events, distinct: events }, `${dataset}: request ${request}`);
    }
    assert.equal(found.size, 0);
    this.#stored.set(`${this.#round} ${dataset}`, byRound.get(this.#round) ?? 0);
  }
}
