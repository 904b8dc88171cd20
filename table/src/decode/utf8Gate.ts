/**
 * Passes UTF-8 on in complete characters, without a byte order mark. Bytes that are not UTF-8
 * become U+FFFD, as wherever text is decoded.
 */
import { Buffer, isUtf8 } from 'node:buffer';

export class Utf8Gate {
  /** The start of a character whose end has not arrived. */
  #rest: Uint8Array = new Uint8Array(0);
  /** Takes over at the first byte that is not UTF-8. */
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #isFirst = true;

  /** The bytes that can be read now. */
  pass(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk;
    let bytes = chunk;
    if (this.#rest.length > 0) bytes = Buffer.concat([this.#rest, chunk]);
    if (this.#isFirst) {
      if (bytes.length < 3 && startsLikeMark(bytes)) return this.#keep(bytes, 0);
      this.#isFirst = false;
      if (bytes.length >= 3 && startsLikeMark(bytes)) bytes = bytes.subarray(3);
    }
    if (this.#decoder !== undefined) {
      this.#rest = none;
      return this.#replaced(bytes);
    }
    const end = bytes.length - incompleteBytes(bytes);
    const whole = bytes.subarray(0, end);
    if (isUtf8(whole)) {
      this.#keep(bytes, end);
      return whole;
    }
    this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    this.#rest = none;
    return this.#replaced(bytes);
  }

  /** Returns the bytes left at the end of the body. */
  end(): Uint8Array {
    if (this.#decoder !== undefined) return Buffer.from(this.#decoder.decode());
    return Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#rest));
  }

  #keep(bytes: Uint8Array, from: number): Uint8Array {
    this.#rest = bytes.slice(from);
    return none;
  }

  #replaced(bytes: Uint8Array): Uint8Array {
    return Buffer.from(this.#decoder?.decode(bytes, { stream: true }) ?? '');
  }
}

const none = new Uint8Array(0);
const mark = [0xef, 0xbb, 0xbf];

function startsLikeMark(bytes: Uint8Array): boolean {
  return mark.every((byte, index) => index >= bytes.length || bytes[index] === byte);
}

/** Counts the bytes of an incomplete character at the end. */
function incompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}
