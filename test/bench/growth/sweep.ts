/** Measures a deployment at each size of a sweep: ingest, bytes on disk, a start, questions and memory. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sizeOf } from '../engines/storage.ts';
import { Deployment } from '../local/deployment.ts';
import { memoryOf } from '../local/processes.ts';
import { median, type Sizes, timed } from '../measure.ts';
import { constant, type Grown, type GrowthRow, type Work } from './steps.ts';

const ROUNDS = 5;
const STARTS = 3;
const MIB = 2 ** 20;

export interface Filling {
  readonly ours: Deployment;
  readonly size: number;
  /** A folder for files to ingest. */
  readonly folder: string;
}

/** A request whose time is measured, or its answer's size if the unit is KB. */
export interface Ask extends GrowthRow {
  /** Milliseconds after the first round for work that it starts. */
  readonly settleMs?: number;
  readonly ask: (ours: Deployment, size: number) => Promise<Buffer | undefined>;
}

export interface Sweep {
  readonly name: keyof Sizes;
  readonly sizes: readonly number[];
  readonly events: (size: number) => number;
  readonly work: Readonly<Record<'disk' | 'memory' | 'start' | 'firstAnswer', Work>>;
  /** Prepares the folder of data before the first start. */
  readonly prepare?: (data: string) => void;
  /** Makes the datasets and ingests the events. Returns the milliseconds of the ingest. */
  readonly fill: (filling: Filling) => Promise<number>;
  /** The first one is the first answer after a start. */
  readonly asks: readonly Ask[];
}

export const allRows = (sweep: Sweep): readonly GrowthRow[] => [
  ...Object.values(wholeRows(sweep)),
  ...sweep.asks,
];

function wholeRows({ work }: Sweep) {
  return {
    ingest: { name: 'ingest of a million events', unit: 's', work: constant },
    ingestPeak: { name: 'peak memory of ingest', unit: 'MiB', work: work.memory },
    disk: { name: 'bytes on disk', unit: 'MB', work: work.disk },
    start: { name: 'start', unit: 'ms', work: work.start },
    firstAnswer: { name: 'start to first answer', unit: 'ms', work: work.firstAnswer },
    answersPeak: { name: 'peak memory of answers', unit: 'MiB', work: work.memory },
  } as const satisfies Record<string, GrowthRow>;
}

/** Measures the rows in `wanted` at each size. Removes the data of each size. */
export async function grow(
  sweep: Sweep,
  sizes: readonly number[],
  wanted: ReadonlySet<string>,
  setting: { readonly folder: string; readonly progress: (text: string) => void },
): Promise<Grown[]> {
  const bySize: Record<string, number>[] = [];
  for (const size of sizes) {
    const label = `${size.toLocaleString('en-US')} ${sweep.name}`;
    const progress = (text: string) => setting.progress(`${label}: ${text}`);
    const folder = join(setting.folder, `${sweep.name}-${size}`);
    rmSync(folder, { recursive: true, force: true });
    try {
      bySize.push(await figuresAt(sweep, size, wanted, { folder, progress }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return allRows(sweep)
    .filter(({ name }) => wanted.has(name))
    .map((row) => ({ row, figures: bySize.map((figures) => figures[row.name]!) }));
}

async function figuresAt(
  sweep: Sweep,
  size: number,
  wanted: ReadonlySet<string>,
  { folder, progress }: { readonly folder: string; readonly progress: (text: string) => void },
): Promise<Record<string, number>> {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  sweep.prepare?.(data);
  const rows = wholeRows(sweep);
  const figures: Record<string, number> = {};
  const peak = ({ pid }: Deployment) => (memoryOf(pid, 'VmHWM') ?? Number.NaN) / MIB;

  progress('ingest');
  const filled = await Deployment.start(data);
  try {
    const took = await sweep.fill({ ours: filled, size, folder });
    figures[rows.ingest.name] = (took * 1_000) / sweep.events(size);
    await filled.settled();
    figures[rows.ingestPeak.name] = peak(filled);
  } finally {
    await filled.end();
  }
  figures[rows.disk.name] = sizeOf(data) / 1e6;

  const starts: Start[] = [];
  for (let round = 1; round < STARTS; round += 1) {
    const start = await startedAt(data, sweep, size);
    starts.push(start);
    await start.ours.end();
  }
  const last = await startedAt(data, sweep, size);
  starts.push(last);
  figures[rows.start.name] = median(starts.map(({ ready }) => ready));
  figures[rows.firstAnswer.name] = median(starts.map(({ answered }) => answered));
  try {
    for (const each of sweep.asks.filter(({ name }) => wanted.has(name))) {
      progress(each.name);
      figures[each.name] = await figureOf(each, last.ours, size);
    }
    figures[rows.answersPeak.name] = peak(last.ours);
  } finally {
    await last.ours.end();
  }
  return figures;
}

/** A process, with the milliseconds from its start until it listened and until its first answer. */
interface Start {
  readonly ours: Deployment;
  readonly ready: number;
  readonly answered: number;
}

async function startedAt(data: string, { asks }: Sweep, size: number): Promise<Start> {
  const from = performance.now();
  const ours = await Deployment.start(data);
  const ready = performance.now() - from;
  await asks[0]?.ask(ours, size);
  return { ours, ready, answered: performance.now() - from };
}

async function figureOf(
  { ask, unit, settleMs = 0 }: Ask,
  ours: Deployment,
  size: number,
): Promise<number> {
  const warm = await ask(ours, size);
  if (unit === 'KB') return (warm?.length ?? Number.NaN) / 1_000;
  await pause(settleMs);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(() => ask(ours, size)));
  return median(times);
}
