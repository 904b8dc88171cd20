/**
 * Makes the planner's macros in the engine, each when a plan first names it: making all takes longer than
 * opening the database, and a query needs a few of them.
 */
import { type Macro, macros } from '../planner/macros.ts';
import { type Prices, pricesSql } from '../planner/prices.ts';

export class Macros {
  readonly #run: (sql: string) => Promise<unknown>;
  readonly #ownPrices: Prices | undefined;
  readonly #made = new Set<string>();
  /** Ends when those that are being made are there; never rejects. */
  #making: Promise<unknown> = Promise.resolve();

  /** `run` runs statements that make macros. */
  constructor(run: (sql: string) => Promise<unknown>, ownPrices: Prices | undefined) {
    this.#run = run;
    this.#ownPrices = ownPrices;
  }

  /** Makes those of some names that are not there. A transaction that has read names of the catalog misses them. */
  async make(names: readonly string[]): Promise<void> {
    if (this.#missing(names).length === 0) return;
    // One after the other, since two that make the same macro would be in each other's way.
    const made = this.#making.then(async () => {
      const missing = this.#missing(names);
      if (missing.length === 0) return;
      const wanted = macros.filter(({ name }) => missing.includes(name));
      await this.#run(wanted.map((macro) => this.#definition(macro)).join(';\n'));
      for (const name of missing) this.#made.add(name);
    });
    this.#making = made.catch(() => undefined);
    await made;
  }

  #missing(names: readonly string[]) {
    return names.filter((name) => !this.#made.has(name));
  }

  #definition({ name, sql }: Macro): string {
    return name === 'prices' && this.#ownPrices !== undefined ? pricesSql(this.#ownPrices) : sql;
  }
}
