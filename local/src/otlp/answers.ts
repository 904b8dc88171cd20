/** Encodes OTLP responses and errors as protobuf or JSON, like the request. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { OtlpResponse } from '../../../api/src/index.ts';

export const PROTOBUF = 'application/x-protobuf';

export interface Rejection {
  readonly count: number;
  readonly reason: string;
}

export type RejectedName = 'rejectedSpans' | 'rejectedLogRecords';

export function jsonAnswer(rejection: Rejection | undefined, name: RejectedName): OtlpResponse {
  if (rejection === undefined) return {};
  return { partialSuccess: { [name]: String(rejection.count), errorMessage: rejection.reason } };
}

/** Encodes a response. Responses to traces and logs have the same form. */
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

/** Encodes an error. Omits the `code`, because exporters use the HTTP status. */
export function protobufError(message: string): Uint8Array {
  return new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
}
