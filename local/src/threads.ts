/**
 * Gives libuv enough threads. Each running DuckDB statement occupies a thread. With the default of four, a few long
 * queries would block ingest and file access. The size must be set before the pool is first used, so `main.ts` imports
 * this file first.
 */

/** Number of threads: enough for all short and long queries, and for ingest, files and compression. */
export const POOL_THREADS = 48;

process.env['UV_THREADPOOL_SIZE'] ??= String(POOL_THREADS);
