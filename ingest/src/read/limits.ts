// How large a request may be, and how much of a file is held in memory.
import { INGEST_EVENTS_MAX } from '../../../api/src/plain.ts';
import type { BatchLimits } from '../contract.ts';

/** The service's number of events, and few enough bytes for any proxy. */
export const batchLimits: BatchLimits = {
  events: INGEST_EVENTS_MAX,
  bytes: 4 * 1024 * 1024,
  eventBytes: 16 * 1024 * 1024,
};

/** Bytes of a file that are looked at to recognize it. */
export const HEAD_BYTES = 1024 * 1024;

/** Of a broken event, bytes that are kept. */
export const BROKEN_TEXT_BYTES = 64 * 1024;

/** Broken events of one batch; the batch ends when there are more, so that memory stays bounded. */
export const BROKEN_MAX = 1_000;
export const BROKEN_BYTES_MAX = 1024 * 1024;
