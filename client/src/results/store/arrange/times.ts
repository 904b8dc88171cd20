// Times of cells, for sorting and filtering.
import { parseRfc3339Nanos } from '../../../../../formats/src/rfc3339.ts';

/** Parses a time to nanoseconds since 1970. The string must be a valid time. */
export const nanosOf = (text: string): bigint => parseRfc3339Nanos(text) as bigint;
