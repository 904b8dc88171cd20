/** Sums numbers: exactly for integers of any size, with compensated rounding errors for fractions. */
export class TotalOfNumbers {
  count = 0;
  #whole = 0n;
  /** The sum of integers that aren't part of `#whole` yet. A double represents this sum exactly. */
  #small = 0;
  #hasFractions = false;
  #sum = 0;
  #compensation = 0;

  add(value: number | bigint, count = 1): void {
    if (count !== 1) {
      this.count += count - 1;
      const product = typeof value === 'number' ? value * count : Number.NaN;
      const isWhole = typeof value === 'bigint' || Number.isInteger(value);
      return this.#addOne(
        isWhole && !Number.isSafeInteger(product) ? BigInt(value) * BigInt(count) : product,
      );
    }
    this.#addOne(value);
  }

  #addOne(value: number | bigint): void {
    this.count++;
    if (typeof value === 'bigint') {
      this.#whole += value;
    } else if (Number.isSafeInteger(value)) {
      const sum = this.#small + value;
      if (Number.isSafeInteger(sum)) this.#small = sum;
      else {
        this.#whole += BigInt(this.#small) + BigInt(value);
        this.#small = 0;
      }
    } else if (Number.isInteger(value)) {
      this.#whole += BigInt(value);
      this.#hasFractions = true;
    } else {
      // Neumaier's summation: add up the rounding errors separately.
      this.#hasFractions = true;
      const sum = this.#sum + value;
      this.#compensation +=
        Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
      this.#sum = sum;
    }
  }

  get #integers(): bigint {
    return this.#whole + BigInt(this.#small);
  }

  get #double(): number {
    return Number.isFinite(this.#sum)
      ? Number(this.#integers) + this.#sum + this.#compensation
      : this.#sum;
  }

  /** Returns the sum as text; undefined if no numbers were added. */
  sum(): string | undefined {
    if (this.count === 0) return undefined;
    return this.#hasFractions ? String(this.#double) : String(this.#integers);
  }

  average(): string | undefined {
    if (this.count === 0) return undefined;
    if (this.#hasFractions) return String(this.#double / this.count);
    const sum = this.#integers;
    if (BigInt.asIntN(54, sum) === sum) return String(Number(sum) / this.count);
    const count = BigInt(this.count);
    const magnitude = sum < 0n ? -sum : sum;
    const thousandths = ((magnitude % count) * 1_000n) / count;
    const fraction = String(thousandths).padStart(3, '0').replace(/0+$/, '');
    return `${sum < 0n ? '-' : ''}${magnitude / count}${fraction === '' ? '' : `.${fraction}`}`;
  }
}
