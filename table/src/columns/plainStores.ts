/** Stores for columns of nulls and columns of booleans. */
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import { inSlices } from '../slices.ts';
import type { ValueKey } from '../viewState.ts';
import { Bits } from './growable.ts';
import { type Key, Store } from './store.ts';
import { type Kind, kinds } from './values.ts';

/** The null rows of a column without values: every row, represented without bits. */
class EveryRow extends Bits {
  override has(): boolean {
    return true;
  }
  override tail(): Bits {
    return this;
  }
}

/** Stores a column that contains only nulls so far. */
export class NullStore extends Store {
  override nulls: Bits | undefined = new EveryRow();
  override addNull(): void {
    this.length++;
  }
  override get entryCount(): number {
    return 0;
  }
  override kind(): Kind {
    return kinds.text;
  }
  override textOf(): string {
    return '';
  }
  override cellOf(): Cell {
    return null;
  }
  protected override tailValues(): Store {
    return new NullStore();
  }
  protected override valueBytes(): number {
    return 0;
  }
}

export class BooleanStore extends Store {
  values = new Bits();

  override addBoolean(value: boolean): boolean {
    if (value) this.values.set(this.length);
    this.length++;
    return true;
  }
  override kind(): Kind {
    return kinds.boolean;
  }
  override textOf(row: number): string {
    return String(this.values.has(row));
  }
  override cellOf(row: number): Cell {
    return this.values.has(row);
  }
  override get hasSmallKeys(): boolean {
    return true;
  }
  override entryKeys(): (row: number) => Key {
    return (row) => Number(this.values.has(row));
  }
  override keyOf(value: NonNullable<ValueKey>): Key {
    return value.kind === 'boolean' ? Number(value.text === 'true') : super.keyOf(value);
  }
  override async sortKeys(task: LongTask): Promise<Uint32Array[]> {
    const keys = new Uint32Array(this.length);
    await inSlices(keys.length, task, (from, to) => {
      for (let row = from; row < to; row++) keys[row] = Number(this.values.has(row));
    });
    return [keys];
  }
  override trim(): void {
    super.trim();
    this.values.trim(this.length);
  }
  protected override tailValues(from: number): Store {
    const copy = new BooleanStore();
    copy.values = this.values.tail(from, this.length);
    return copy;
  }
  protected override valueBytes(): number {
    return this.values.bytes.length;
  }
}
