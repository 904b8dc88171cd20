/** Counts ingested bytes and query costs per month (UTC). If the process is killed, the last second is lost. */
import type { Engine } from '../engines/duckdb/database/engine.ts';
import { monthOf } from './license.ts';

export class Usage {
  readonly #engine: Engine;
  #month: string;
  #bytes = 0;
  #gbms = 0;
  #lastSync = new Date();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(engine: Engine, month: string) {
    this.#engine = engine;
    this.#month = month;
  }

  static async open(engine: Engine): Promise<Usage> {
    const usage = new Usage(engine, currentMonth());
    await engine.use(async (session) => {
      await session.run(
        'CREATE TABLE IF NOT EXISTS aplomb.usage (month VARCHAR, ingest_bytes BIGINT)',
      );
      // Older versions did not count query costs.
      await session.run(
        'ALTER TABLE aplomb.usage ADD COLUMN IF NOT EXISTS query_gbms BIGINT DEFAULT 0',
      );
      const rows = await session.rows<[string, string]>(
        'SELECT ingest_bytes::VARCHAR, query_gbms::VARCHAR FROM aplomb.usage WHERE month = ?',
        [usage.#month],
      );
      usage.#bytes = Number(rows[0]?.[0] ?? 0);
      usage.#gbms = Number(rows[0]?.[1] ?? 0);
    });
    return usage;
  }

  get ingestBytes(): number {
    this.#startMonth();
    return this.#bytes;
  }

  /** In GB·ms. */
  get queryGbms(): number {
    this.#startMonth();
    return this.#gbms;
  }

  /** Time when the counts were last stored or, initially, when the process started. */
  get lastSync(): Date {
    return this.#lastSync;
  }

  countIngest(bytes: number): void {
    this.#startMonth();
    this.#bytes += bytes;
    this.#writeSoon();
  }

  countQuery(gbms: number): void {
    this.#startMonth();
    this.#gbms += gbms;
    this.#writeSoon();
  }

  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#write();
    await this.#writing;
  }

  #startMonth(): void {
    const month = currentMonth();
    if (month === this.#month) return;
    this.#month = month;
    this.#bytes = 0;
    this.#gbms = 0;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => this.#write(), WRITE_DELAY_MS).unref();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const row = [this.#month, this.#bytes, this.#gbms] as const;
    this.#writing = this.#writing.then(() => this.#store(...row)).catch(() => undefined);
  }

  async #store(month: string, bytes: number, gbms: number): Promise<void> {
    await this.#engine.transaction(async (session) => {
      await session.run('DELETE FROM aplomb.usage WHERE month = ?', [month]);
      await session.run('INSERT INTO aplomb.usage VALUES (?, ?, ?)', [month, bytes, gbms]);
    });
    this.#lastSync = new Date();
  }
}

function currentMonth(): string {
  return monthOf(new Date()).billingPeriodStart;
}

const WRITE_DELAY_MS = 1_000;
