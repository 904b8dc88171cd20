/**
 * Ingest that is on disk at its end, of a file whose shape the deployment does not know, against ClickHouse reading the
 * same file into typed columns and into its JSON type; the bytes that each has on disk; and processes that open what was
 * ingested: the time to the first answer, and memory.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from '../local/deployment.ts';
import { rangeOf } from '../local/events.ts';
import { memoryOf } from '../local/processes.ts';
import { type Measure, measure, median, middle } from '../measure.ts';
import { ClickHouse } from './clickhouse.ts';
import { fillOurs, fillTheirs, pathsOf, withEngines, writeFileOf } from './datasets.ts';
import { innerRange, logsOf } from './logs.ts';
import type { Part } from './parts.ts';
import { questions } from './questions.ts';
import { bounded, ROUNDS } from './rounds.ts';
import { answerRows } from './rows.ts';
import { jsonLogs, typedLogs } from './tables.ts';

/** A round takes minutes. */
const INGEST_ROUNDS = 3;
const MIB = 2 ** 20;

const ingestRows = {
  typed: "ingest: ClickHouse's typed columns",
  json: "ingest: ClickHouse's JSON type",
  typedBytes: "bytes on disk: ClickHouse's typed columns",
  jsonBytes: "bytes on disk: ClickHouse's JSON type",
  memory: 'peak memory of ingest: typed columns',
} as const;

/** What is known after an ingest: milliseconds, bytes on disk and the process's peak memory in bytes. */
interface Ingested {
  readonly took: number;
  readonly bytes: number;
  readonly peak: number;
}

export const ingestPart: Part = {
  name: 'ingest',
  rows: Object.values(ingestRows),
  async run({ events, wanted, ...setting }) {
    const dataset = logsOf(events);
    const paths = pathsOf(dataset, setting);
    await writeFileOf(dataset, setting);
    rmSync(paths.data, { recursive: true, force: true });
    mkdirSync(paths.data, { recursive: true });
    const rounds: Measure[][] = [];
    for (let round = 1; round <= INGEST_ROUNDS; round += 1) {
      const step = (text: string) =>
        setting.progress(`round ${round} of ${INGEST_ROUNDS}: ${text}`);
      step('the local deployment');
      const ours = await ourIngest(paths, events);
      step(`${Math.round(ours.took)} ms; ClickHouse's typed columns`);
      const typed = await fillTheirs(typedLogs, paths.theirs, paths.file, ingested);
      step(`${Math.round(typed.took)} ms; ClickHouse's JSON type`);
      const json = await fillTheirs(jsonLogs, join(paths.data, 'json'), paths.file, ingested);
      step(`${Math.round(json.took)} ms`);
      rounds.push([
        measure('engines', ingestRows.typed, 'ms', ours.took, typed.took, 1.5),
        measure('engines', ingestRows.json, 'ms', ours.took, json.took, 0.6),
        measure('engines', ingestRows.typedBytes, 'MB', ours.bytes / 1e6, typed.bytes / 1e6, 0.8),
        measure('engines', ingestRows.jsonBytes, 'MB', ours.bytes / 1e6, json.bytes / 1e6),
        measure('engines', ingestRows.memory, 'MiB', ours.peak / MIB, typed.peak / MIB),
      ]);
    }
    writeFileSync(paths.filled, '');
    const names = Object.values(ingestRows).filter(wanted);
    return names.map((name) =>
      middle(rounds.flatMap((round) => round.filter((row) => row.measure === name))),
    );
  },
};

function ourIngest(paths: ReturnType<typeof pathsOf>, events: number): Promise<Ingested> {
  return fillOurs(paths.ours, paths.file, async (ours, took) => {
    const [stored] = answerRows(await ours.query("['events'] | count", rangeOf(0, events)));
    if (stored?.['count'] !== events)
      throw new Error(`${stored?.['count']} events are stored, not ${events}`);
    return { took, bytes: sizeOf(paths.ours), peak: memoryOf(ours.pid, 'VmHWM') ?? Number.NaN };
  });
}

async function ingested(theirs: ClickHouse, took: number): Promise<Ingested> {
  const peak = memoryOf(theirs.pid, 'VmHWM') ?? Number.NaN;
  const [parts] = await theirs.rows(
    "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'events'",
  );
  return { took, bytes: Number(parts?.['bytes']), peak };
}

/** The bytes of all files in a folder. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const processRows = {
  firstAnswer: 'start to first answer',
  peak: 'peak memory while answering',
} as const;

/** What is known of a process that answered all questions. */
interface Life {
  readonly firstAnswer: number;
  readonly peak: number;
}

export const processesPart: Part = {
  name: 'processes',
  rows: Object.values(processRows),
  async run({ events, wanted, ...setting }) {
    const dataset = logsOf(events);
    const paths = pathsOf(dataset, setting);
    const range = innerRange(dataset);
    // Fills the folders unless they are.
    await withEngines(dataset, setting, async () => undefined);
    const ours: Life[] = [];
    const theirs: Life[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      setting.progress(`processes, round ${round} of ${ROUNDS}`);
      ours.push(
        await live(
          () => Deployment.start(paths.ours),
          (process, { apl }) => process.query(apl, range),
        ),
      );
      theirs.push(
        await live(
          () => ClickHouse.start(paths.theirs),
          (process, { sql }) => process.run(bounded(sql, range)),
        ),
      );
    }
    const compared = (key: keyof Life, unit: string, scale: number) => {
      const [mine, their] = [ours, theirs].map((lives) => median(lives.map((life) => life[key])));
      return measure('engines', processRows[key], unit, mine! / scale, their! / scale);
    };
    return [compared('firstAnswer', 'ms', 1), compared('peak', 'MiB', MIB)].filter((row) =>
      wanted(row.measure),
    );
  },
};

async function live<P extends { readonly pid: number; end(): Promise<void> }>(
  start: () => Promise<P>,
  ask: (process: P, question: (typeof questions)[number]) => Promise<unknown>,
): Promise<Life> {
  const from = performance.now();
  const process = await start();
  try {
    const [first, ...others] = questions;
    await ask(process, first!);
    const firstAnswer = performance.now() - from;
    for (const question of others) await ask(process, question);
    return { firstAnswer, peak: memoryOf(process.pid, 'VmHWM') ?? Number.NaN };
  } finally {
    await process.end();
  }
}
