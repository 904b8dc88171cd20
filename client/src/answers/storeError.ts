/** An error of the results store, with a message for the user. */
import type { StoreFailure, StoreFailureCode } from './protocol.ts';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreFailureCode;

  constructor({ code, message }: StoreFailure) {
    super(message);
    this.code = code;
  }
}
