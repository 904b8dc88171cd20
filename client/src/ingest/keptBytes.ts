// Caches a file's bytes until a minute after their last use, because each changed import option rereads the file for
// the preview, and the import reads it again. Only one file is cached, because a folder may contain thousands.

const KEPT_MS = 60_000;

export class KeptBytes<File extends object> {
  readonly #read: (file: File) => Promise<Uint8Array>;
  #kept: { readonly file: File; readonly bytes: Promise<Uint8Array> } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(read: (file: File) => Promise<Uint8Array>) {
    this.#read = read;
  }

  /** Returns a file's cached bytes, or reads them and replaces those of another file. */
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
