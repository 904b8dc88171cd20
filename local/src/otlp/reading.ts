/** Limits the number of messages in an OTLP request, because parsing multiplies the memory that they use. */
import { ApiError } from '../errors.ts';
import { JSON_DEPTH_MAX } from '../limits.ts';

/** Maximum size of a body after decompression, in bytes. Collectors send at most 20 MiB by default. */
export const OTLP_BODY_BYTES_MAX = 32 * 1_048_576;

/** Maximum number of messages in a request, including nested ones. An attribute is two messages: pair and value. */
export const OTLP_MESSAGES_MAX = 2_000_000;

export type ParsedMessage = Record<string, unknown>;

export class MessageBudget {
  #remaining = OTLP_MESSAGES_MAX;

  /**
   * Counts a message. Throws an ApiError if there are too many messages, or if the message is nested too deeply. The
   * request has depth 1.
   */
  take(depth: number): void {
    if (depth > JSON_DEPTH_MAX) {
      throw new ApiError('json-too-deep', { what: 'The body', limit: JSON_DEPTH_MAX });
    }
    this.#remaining -= 1;
    if (this.#remaining < 0) throw new ApiError('otlp-too-large', { limit: OTLP_MESSAGES_MAX });
  }
}

export function malformed(problem: string): ApiError {
  return new ApiError('otlp-malformed', { problem });
}
