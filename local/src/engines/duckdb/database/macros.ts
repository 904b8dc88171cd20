/** Creates each of the planner's macros on first use, because creating all takes longer than opening the database. */
import { type Macro, macros } from '../../../planner/macros.ts';
import { type Prices, pricesSql } from '../../../planner/prices.ts';

export class Macros {
  readonly #run: (sql: string) => Promise<unknown>;
  readonly #ownPrices: Prices | undefined;
  readonly #created = new Set<string>();
  /** The pending creations of macros. Never rejects. */
  #pending: Promise<unknown> = Promise.resolve();

  constructor(run: (sql: string) => Promise<unknown>, ownPrices: Prices | undefined) {
    this.#run = run;
    this.#ownPrices = ownPrices;
  }

  /** Creates missing macros. A transaction that has already read the catalog doesn't see the new macros. */
  async create(names: readonly string[]): Promise<void> {
    if (this.#missing(names).length === 0) return;
    // Wait for pending creations, because concurrent creations of the same macro would conflict.
    const created = this.#pending.then(async () => {
      const missing = this.#missing(names);
      if (missing.length === 0) return;
      const wanted = macros.filter(({ name }) => missing.includes(name));
      await this.#run(wanted.map((macro) => this.#definition(macro)).join(';\n'));
      for (const name of missing) this.#created.add(name);
    });
    this.#pending = created.catch(() => undefined);
    await created;
  }

  #missing(names: readonly string[]) {
    return names.filter((name) => !this.#created.has(name));
  }

  #definition({ name, sql }: Macro): string {
    return name === 'prices' && this.#ownPrices !== undefined ? pricesSql(this.#ownPrices) : sql;
  }
}
