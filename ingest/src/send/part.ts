// Defines a request: some or all events of a batch.
import type { Batch, BatchReader } from '../contract.ts';
import { complement, fullRange, indexesOf, type Ranges, sizeOf } from './ranges.ts';

export interface Part {
  /** The batch from the reader, with all its events. */
  readonly batch: Batch;
  /** The request's events, by index in the batch. */
  readonly ranges: Ranges;
  readonly request: Batch;
}

/**
 * Creates the part of a batch with these events. It is rewritten from the file unless it is the entire batch and
 * `rewrite` is false. Rejects with a read error.
 */
export async function partOf(
  reader: BatchReader,
  batch: Batch,
  ranges: Ranges,
  rewrite: boolean,
): Promise<Part> {
  if (!rewrite && sizeOf(ranges) === batch.events) {
    return { batch, ranges: fullRange(batch.events), request: batch };
  }
  const omitted = new Set(indexesOf(complement(batch.events, ranges)));
  const request = await reader.batchWithout(batch.start, batch.end, omitted);
  if (request.events !== sizeOf(ranges)) {
    throw new Error('The file changed while it was read.');
  }
  return { batch, ranges, request };
}
