// What is wrong with the form of an answer: by the schemas of its endpoint, or where it is in protobuf, by what
// OTLP says of answers and errors.
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

/** The message of an error in protobuf, a `google.rpc.Status`, which has nothing else. Throws where it is not one. */
export function statusMessage(bytes: Uint8Array): string {
  const reader = new BinaryReader(bytes);
  assert.deepEqual(reader.tag(), [2, WireType.LengthDelimited]);
  const message = reader.string();
  assert.equal(reader.pos, bytes.length);
  return message;
}

/** Why an error is not one in the form of its endpoint, or of those without one; undefined where it is. */
export function errorProblem({ headers, bytes, body }: Formed, row?: EndpointRow) {
  if (headers.get('content-type') === 'application/x-protobuf') {
    return statusMessage(bytes).length > 5 ? undefined : 'its status has no message';
  }
  const [problem] = checkStrict((row?.error ?? ApiError) as TSchema, body);
  if (problem !== undefined) return `it is not an error: ${problem.message}`;
  const { message } = body as { readonly message: string };
  return /\S[\s\S]{5,}$/.test(message) ? undefined : 'its message says nothing';
}
