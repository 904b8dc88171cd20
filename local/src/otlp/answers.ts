/** Answers and errors of OTLP, in the encoding of the request. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { OtlpResponse } from '../../../api/src/index.ts';

export const PROTOBUF = 'application/x-protobuf';

/** What was not stored, and why. */
export interface Rejection {
  readonly count: number;
  readonly reason: string;
}

/** The name of the count of what was not stored, in each of the answers. */
export type RejectedName = 'rejectedSpans' | 'rejectedLogRecords';

export function jsonAnswer(rejection: Rejection | undefined, name: RejectedName): OtlpResponse {
  if (rejection === undefined) return {};
  return { partialSuccess: { [name]: String(rejection.count), errorMessage: rejection.reason } };
}

/** The same in protobuf, where both answers have the same form. */
export function protobufAnswer(rejection: Rejection | undefined): Uint8Array {
  const writer = new BinaryWriter();
  if (rejection !== undefined) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Varint).int64(rejection.count);
    writer.tag(2, WireType.LengthDelimited).string(rejection.reason);
    writer.join();
  }
  return writer.finish();
}

/** An error as a `google.rpc.Status`. Its code is left out: exporters go by the status of the response. */
export function protobufError(message: string): Uint8Array {
  return new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
}
