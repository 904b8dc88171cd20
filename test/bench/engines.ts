/**
 * The local deployment over HTTP, with everything it does, against ClickHouse in process over the same events in typed
 * columns and in its JSON type, and against DuckDB with events in one JSON column. Each question has one answer: the
 * run ends if two engines differ.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { root } from '../house/sources.ts';
import { assertInstalled } from './engines/clickhouse.ts';
import { jsonBenchPart } from './engines/jsonBench.ts';
import { lookupsPart, questionsPart, sparsePart } from './engines/logs.ts';
import { onClickHousePart } from './engines/onClickHouse.ts';
import { type Part, selected } from './engines/parts.ts';
import { ingestPart, processesPart } from './engines/storage.ts';
import type { Bench, Measure } from './measure.ts';

const parts: readonly Part[] = [
  ingestPart,
  questionsPart,
  lookupsPart,
  processesPart,
  sparsePart,
  jsonBenchPart,
  onClickHousePart,
];

export const engines: Bench = {
  name: 'engines',
  summary:
    'the local deployment, against ClickHouse and DuckDB; --events of them, 5,000,000 unless said, and --json-events, 1,000,000; --only TEXT measures the parts or rows whose names contain it, --keep leaves the data for the next run',
  onlyByName: true,
  async run(progress, { events = 5_000_000, jsonEvents = 1_000_000, only, keep = false }) {
    assertInstalled();
    const wantedParts = selected(parts, only);
    await ensureBuilt();
    const folder = join(root, '.bench');
    mkdirSync(folder, { recursive: true });
    const found: Measure[] = [];
    try {
      for (const { part, rows } of wantedParts) {
        const wanted = (row: string) => rows.has(row);
        found.push(...(await part.run({ folder, progress, events, jsonEvents, wanted })));
      }
    } finally {
      if (!keep) rmSync(join(folder, 'engines'), { recursive: true, force: true });
    }
    return found;
  },
};
