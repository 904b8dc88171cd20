// Starts runs over strings against a server, with waits short enough for tests.

import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceSink } from '../../../client/src/ingest/serviceSink.ts';
import type { Service } from '../../../client/src/service/service.ts';
import type { FileSource, RunReport, Sink } from '../../../ingest/src/contract.ts';
import type { RetryLimits } from '../../../ingest/src/send/backoff.ts';
import type { NewRun } from '../../../ingest/src/send/startRun.ts';
import type { ReadSettings } from '../../../ingest/src/settings.ts';
import { lineReader } from './lineReader.ts';

export const quick: Partial<RetryLimits> = {
  initialDelayMs: 2,
  maxDelayMs: 10,
  cancelGraceMs: 200,
};

export const ndjson: ReadSettings = {
  format: 'ndjson',
  compression: 'none',
  encoding: 'utf-8',
  labels: {},
  broken: 'skip',
};

/** Returns NDJSON lines with ids from 0. */
export function lines(count: number, more: (id: number) => string = () => ''): string {
  return Array.from({ length: count }, (_, id) => `{"id":${id}${more(id)}}\n`).join('');
}

/** A folder for one test, with files in it. */
export class Place {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Place> {
    return new Place(await mkdtemp(join(tmpdir(), 'aplomb-ingest-')));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async file(name: string, text: string): Promise<FileSource> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return fileSource(name, path);
  }
}

export async function fileSource(name: string, path: string): Promise<FileSource> {
  const { size, mtimeMs } = await stat(path);
  return {
    name,
    path,
    size,
    modified: mtimeMs,
    open: (from = 0) => createReadStream(path, { start: from }),
  };
}

export function sinkTo(service: Service): Sink {
  return serviceSink({ dataset: 'data', service: async () => ({ ok: true, value: service }) });
}

/** Returns a job that sends `text`, stored as a file in the place, in batches of `batchEvents`. */
export async function jobFor(
  place: Place,
  text: string,
  sink: Sink,
  batchEvents = 10,
): Promise<NewRun> {
  return {
    file: await place.file('events.ndjson', text),
    openReader: () => lineReader(text, batchEvents),
    sink,
    retryLimits: quick,
    dataset: 'data',
    deployment: 'Test',
    settings: ndjson,
    encoding: 'identity',
    runsFolder: join(place.folder, 'runs'),
    failedFolder: place.folder,
  };
}

export function assertAddsUp(report: RunReport): void {
  const doubt = report.doubt.reduce((sum, { events }) => sum + events, 0);
  assert.equal(report.read, report.stored + report.failed + doubt + report.unsent);
  const reasons = report.reasons.reduce((sum, { count }) => sum + count, 0);
  assert.equal(reasons, report.failed + report.skipped);
}
