/**
 * Decompresses the Content-Encodings that Node's own streams don't handle fully: a body may have several Zstandard
 * frames, of which Node reads only the first, and Node waits forever after the end of deflate data.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw, createZstdDecompress, type Inflate } from 'node:zlib';
import { endedEarly, FrameEnds } from '../../formats/src/zstdFrames.ts';

/** Returns a decompressor for bodies with any number of frames. */
export function createZstdUnpacker(): Transform {
  return new ZstdFrames(() => createZstdDecompress() as unknown as Inflate, true);
}

/**
 * Returns a decompressor for deflate: zlib's format by the standard. Some clients send raw deflate, which the first
 * byte distinguishes.
 */
export function createDeflateUnpacker(): Transform {
  // The low four bits of zlib's first byte mean deflate.
  return new Frames(
    (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
    false,
  );
}

/** Creates a decompressor for a frame with this first byte. */
type Begin = (first: number) => Inflate;

class Frames extends Transform {
  readonly #begin: Begin;
  readonly #several: boolean;
  #frame: Inflate | undefined;

  constructor(begin: Begin, several: boolean) {
    super();
    this.#begin = begin;
    this.#several = several;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#unpack(chunk, done);
  }

  #unpack(chunk: Buffer, done: TransformCallback): void {
    if (chunk.length === 0) return done();
    this.#frame ??= this.#open(chunk[0]!);
    const frame = this.#frame;
    const before = frame.bytesWritten;
    const restOf = () => chunk.subarray(frame.bytesWritten - before);
    const endsHere = () => {
      this.#frame = undefined;
      if (this.#several) this.#unpack(restOf(), done);
      else done(new Error('There is more after the end.'));
    };
    frame.once('end', endsHere);
    frame.write(chunk, (error) => {
      // The rest belongs to the next frame, which begins after all output of this one was read.
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
    const frame = this.#begin(first);
    frame.on('data', (piece: Buffer) => {
      if (!this.push(piece)) frame.pause();
    });
    frame.on('error', (error) => this.destroy(error));
    return frame;
  }
}

/** Rejects a body that ends inside a frame, which Node 22 considers complete. */
class ZstdFrames extends Frames {
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
