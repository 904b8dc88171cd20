/** The base class of stores for numeric columns. */
import { Store } from './store.ts';
import { type Kind, kinds } from './values.ts';

export abstract class NumberStore extends Store {
  override readonly possibleText = /^[-+.\deE]*$/;

  override kind(): Kind {
    return kinds.number;
  }

  protected doubles(values: { readonly [row: number]: number }): (row: number) => number {
    const { nulls } = this;
    if (nulls === undefined) return (row) => values[row] as number;
    return (row) => (nulls.has(row) ? Number.NaN : (values[row] as number));
  }
}
