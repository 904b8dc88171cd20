/**
 * Decompresses formats for which Node's own streams have errors. For Zstandard, Node reads only the first of several
 * frames. For deflate, Node waits forever after the end of the data.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw, createZstdDecompress, type Inflate } from 'node:zlib';
import { endedEarly, FrameEnds } from '../../formats/src/zstdFrames.ts';

export function createZstdDecompressor(): Transform {
  return new ZstdDecompressor(() => createZstdDecompress() as unknown as Inflate, true);
}

/** Creates a decompressor for deflate with or without zlib's header, which some clients omit. */
export function createDeflateDecompressor(): Transform {
  // In zlib's header, the low four bits of the first byte are 8.
  return new FrameDecompressor(
    (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
    false,
  );
}

type CreateDecompressor = (first: number) => Inflate;

class FrameDecompressor extends Transform {
  readonly #createDecompressor: CreateDecompressor;
  readonly #allowsSeveral: boolean;
  #frame: Inflate | undefined;

  constructor(createDecompressor: CreateDecompressor, allowsSeveral: boolean) {
    super();
    this.#createDecompressor = createDecompressor;
    this.#allowsSeveral = allowsSeveral;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#decompress(chunk, done);
  }

  #decompress(chunk: Buffer, done: TransformCallback): void {
    if (chunk.length === 0) return done();
    this.#frame ??= this.#open(chunk[0]!);
    const frame = this.#frame;
    const before = frame.bytesWritten;
    const restOf = () => chunk.subarray(frame.bytesWritten - before);
    const endsHere = () => {
      this.#frame = undefined;
      if (this.#allowsSeveral) this.#decompress(restOf(), done);
      else done(new Error('There is extra data after the end.'));
    };
    frame.once('end', endsHere);
    frame.write(chunk, (error) => {
      // The frame's `end` event starts the next frame with the remaining bytes.
      if (error || restOf().length > 0) return;
      frame.off('end', endsHere);
      done();
    });
  }

  override _flush(done: TransformCallback): void {
    if (this.#frame === undefined) return done();
    this.#frame.once('end', () => done());
    this.#frame.end();
  }

  override _read(size: number): void {
    this.#frame?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#frame?.destroy();
    done(error);
  }

  #open(first: number): Inflate {
    const frame = this.#createDecompressor(first);
    frame.on('data', (piece: Buffer) => {
      if (!this.push(piece)) frame.pause();
    });
    frame.on('error', (error) => this.destroy(error));
    return frame;
  }
}

/** Decompresses Zstandard frames. Rejects a truncated last frame, which Node 22 accepts. */
class ZstdDecompressor extends FrameDecompressor {
  readonly #ends = new FrameEnds();

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    for (let rest = chunk, end = 0; end >= 0; rest = rest.subarray(end))
      end = this.#ends.next(rest);
    super._transform(chunk, encoding, done);
  }

  override _flush(done: TransformCallback): void {
    super._flush((error) => done(error ?? (this.#ends.isOpen ? endedEarly() : null)));
  }
}
