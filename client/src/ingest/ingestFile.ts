// Sends a file to a dataset in as many requests as it takes, in order. It stops at the first request that
// is refused, since each stores all of its events or says which it did not, so what is stored is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ReadResponse } from '../../../api/src/index.ts';
import { INGEST_EVENTS_MAX, REQUEST_HEADERS } from '../../../api/src/plain.ts';
import { allTimes, fetchExtent } from '../api/extent.ts';
import type { Failure, Outcome } from '../api/failure.ts';
import type { Service } from '../api/service.ts';
import { type IngestOutcome, ReasonCount } from './outcome.ts';
import { FileProblem, type IngestFormat, type PieceLimits } from './piece.ts';
import { type FileSource, type ReadPiece, readPieces } from './readPieces.ts';

/** How large a request may be: the service's number of events, and few enough bytes for any proxy. */
export const requestLimits: PieceLimits = {
  events: INGEST_EVENTS_MAX,
  bytes: 4 * 1024 * 1024,
  eventBytes: 16 * 1024 * 1024,
};

export interface IngestJob {
  readonly service: Service;
  readonly dataset: string;
  readonly file: FileSource;
  readonly limits?: PieceLimits;
  /** Whether bodies are packed on the way; for a deployment on this machine it only costs time. */
  readonly pack: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IngestProgress) => void;
}

export interface IngestProgress {
  readonly events: number;
  /** Bytes of the file, as stored, whose events have been sent, and all of them. */
  readonly sent: number;
  readonly total: number;
}

const contentTypes: Readonly<Record<IngestFormat, string>> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
};

const REQUEST_TIMEOUT_MS = 120_000;
/** How long and how often a service that asks to wait is waited for. */
const LONGEST_WAIT_SECONDS = 60;
const WAITS_MAX = 5;

const gzipped = promisify(gzip);

/**
 * Ingests a file. Never throws: what goes wrong is in the outcome. A dataset that was created for the file
 * and got none of its events is deleted again.
 */
export async function ingestFile(job: IngestJob): Promise<IngestOutcome> {
  const tally = new Tally(job);
  const outcome = await sendFile(job, tally);
  if (tally.createdDataset && outcome.ingested === 0) await deleteIfEmpty(job);
  return outcome;
}

async function sendFile(job: IngestJob, tally: Tally): Promise<IngestOutcome> {
  try {
    for await (const piece of readPieces(job.file, job.limits ?? requestLimits)) {
      if (job.signal.aborted) return tally.cancelled(piece.firstLine);
      const answer = await sendPiece(job, piece, tally);
      if (!answer.ok) {
        return answer.failure.kind === 'cancelled'
          ? tally.cancelled(piece.firstLine, piece.lastLine)
          : tally.refused(answer.failure, piece);
      }
      tally.add(answer.value, piece);
      job.onProgress({ events: tally.events, sent: piece.read, total: job.file.size });
    }
    return tally.whole();
  } catch (error) {
    return tally.unreadable(error);
  }
}

/** Sends a piece. A dataset that does not exist is created, and the piece sent again. */
async function sendPiece(
  job: IngestJob,
  piece: ReadPiece,
  tally: Tally,
): Promise<Outcome<ReadResponse<'ingest'>>> {
  const answer = await sendOnce(job, piece);
  if (answer.ok || answer.failure.status !== 404) return answer;
  const { service, dataset, signal } = job;
  const made = await service.call('createDataset', { body: { name: dataset }, signal });
  // Why it cannot be created says more than that it does not exist.
  if (!made.ok) return made;
  tally.createdDataset = true;
  return sendOnce(job, piece);
}

/** Others may have sent events meanwhile, and a broken connection leaves open what is stored. */
async function deleteIfEmpty({ service, dataset }: IngestJob): Promise<void> {
  const extent = await fetchExtent(service, [dataset], allTimes);
  if (!extent.ok || extent.value !== undefined) return;
  await service.call('deleteDataset', { params: { dataset_id: dataset } });
}

async function sendOnce(
  { service, dataset, pack, signal }: IngestJob,
  piece: ReadPiece,
): Promise<Outcome<ReadResponse<'ingest'>>> {
  const { format, delimiter } = piece.format;
  const body = pack ? await gzipped(piece.body) : piece.body;
  for (let waits = 0; ; waits += 1) {
    const answer = await service.call('ingest', {
      params: { dataset_name: dataset },
      query: delimiter === ',' ? {} : { 'csv-delimiter': delimiter },
      headers: pack ? { [REQUEST_HEADERS.contentEncoding]: 'gzip' } : {},
      contentType: contentTypes[format],
      body,
      signal,
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    if (answer.ok) return { ok: true, value: answer.value.typed };
    const wait = waitFor(answer.failure);
    if (wait === undefined || waits >= WAITS_MAX) return answer;
    await sleep(wait * 1_000, undefined, { signal }).catch(() => undefined);
  }
}

/** Seconds to wait where the service has not taken the request and says when it will. */
function waitFor({ status, retryAfterSeconds }: Failure): number | undefined {
  const later = status === 429 && retryAfterSeconds !== undefined;
  return later && retryAfterSeconds <= LONGEST_WAIT_SECONDS ? retryAfterSeconds : undefined;
}

/** Adds up what the requests of a file came to. */
class Tally {
  readonly #job: IngestJob;
  readonly #reasons = new ReasonCount();
  readonly #notices = new Set<string>();
  createdDataset = false;
  #ingested = 0;
  #failed = 0;
  #requests = 0;
  /** Events of the requests that were answered. */
  #sent = 0;

  constructor(job: IngestJob) {
    this.#job = job;
  }

  get events(): number {
    return this.#ingested + this.#failed;
  }

  add(answer: ReadResponse<'ingest'>, piece: ReadPiece): void {
    this.#ingested += answer.ingested;
    this.#failed += answer.failed;
    this.#requests += 1;
    for (const { error, timestamp } of answer.failures ?? []) {
      this.#reasons.add(error ?? 'no reason reported', timestamp ?? undefined, this.#sent);
    }
    this.#sent += piece.events;
    for (const { msg, code } of answer.messages ?? []) this.#notices.add(msg ?? code ?? '');
    const missing = piece.events - answer.ingested - answer.failed;
    if (missing > 0) {
      this.#notices.add(
        `The service did not report on ${missing} of the events of lines ${piece.firstLine} to ${piece.lastLine}.`,
      );
    }
  }

  whole(): IngestOutcome {
    return this.#outcome({ cancelled: false });
  }

  /** With `lastSentLine` where a request was under way, which the service may store all the same. */
  cancelled(stoppedAtLine: number, lastSentLine?: number): IngestOutcome {
    return this.#outcome({
      cancelled: true,
      stoppedAtLine,
      ...(lastSentLine !== undefined && { lastSentLine }),
    });
  }

  refused(failure: Failure, piece: ReadPiece): IngestOutcome {
    // A broken connection leaves open whether the service stored what it was sent.
    const doubt =
      failure.kind === 'unreachable' || failure.kind === 'timeout' || failure.kind === 'unreadable'
        ? ` Lines ${piece.firstLine} to ${piece.lastLine} may or may not be stored.`
        : '';
    return this.#outcome({
      cancelled: false,
      problem: `${inFileLines(failure.message, piece)}${doubt}`,
      failure,
      stoppedAtLine: piece.firstLine,
    });
  }

  unreadable(error: unknown): IngestOutcome {
    const message = error instanceof Error ? error.message : String(error);
    const problem = error instanceof FileProblem ? message : `Cannot read the file: ${message}`;
    return this.#outcome({ cancelled: false, problem });
  }

  #outcome(
    end: Pick<
      IngestOutcome,
      'cancelled' | 'problem' | 'failure' | 'stoppedAtLine' | 'lastSentLine'
    >,
  ): IngestOutcome {
    return {
      file: this.#job.file.name,
      dataset: this.#job.dataset,
      ingested: this.#ingested,
      failed: this.#failed,
      failures: this.#reasons.list(),
      notices: [...this.#notices].filter((notice) => notice !== ''),
      requests: this.#requests,
      ...end,
    };
  }
}

/** A message that names a line of the request, with the line of the file that it is. */
export function inFileLines(message: string, piece: ReadPiece): string {
  if (piece.firstLine === 1 || piece.format.format === 'json') return message;
  // Every request of a CSV file starts with the header line.
  const before = piece.format.format === 'csv' ? 1 : 0;
  if (piece.firstLine === 1 + before) return message;
  return message.replace(/\bline (\d{1,9})\b/i, (text, line) => {
    const inFile = piece.firstLine + Number(line) - 1 - before;
    return `${text} of the request, line ${inFile.toLocaleString('en-US')} of the file`;
  });
}
