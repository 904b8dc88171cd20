/** Passes on only complete UTF-8 characters, without a byte order mark. Invalid bytes become U+FFFD. */
import { Buffer, isUtf8 } from 'node:buffer';

export class Utf8Gate {
  /** The bytes of an incomplete character. */
  #rest: Uint8Array = new Uint8Array(0);
  /** Decodes everything from the first invalid chunk on. */
  #decoder: ReturnType<typeof utf8Decoder> | undefined;
  #isFirst = true;

  /** Returns the bytes up to the last complete character. */
  pass(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk;
    let bytes: Uint8Array = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = none;
    if (this.#isFirst && startsLikeMark(bytes)) {
      if (bytes.length < 3) {
        this.#rest = bytes.slice();
        return none;
      }
      bytes = bytes.subarray(3);
    }
    this.#isFirst = false;
    if (this.#decoder === undefined) {
      const end = bytes.length - incompleteBytes(bytes);
      const whole = bytes.subarray(0, end);
      if (isUtf8(whole)) {
        this.#rest = bytes.slice(end);
        return whole;
      }
      this.#decoder = utf8Decoder();
    }
    return Buffer.from(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Returns the remaining bytes at the end of the body. */
  end(): Uint8Array {
    return Buffer.from((this.#decoder ?? utf8Decoder()).decode(this.#rest));
  }
}

const utf8Decoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
const none = new Uint8Array(0);
const mark = [0xef, 0xbb, 0xbf];

function startsLikeMark(bytes: Uint8Array): boolean {
  return mark.every((byte, index) => index >= bytes.length || bytes[index] === byte);
}

/** Counts the bytes of an incomplete character at the end of a chunk. */
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
