/** Maps errors to the failures that are reported to the host: a code and a message for the user. */

import { TooLarge } from '../../../../table/src/columns/byteHeap.ts';
import { MalformedBody } from '../../../../table/src/decode/malformed.ts';
import { ExportError } from '../../../../table/src/export/exportError.ts';
import { Invalid } from '../../../../table/src/invalid.ts';
import { Cancelled } from '../../../../table/src/rowSource.ts';
import { errorMessage } from '../../words/errors.ts';
import type { StoreFailure } from '../protocol.ts';

export class Gone extends Error {
  override readonly name = 'Gone';
  constructor() {
    super('The result is no longer in memory.');
  }
}

/** An answer on disk could not be read. The message states the reason. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

const codes = [
  [Cancelled, 'cancelled'],
  [MalformedBody, 'malformed'],
  [Gone, 'gone'],
  [Invalid, 'invalid'],
  [TooLarge, 'memory'],
  [FileProblem, 'file'],
  [ExportError, 'file'],
] as const;

export function failureOf(error: unknown): StoreFailure {
  const message = errorMessage(error);
  const [, code] = codes.find(([kind]) => error instanceof kind) ?? [];
  if (code !== undefined) return { code, message };
  if (error instanceof Error && 'syscall' in error) return { code: 'file', message };
  if (error instanceof RangeError && /alloc|array length|buffer/i.test(message))
    return { code: 'memory', message: 'There is not enough memory for the result.' };
  return { code: 'internal', message };
}
