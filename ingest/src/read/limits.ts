// Limits request sizes and the part of a file held in memory.
import { INGEST_EVENTS_MAX } from '../../../api/src/plain.ts';
import type { BatchLimits } from '../contract.ts';

/** The service's maximum number of events, and few enough bytes for any proxy. */
export const batchLimits: BatchLimits = {
  events: INGEST_EVENTS_MAX,
  bytes: 4 * 1024 * 1024,
  eventBytes: 16 * 1024 * 1024,
};

/** Number of bytes read to recognize a file. */
export const HEAD_BYTES = 1024 * 1024;

/** Number of bytes kept of a broken event. */
export const BROKEN_TEXT_BYTES = 64 * 1024;

/** Maximum broken events per batch. More of them end the batch, so memory stays bounded. */
export const BROKEN_MAX = 1_000;
export const BROKEN_BYTES_MAX = 1024 * 1024;
