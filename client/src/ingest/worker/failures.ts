// Converts read errors so that they can be transferred between threads.
import { FileProblem } from '../../../../ingest/src/contract.ts';
import type { Failure } from '../../rpc/calls.ts';
import { errorMessage } from '../../words/errors.ts';
import type { ReadFailure } from './protocol.ts';

export function failureOf(error: unknown): ReadFailure {
  const isFileProblem = error instanceof FileProblem;
  const line = isFileProblem ? error.line : undefined;
  return {
    code: 'failed',
    message: errorMessage(error),
    isFileProblem,
    ...(line !== undefined && { line }),
  };
}

export function errorOf(failure: Failure): Error {
  const { message, isFileProblem, line } = failure as ReadFailure;
  return isFileProblem ? new FileProblem(message, line) : new Error(message);
}
