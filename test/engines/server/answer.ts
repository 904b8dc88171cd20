/** Writes an answer: headers, compressed rows as fast as the client takes them, and errors before and among the rows. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';
import type { Progress, Written } from './engine.ts';
import { type ServerError, statusOf } from './errors.ts';
import { formatOf } from './formats.ts';
import type { Encoding } from './request.ts';

const compressors: Readonly<Record<Encoding, () => Transform>> = {
  gzip: createGzip,
  deflate: createDeflate,
  br: createBrotliCompress,
  zstd: createZstdCompress,
};

/** Names and values of every answer of a server. */
export interface ServerFacts {
  readonly version: string;
  readonly timezone: string;
}

export class Answer {
  readonly #response: ServerResponse;
  readonly #facts: ServerFacts;
  readonly #started = performance.now();
  readonly #exceptionTag = randomBytes(8).toString('hex');
  #compressor: Transform | undefined;

  constructor(response: ServerResponse, facts: ServerFacts) {
    this.#response = response;
    this.#facts = facts;
  }

  /** Whether the client is gone before the end of the answer. */
  get isClosed(): boolean {
    return this.#response.destroyed;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  /** Sends status and headers. Numbers in the summary are those known now, as a server's are. */
  start(of: {
    readonly queryId: string;
    readonly format: string;
    readonly encoding?: Encoding;
    readonly read?: Progress;
    readonly written?: Written;
  }): void {
    this.#setHeaders(of.queryId);
    this.#response.setHeader('X-ClickHouse-Format', of.format);
    this.#response.setHeader('X-ClickHouse-Exception-Tag', this.#exceptionTag);
    this.#response.setHeader('Content-Type', formatOf(of.format).contentType);
    this.#response.setHeader('X-ClickHouse-Summary', this.#summary(of.read, of.written));
    if (of.encoding !== undefined) {
      this.#response.setHeader('Content-Encoding', of.encoding);
      this.#compressor = compressors[of.encoding]();
      this.#compressor.pipe(this.#response);
    }
    this.#response.writeHead(200);
  }

  /** Resolves when the client can take more, or is gone. */
  async write(bytes: Uint8Array): Promise<void> {
    const target = this.#compressor ?? this.#response;
    if (bytes.length === 0 || this.isClosed || target.write(bytes)) return;
    const gone = new AbortController();
    const stop = () => gone.abort();
    this.#response.once('close', stop);
    try {
      await once(target, 'drain', { signal: gone.signal });
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    } finally {
      this.#response.off('close', stop);
    }
  }

  end(): void {
    (this.#compressor ?? this.#response).end();
  }

  /** Sends an error: as the answer, or after the rows and without the end of the body. */
  async fail(error: ServerError, queryId: string): Promise<void> {
    const message = `${error.message} (version ${this.#facts.version} (official build))\n`;
    if (!this.#response.headersSent) {
      this.#setHeaders(queryId);
      this.#response.setHeader('X-ClickHouse-Exception-Code', error.code);
      this.#response.setHeader('Content-Type', 'text/plain; charset=UTF-8');
      this.#response.setHeader('X-ClickHouse-Summary', this.#summary());
      this.#response.writeHead(statusOf(error)).end(message);
      return;
    }
    const length = Buffer.byteLength(message);
    const tag = this.#exceptionTag;
    await this.write(
      Buffer.from(`\r\n__exception__\r\n${tag}\r\n${message}${length} ${tag}\r\n__exception__\r\n`),
    );
    if (this.#compressor !== undefined) {
      this.#compressor.unpipe(this.#response);
      this.#compressor.end();
      for await (const chunk of this.#compressor) this.#response.write(chunk);
    }
    this.#response.socket?.destroySoon();
  }

  #setHeaders(queryId: string): void {
    this.#response.setHeader('X-ClickHouse-Query-Id', queryId);
    this.#response.setHeader('X-ClickHouse-Server-Display-Name', 'chdb');
    this.#response.setHeader('X-ClickHouse-Timezone', this.#facts.timezone);
  }

  #summary(read?: Progress, written?: Written): string {
    const rows = written?.rowsWritten ?? read?.readRows ?? 0;
    const bytes = written?.bytesWritten ?? read?.readBytes ?? 0;
    const summary = {
      read_rows: rows,
      read_bytes: bytes,
      written_rows: written?.rowsWritten ?? 0,
      written_bytes: written?.bytesWritten ?? 0,
      total_rows_to_read: read?.totalRows ?? 0,
      result_rows: written?.rowsWritten ?? 0,
      result_bytes: written?.bytesWritten ?? 0,
      elapsed_ns: this.elapsedNs(),
      memory_usage: read?.memoryBytes ?? 0,
    };
    return JSON.stringify(summary, (_, value) =>
      typeof value === 'number' ? String(value) : value,
    );
  }

  elapsedNs(): number {
    return Math.round((performance.now() - this.#started) * 1e6);
  }
}
