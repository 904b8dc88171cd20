/**
 * Ingest of the whole file into a store of its own, by each side in turn and more than once. The round whose
 * ratio is in the middle counts.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Measure, measure, middle, timed } from '../measure.ts';
import { tableOf } from './answers.ts';
import { Deployment } from './deployment.ts';
import { rangeOf } from './events.ts';
import { Peer } from './peer.ts';

const rounds = 7;

export interface IngestSetting {
  /** The folder of our data. */
  readonly data: string;
  /** Where the peer's folder is made. */
  readonly folder: string;
  readonly file: string;
  readonly events: number;
  readonly progress: (text: string) => void;
}

/** Gives the measure, and what the last round filled: the caller ends both. */
export async function ingestMeasure(
  setting: IngestSetting,
): Promise<{ ours: Deployment; theirs: Peer; ingest: Measure }> {
  let last = await bothRounds(setting, 1);
  const done = [last];
  for (let round = 2; round <= rounds; round++) {
    last.theirs.close();
    await last.ours.end();
    last = await bothRounds(setting, round);
    done.push(last);
  }
  const name = `ingest of ${setting.events.toLocaleString('en-US')} events`;
  const ingest = middle(
    done.map(({ ourTime, theirTime }) => measure('local', name, 'ms', ourTime, theirTime, 1.25)),
  );
  return { ours: last.ours, theirs: last.theirs, ingest };
}

async function bothRounds(setting: IngestSetting, round: number) {
  setting.progress(`round ${round} of ${rounds}: DuckDB reads the file`);
  const { theirs, took: theirTime } = await peerRound(setting);
  setting.progress(`round ${round} of ${rounds}: the local deployment ingests the file`);
  const { ours, took: ourTime } = await ourRound(setting);
  setting.progress(`${Math.round(ourTime)} ms against ${Math.round(theirTime)} ms`);
  return { theirs, theirTime, ours, ourTime };
}

async function peerRound({ folder, file }: IngestSetting) {
  const theirs = await Peer.open(join(folder, 'theirs'));
  const took = await timed(() => theirs.ingest(file));
  await theirs.checkpoint();
  return { theirs, took };
}

async function ourRound({ data, file, events }: IngestSetting) {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data);
  const ours = await Deployment.start(data);
  try {
    await ours.makeDataset();
    const took = await timed(() => ours.ingest(file));
    const { first: stored } = tableOf(await ours.query("['events'] | count", rangeOf(0, events)));
    if (stored !== events) throw new Error(`${stored} events are stored, not ${events}`);
    await ours.settled();
    return { ours, took };
  } catch (error) {
    await ours.end();
    throw error;
  }
}
