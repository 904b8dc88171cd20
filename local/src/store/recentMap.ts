/** A map that keeps only the `max` entries that were set most recently. */
export class RecentMap<Value> extends Map<string, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
