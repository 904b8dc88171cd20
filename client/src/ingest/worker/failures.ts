// Errors of reading as they cross between threads.
import { FileProblem } from '../../../../ingest/src/contract.ts';
import type { ReadFailure } from './protocol.ts';

export function failureOf(error: unknown): ReadFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof FileProblem)) return { message, isFileProblem: false };
  const { line } = error;
  return { message, isFileProblem: true, ...(line !== undefined && { line }) };
}

export function errorOf({ message, isFileProblem, line }: ReadFailure): Error {
  return isFileProblem ? new FileProblem(message, line) : new Error(message);
}
