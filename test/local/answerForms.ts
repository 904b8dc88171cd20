// Checks the form of a response: against its endpoint's schemas, or for protobuf, against the OTLP
// rules for responses and errors.
import assert from 'node:assert/strict';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ApiError, checkStrict, type EndpointRow, type TSchema } from '../../api/src/index.ts';
import type { HttpHeaders } from '../../local/src/http.ts';

interface Formed {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly bytes: Uint8Array;
  readonly body: unknown;
}

/**
 * Reads the message of a protobuf error, which must be a `google.rpc.Status` with only a message.
 * Throws otherwise.
 */
export function statusMessage(bytes: Uint8Array): string {
  const reader = new BinaryReader(bytes);
  assert.deepEqual(reader.tag(), [2, WireType.LengthDelimited]);
  const message = reader.string();
  assert.equal(reader.pos, bytes.length);
  return message;
}

/**
 * Returns the problem of an error response that doesn't match its endpoint's form, or undefined.
 * Without a row, checks the general form.
 */
export function errorProblem({ headers, bytes, body }: Formed, row?: EndpointRow) {
  if (headers.get('content-type') === 'application/x-protobuf') {
    return statusMessage(bytes).length > 5 ? undefined : 'its status has no message';
  }
  const [problem] = checkStrict((row?.error ?? ApiError) as TSchema, body);
  if (problem !== undefined) return `it is not an error: ${problem.message}`;
  const { message } = body as { readonly message: string };
  return /\S[\s\S]{5,}$/.test(message) ? undefined : 'its message says nothing';
}
