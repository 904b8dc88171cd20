/**
 * Bloom filters: arrays of bits that tell that a text isn't in a block of events, or that it may be. DuckDB builds them,
 * and its hashes are compared only within one process, because they may change with its version.
 */
import { quoteName } from '../../store/sql.ts';

/**
 * The number of arrays in a filter. A text sets one bit in each. With two bits per event in each array, a text that
 * isn't in a block seems to be in it about once in 1,700 times if all texts of the block differ, otherwise less often.
 */
const ARRAYS = 8;
const BITS_PER_EVENT = 2;

/** A filter's arrays, or nulls if the block has no texts. The first bit of an array is the highest of its first byte. */
export type BloomFilter = readonly (Uint8Array | null)[];

/** The memory of the filter of a block with `rows` events, in bytes. */
export function bloomBytes(rows: number): number {
  return (ARRAYS * BITS_PER_EVENT * rows) / 8;
}

/** Returns the aggregates that build a filter from the column `hash`. `rows`, a multiple of 8, is the number of events. */
export function bloomAggregates(rows: number): string {
  const size = BITS_PER_EVENT * rows;
  return Array.from({ length: ARRAYS }, (_, i) => {
    const position = `((hash & 4294967295) + ${i} * (hash >> 32)) % ${size}`;
    return `bitstring_agg((${position})::BIGINT, 0, ${size - 1})::BLOB`;
  }).join(', ');
}

/** Returns SQL for the hash of a text column, or null for a missing text. */
export function bloomHash(column: string): string {
  const name = quoteName(column);
  return `CASE WHEN ${name} IS NOT NULL THEN hash(${name}) END`;
}

/** Returns whether a block with the filter may contain the text with the hash. */
export function mayContain(filter: BloomFilter, hash: bigint): boolean {
  const [low, high] = [Number(hash & 0xffffffffn), Number(hash >> 32n)];
  return filter.every((bytes, i) => {
    if (bytes === null) return false;
    const size = bytes.length * 8;
    const position = (low + i * high) % size;
    return (bytes[position >> 3]! & (0x80 >> (position & 7))) !== 0;
  });
}
