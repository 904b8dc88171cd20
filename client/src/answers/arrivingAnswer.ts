/**
 * Streams an answer's body to the worker, in buffers that both threads share. A buffer is filled again once the worker has
 * decoded it.
 */
import type { AnswerArrival } from '../../../table/src/answer.ts';
import type { FirstRows } from './firstRows.ts';
import type { HeldAnswer } from './heldAnswer.ts';
import type { Decoded } from './protocol.ts';
import type { WorkerClient } from './workerClient.ts';

const bufferBytes = 256 * 1024;
/** The maximum number of buffers that wait to be decoded and written. */
const buffersMax = 8;

type Shared = Uint8Array<SharedArrayBuffer>;

interface ArrivingParts {
  readonly worker: WorkerClient;
  /** Resolves when the worker is ready for the body. */
  readonly begun: Promise<unknown>;
  /** Adds the complete answer to the store. */
  readonly settle: (decoded: Decoded, arrival: AnswerArrival) => HeldAnswer;
  /** Offers rows to readers as they arrive. Absent if nobody reads them before the answer is complete. */
  readonly first: FirstRows | undefined;
}

export class ArrivingAnswer {
  readonly id: string;
  readonly #parts: ArrivingParts;
  #buffer: Shared | undefined;
  #filled = 0;
  /** Decoded buffers. */
  readonly #spare: SharedArrayBuffer[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #failure: unknown;

  constructor(id: string, parts: ArrivingParts) {
    this.id = id;
    this.#parts = parts;
    parts.begun.catch((error: unknown) => {
      this.#failure ??= error;
    });
  }

  /** Copies and sends bytes. Resolves when more can be written. Fails with a `StoreError` if the body is malformed. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      this.#check();
      this.#buffer ??= new Uint8Array(this.#spare.pop() ?? new SharedArrayBuffer(bufferBytes));
      const part = bytes.subarray(at, at + this.#buffer.length - this.#filled);
      this.#buffer.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#buffer.length) this.#send();
      await this.#room();
    }
    this.#check();
  }

  /**
   * Like `write`, but takes ownership of the bytes and doesn't copy them. Resolves with a decoded buffer, if any, which
   * the caller owns.
   */
  async give(bytes: Shared): Promise<SharedArrayBuffer | undefined> {
    this.#check();
    if (this.#filled > 0) this.#send();
    this.#post(bytes);
    await this.#room();
    this.#check();
    return this.#spare.pop();
  }

  /** Completes the body and adds the answer to the store. Fails with a `StoreError` if the body is malformed. */
  async finish(arrival: AnswerArrival): Promise<HeldAnswer> {
    const { worker, begun, settle, first } = this.#parts;
    try {
      this.#check();
      await begun;
      if (this.#filled > 0) this.#send();
      await Promise.all(this.#underWay);
      this.#check();
      const decoded = await worker.call('finish', { answer: this.id, arrival });
      first?.end();
      return settle(decoded, arrival);
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /** Aborts the answer and removes its data from memory and disk. Never fails. */
  async abort(): Promise<void> {
    this.#failure ??= new Error('The answer was aborted.');
    this.#parts.first?.abort();
    await this.#parts.worker.call('abort', { answer: this.id }).catch(() => {});
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #room(): Promise<void> {
    while (this.#underWay.size >= buffersMax) await Promise.race(this.#underWay);
  }

  #send(): void {
    const full = this.#buffer?.subarray(0, this.#filled) as Shared;
    this.#buffer = undefined;
    this.#filled = 0;
    this.#post(full);
  }

  #post(bytes: Shared): void {
    const sent = this.#parts.worker
      .call('chunk', { answer: this.id, bytes })
      .then(
        (rows) => {
          this.#spare.push(bytes.buffer);
          if (rows > 0 && this.#failure === undefined) this.#parts.first?.arrived(rows);
        },
        (error: unknown) => {
          this.#failure ??= error;
        },
      )
      .finally(() => this.#underWay.delete(sent));
    this.#underWay.add(sent);
  }
}
