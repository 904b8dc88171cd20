/** Why a call failed, as reported to the host: a code and a message for the person. */

import { TooLarge } from '../../../../../table/src/columns/byteHeap.ts';
import { MalformedBody } from '../../../../../table/src/decode/malformed.ts';
import { Invalid } from '../../../../../table/src/invalid.ts';
import { Cancelled } from '../../../../../table/src/rowSource.ts';
import type { StoreFailure } from '../protocol.ts';

/** The answer is not in the worker. */
export class Gone extends Error {
  override readonly name = 'Gone';
  constructor() {
    super('The result is no longer in memory.');
  }
}

/** A file could not be read or written; the message says which and why. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

export function failureOf(error: unknown): StoreFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Cancelled) return { code: 'cancelled', message };
  if (error instanceof MalformedBody) return { code: 'malformed', message };
  if (error instanceof Gone) return { code: 'gone', message };
  if (error instanceof Invalid) return { code: 'invalid', message };
  if (error instanceof TooLarge) return { code: 'memory', message };
  if (error instanceof FileProblem || (error instanceof Error && 'syscall' in error))
    return { code: 'file', message };
  // An export says in words what a person can do about it.
  if (error instanceof Error && error.name === 'ExportError') return { code: 'file', message };
  if (error instanceof RangeError && /alloc|array length|buffer/i.test(message))
    return { code: 'memory', message: 'There is not enough memory for the result.' };
  return { code: 'internal', message };
}
