/** Opens the engine that stores and reads events. Only this file and `plan.ts` know both engines. */
import type { Log } from '../store/storedJson.ts';
import type { AnswerEngine } from './answers.ts';
import { ClickHouseAnswers } from './clickhouse/answers.ts';
import { ClickHouseEvents } from './clickhouse/events.ts';
import { readDatasetsFile } from './clickhouse/sources/datasetsFile.ts';
import { type LayoutOf, STATUS_MS, StatusReader } from './clickhouse/status.ts';
import { loadTranslator } from './clickhouse/translator.ts';
import type { ClickHouseOptions } from './clickhouseOptions.ts';
import { DuckDBAnswers } from './duckdb/answers.ts';
import { BlockFilters } from './duckdb/blockFilters.ts';
import { BlockReader } from './duckdb/blocks.ts';
import type { Engine } from './duckdb/database/engine.ts';
import { DuckDBEvents } from './duckdb/events.ts';
import { TimeBoundsReader } from './duckdb/timeBounds.ts';
import type { DeclaredDatasets, EventStore } from './events.ts';
import { RowCountReader } from './rowCounts.ts';
import { UntilWrite } from './untilWrite.ts';

export { discover } from './clickhouse/sources/discover.ts';

export interface EventEngine {
  readonly events: EventStore;
  readonly answers: AnswerEngine;
  readonly timeBounds: Pick<TimeBoundsReader, 'read'>;
  readonly blocks: Pick<BlockReader, 'read'>;
  /** Absent if the engine narrows look-ups itself. */
  readonly blockFilters?: Pick<BlockFilters, 'narrowed'>;
  readonly rowCounts: Pick<RowCountReader, 'read'>;
  /** Reads the file in the data folder that declares datasets with a source, if it exists. */
  readonly readDeclared?: (folder: string) => Promise<DeclaredDatasets | undefined>;
}

export function openDuckDB(engine: Engine): EventEngine {
  const timeBounds = new TimeBoundsReader(engine);
  const blocks = new BlockReader(engine);
  return {
    events: new DuckDBEvents(engine, timeBounds, blocks),
    answers: new DuckDBAnswers(engine),
    ...{ timeBounds, blocks },
    blockFilters: new BlockFilters(engine),
    rowCounts: new RowCountReader(new UntilWrite(engine), (sql, signal) =>
      engine.use((session) => session.rows(sql), signal),
    ),
  };
}

export async function openClickHouse(
  options: ClickHouseOptions,
  engine: Engine,
  spool: string,
  layoutOf: LayoutOf,
  log: Log,
): Promise<EventEngine> {
  const translator = await loadTranslator();
  const events = await ClickHouseEvents.open(options, engine, spool, log, translator);
  const answers = new ClickHouseAnswers(events, layoutOf, translator, spool);
  const { timeBounds, blocks } = new StatusReader(events, layoutOf, engine);
  return {
    ...{ events, answers },
    ...{ timeBounds, blocks },
    readDeclared: (folder) => readDatasetsFile(options, folder),
    rowCounts: new RowCountReader(new UntilWrite(engine, STATUS_MS), (sql, signal) =>
      answers.rows(sql, signal),
    ),
  };
}
