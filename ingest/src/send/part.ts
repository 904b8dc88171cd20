// Defines a request: some or all events of a batch.
import type { Batch, BatchReader } from '../contract.ts';
import { complement, placesOf, type Ranges, sizeOf, wholeRange } from './ranges.ts';

export interface Part {
  /** The batch from the reader, with all its events. */
  readonly whole: Batch;
  /** The request's events, by index in the batch. */
  readonly ranges: Ranges;
  readonly request: Batch;
}

/**
 * Creates the part of a batch with these events. It is rewritten from the file unless it is the entire batch. Rejects
 * with a read error.
 */
export async function partOf(
  reader: BatchReader,
  whole: Batch,
  ranges: Ranges,
  rewrite: boolean,
): Promise<Part> {
  if (!rewrite && sizeOf(ranges) === whole.events) {
    return { whole, ranges: wholeRange(whole.events), request: whole };
  }
  const omitted = new Set(placesOf(complement(whole.events, ranges)));
  const request = await reader.batchWithout(whole.start, whole.end, omitted);
  if (request.events !== sizeOf(ranges)) {
    throw new Error('The file changed while it was read.');
  }
  return { whole, ranges, request };
}
