/** A column that stores its values compactly, and moves them to another store if a value doesn't fit. */
import type { Cell } from '../result.ts';
import { FractionStore } from './fractionStore.ts';
import { IntegerStore } from './integerStore.ts';
import { BooleanStore, NullStore } from './plainStores.ts';
import type { Store } from './store.ts';
import { TextStore } from './textStore.ts';
import { TimeStore } from './timeStore.ts';
import type { Form, Kind } from './values.ts';

export class Column {
  store: Store = new NullStore();

  get length(): number {
    return this.store.length;
  }

  addNull(): void {
    this.store.addNull();
  }

  addBoolean(value: boolean): void {
    if (this.store.addBoolean(value)) return;
    this.#move(this.store instanceof NullStore ? new BooleanStore() : new TextStore());
    this.store.addBoolean(value);
  }

  addNumber(value: number, form: Form, bytes: Uint8Array, from: number, to: number): void {
    if (this.store.addNumber(value, form, bytes, from, to)) return;
    // Try integers first, even for literals, because most literals are 64-bit integers.
    if (this.store instanceof NullStore) {
      this.#move(new IntegerStore());
      if (this.store.addNumber(value, form, bytes, from, to)) return;
    }
    if (this.store instanceof IntegerStore && this.store.big === undefined) {
      this.store = FractionStore.from(this.store);
      if (this.store.addNumber(value, form, bytes, from, to)) return;
    }
    this.#move(new TextStore());
    this.store.addNumber(value, form, bytes, from, to);
  }

  addText(bytes: Uint8Array, from: number, to: number): void {
    if (this.store.addText(bytes, from, to)) return;
    const isTime = this.store instanceof NullStore && TimeStore.accepts(bytes, from, to);
    this.#move(isTime ? new TimeStore() : new TextStore());
    this.store.addText(bytes, from, to);
  }

  noteLoneSurrogate(): void {
    this.store.noteLoneSurrogate();
  }

  addJson(bytes: Uint8Array, from: number, to: number): void {
    if (this.store.addJson(bytes, from, to)) return;
    this.#move(new TextStore());
    this.store.addJson(bytes, from, to);
  }

  /** Moves all rows to a store that accepts their values. */
  #move(target: Store): void {
    for (let row = 0; row < this.length; row++) this.store.copyTo(target, row);
    this.store = target;
  }

  /** Returns a copy of the rows from `from` on. The copy needs no memory for earlier rows. */
  tail(from: number): Column {
    const copy = new Column();
    copy.store = this.store.tail(from);
    copy.store.trim();
    return copy;
  }

  isNull(row: number): boolean {
    return this.store.isNull(row);
  }

  cell(row: number): Cell {
    return this.store.isNull(row) ? null : this.store.cellOf(row);
  }

  /** Returns a row's exact text, or null for null. */
  text(row: number): string | null {
    return this.store.isNull(row) ? null : this.store.textOf(row);
  }

  kind(row: number): Kind {
    return this.store.kind(row);
  }

  get bytes(): number {
    return this.store.bytes;
  }
}
