/**
 * Unpacks `Content-Encoding: deflate`. By the standard that is zlib's format; some clients send bare deflate, which
 * the first byte tells apart.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw, type Inflate, type InflateRaw } from 'node:zlib';

export function createEitherInflate(): Transform {
  return new EitherInflate();
}

class EitherInflate extends Transform {
  #inner: Inflate | InflateRaw | undefined;

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (chunk.length === 0) return done();
    this.#inner ??= this.#begin(chunk[0]!);
    if (this.#inner.write(chunk)) done();
    else this.#inner.once('drain', done);
  }

  override _flush(done: TransformCallback): void {
    if (this.#inner === undefined) return done();
    this.#inner.once('end', done);
    this.#inner.end();
  }

  override _read(size: number): void {
    this.#inner?.resume();
    super._read(size);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  #begin(first: number): Inflate | InflateRaw {
    // The low half of zlib's first byte says deflate.
    const inner = (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
    inner.on('data', (piece: Buffer) => {
      if (!this.push(piece)) inner.pause();
    });
    inner.on('error', (error) => this.destroy(error));
    return inner;
  }
}
