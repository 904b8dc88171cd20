/**
 * Gives libuv enough threads. Each running DuckDB statement occupies one, so with the default of four, a few long
 * queries would block ingest and file access. The setting must precede the first use of the pool, so `main.ts`
 * imports this file first.
 */

/** Maximum number of concurrent statements, short and long, plus some for ingest, files and compression. */
export const POOL_THREADS = 48;

process.env['UV_THREADPOOL_SIZE'] ??= String(POOL_THREADS);
