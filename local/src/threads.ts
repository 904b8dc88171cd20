/**
 * Gives libuv enough threads. Each running DuckDB statement holds one, so with the usual four a few
 * long queries would stop ingest and file access. It counts only if set before the first use of the
 * pool, so `main.ts` imports this file before any other.
 */

/** Statements that may run at once, short and long, plus some for ingest, files and compression. */
export const POOL_THREADS = 48;

process.env['UV_THREADPOOL_SIZE'] ??= String(POOL_THREADS);
