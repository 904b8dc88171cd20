// Keeps the bytes of one file for a minute after their last use: a preview is read again with each choice, and a run
// follows it. One file at a time, because a folder may have a thousand of them.

const KEPT_MS = 60_000;

export class KeptBytes<File extends object> {
  readonly #read: (file: File) => Promise<Uint8Array>;
  #kept: { readonly file: File; readonly bytes: Promise<Uint8Array> } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(read: (file: File) => Promise<Uint8Array>) {
    this.#read = read;
  }

  /** Returns the kept bytes of a file, or reads them and keeps them instead of another file's. */
  get(file: File): Promise<Uint8Array> {
    if (this.#kept?.file !== file) this.#kept = { file, bytes: this.#read(file) };
    const { bytes } = this.#kept;
    bytes.catch(() => {
      if (this.#kept?.bytes === bytes) this.clear();
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), KEPT_MS);
    this.#timer.unref();
    return bytes;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#kept = undefined;
  }
}
