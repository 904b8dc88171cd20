// Formats times fast, because most events share their second with the previous one.

/** Each number below 1,000 as three digits. */
const digits = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'));

export class TimeText {
  #second = Number.NaN;
  #prefix = '';

  /** Formats milliseconds since 1970 plus nanoseconds within the millisecond as RFC 3339. */
  nanoseconds(ms: number, nanos: number): string {
    const micros = Math.floor(nanos / 1_000);
    return `${this.#milliseconds(ms)}${digits[micros]}${digits[nanos - micros * 1_000]}Z`;
  }

  /** Formats milliseconds since 1970 as RFC 3339. */
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
