/**
 * Streams an answer's body to the worker. Network buffers are pooled and can't be transferred, so their bytes are
 * copied into larger, transferable buffers.
 */
import type { AnswerArrival } from '../../../table/src/answer.ts';
import type { HeldAnswer } from './heldAnswer.ts';
import type { Decoded } from './protocol.ts';
import type { WorkerClient } from './workerClient.ts';

const bufferBytes = 256 * 1024;
/** The maximum number of buffers in transit or being decoded. */
const buffersMax = 4;

export class ArrivingAnswer {
  readonly id: string;
  readonly #worker: WorkerClient;
  readonly #begun: Promise<unknown>;
  readonly #settle: (decoded: Decoded, arrival: AnswerArrival) => HeldAnswer;
  #buffer = new Uint8Array(bufferBytes);
  #filled = 0;
  readonly #underWay = new Set<Promise<unknown>>();
  #failure: unknown;

  constructor(
    id: string,
    worker: WorkerClient,
    begun: Promise<unknown>,
    settle: (decoded: Decoded, arrival: AnswerArrival) => HeldAnswer,
  ) {
    this.id = id;
    this.#worker = worker;
    this.#begun = begun;
    this.#settle = settle;
    begun.catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Copies and sends bytes. Resolves when more can be written. Fails with a `StoreError` if the body is malformed. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      this.#check();
      const length = Math.min(bytes.length - at, bufferBytes - this.#filled);
      this.#buffer.set(bytes.subarray(at, at + length), this.#filled);
      this.#filled += length;
      at += length;
      if (this.#filled === bufferBytes) this.#send();
      while (this.#underWay.size >= buffersMax) await Promise.race(this.#underWay);
    }
    this.#check();
  }

  /** Like `write`, but takes ownership of the bytes, so that a buffer that contains nothing else isn't copied. */
  async give(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#filled > 0 || bytes.byteLength !== bytes.buffer.byteLength) return this.write(bytes);
    this.#check();
    this.#post(bytes.buffer);
    while (this.#underWay.size >= buffersMax) await Promise.race(this.#underWay);
    this.#check();
  }

  /** Completes the body and adds the answer to the store. Fails with a `StoreError` if the body is malformed. */
  async finish(arrival: AnswerArrival): Promise<HeldAnswer> {
    try {
      this.#check();
      await this.#begun;
      if (this.#filled > 0) this.#send();
      await Promise.all(this.#underWay);
      this.#check();
      const decoded = await this.#worker.call('finish', { answer: this.id, arrival });
      return this.#settle(decoded, arrival);
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /** Aborts the answer and removes its data from memory and disk. Never fails. */
  async abort(): Promise<void> {
    this.#failure ??= new Error('The answer was aborted.');
    await this.#worker.call('abort', { answer: this.id }).catch(() => {});
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #send(): void {
    const full = this.#filled === bufferBytes ? this.#buffer : this.#buffer.slice(0, this.#filled);
    this.#buffer = new Uint8Array(bufferBytes);
    this.#filled = 0;
    this.#post(full.buffer);
  }

  #post(bytes: ArrayBuffer): void {
    const sent = this.#worker
      .call('chunk', { answer: this.id, bytes }, { transfer: [bytes] })
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }
}
