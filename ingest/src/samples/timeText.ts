// Times as text, fast: most events share their second with the one before.

/** Three digits for each number below 1,000. */
const digits = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'));

export class TimeText {
  #second = Number.NaN;
  #prefix = '';

  /** RFC 3339 with nanoseconds, from milliseconds since 1970 and nanoseconds within the millisecond. */
  nanoseconds(ms: number, nanos: number): string {
    const micros = Math.floor(nanos / 1_000);
    return `${this.#milliseconds(ms)}${digits[micros]}${digits[nanos - micros * 1_000]}Z`;
  }

  /** RFC 3339 with milliseconds. */
  milliseconds(ms: number): string {
    return `${this.#milliseconds(ms)}Z`;
  }

  #milliseconds(ms: number): string {
    const second = Math.floor(ms / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#prefix = new Date(second * 1_000).toISOString().slice(0, 20);
    }
    return `${this.#prefix}${digits[ms - second * 1_000]}`;
  }
}
