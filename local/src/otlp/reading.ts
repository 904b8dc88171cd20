/**
 * What reading a request in either encoding shares: how much of it is read. Each message becomes a value that
 * takes many times its bytes, so the number of messages is bounded as well as the bytes.
 */
import { ApiError } from '../errors.ts';
import { JSON_DEPTH_MAX } from '../limits.ts';

/** Bytes of the body of a request, unpacked, at most: what a collector sends at most, and half as much again. */
export const OTLP_BODY_BYTES_MAX = 32 * 1_048_576;

/** Messages of a request at most, those in messages included; an attribute is two. */
export const OTLP_MESSAGES_MAX = 2_000_000;

/** A message as it is read: its fields by their names in JSON. */
export type Read = Record<string, unknown>;

export class Budget {
  #left = OTLP_MESSAGES_MAX;

  /** Takes one message at a depth, the request itself being at 1. Throws an ApiError when it is too much. */
  take(depth: number): void {
    if (depth > JSON_DEPTH_MAX) {
      throw new ApiError('json-too-deep', { what: 'The body', limit: JSON_DEPTH_MAX });
    }
    this.#left -= 1;
    if (this.#left < 0) throw new ApiError('otlp-too-large', { limit: OTLP_MESSAGES_MAX });
  }
}

export function malformed(problem: string): ApiError {
  return new ApiError('otlp-malformed', { problem });
}
