/**
 * Gives libuv enough threads, because each running DuckDB statement occupies one. With the default of four, a few long
 * queries would block ingest and file access. `main.ts` imports this file first, because the size must be set before
 * the pool is used.
 */

/** Number of threads, which suffices for all queries, ingest, files and compression. */
export const POOL_THREADS = 48;

process.env['UV_THREADPOOL_SIZE'] ??= String(POOL_THREADS);
