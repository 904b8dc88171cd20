/** Handles `POST /_local/backup`, which isn't in the service's API. Responds with a tar archive. */
import type { Backups } from '../backup/backup.ts';
import { type HttpRequest, HttpResponse } from '../http.ts';

/** The database of ClickHouse that has the events, percent-encoded. Empty if the backup has them. */
export const CLICKHOUSE_HEADER = 'x-aplomb-clickhouse';

/** Returns a new backup. A disconnect cancels it. Throws an ApiError if another backup is in progress. */
export async function answerBackup(request: HttpRequest, backups: Backups): Promise<HttpResponse> {
  const { signal } = request;
  const backup = await backups.create(signal);
  // Delete the temporary file even if the body is never read.
  signal.addEventListener('abort', () => void backup.release(), { once: true });
  return new HttpResponse(ReadableStream.from(backup.chunks()) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'application/x-tar',
      'content-length': String(backup.bytes),
      [CLICKHOUSE_HEADER]: encodeURIComponent(backup.manifest.clickhouse ?? ''),
    },
  });
}
