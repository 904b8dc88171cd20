/**
 * A backup as the answer to `POST /_local/backup`, a path of the process's own: a tar archive, once the database is
 * copied. `GET /_local/backup` reports the progress.
 */
import type { Backups } from '../backup/backup.ts';
import { type HttpRequest, HttpResponse } from '../http.ts';

/** Throws an ApiError. A client that leaves ends the backup. */
export async function answerBackup(request: HttpRequest, backups: Backups): Promise<HttpResponse> {
  const { signal } = request;
  const backup = await backups.create(signal);
  // The answer may never be read.
  signal.addEventListener('abort', () => void backup.release(), { once: true });
  return new HttpResponse(ReadableStream.from(backup.chunks()) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': 'application/x-tar', 'content-length': String(backup.bytes) },
  });
}
