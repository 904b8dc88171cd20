// Limits how many files are sent at once. A small file is one request, which mostly waits for the service to store it,
// and the service stores several together. A large file keeps the service busy alone.
const BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 8;

/** Slots for files sent at the same time. Files wait in order. */
export class FileSlots {
  #files = 0;
  #bytes = 0;
  #turn: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  /** Resolves once there is room for a file of that size. The caller must leave when the file has ended. */
  enter(bytes: number): Promise<void> {
    const entered = this.#turn.then(async () => {
      while (!this.#hasRoom(bytes)) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      this.#files += 1;
      this.#bytes += bytes;
    });
    this.#turn = entered;
    return entered;
  }

  leave(bytes: number): void {
    this.#files -= 1;
    this.#bytes -= bytes;
    this.#wake();
  }

  #hasRoom(bytes: number): boolean {
    return this.#files === 0 || (this.#files < FILES_MAX && this.#bytes + bytes <= BYTES_MAX);
  }
}
