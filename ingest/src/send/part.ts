// A request: some or all events of a batch.
import type { Batch, BatchReader } from '../contract.ts';
import { complement, placesOf, type Ranges, sizeOf, wholeRange } from './ranges.ts';

export interface Part {
  /** As it came from the reader, with all its events. */
  readonly whole: Batch;
  /** The events of the request, by their place in the batch. */
  readonly ranges: Ranges;
  readonly request: Batch;
}

/**
 * The part of a batch with these events, rewritten from the file unless it is the batch as it was read. Rejects
 * with the error of reading.
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
