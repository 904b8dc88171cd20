/**
 * Stores strings, dynamic values as JSON, and columns of mixed kinds as text. Repeated text is stored once, as long as
 * enough of it repeats.
 */
import { parseJson } from '../../../api/src/plain.ts';
import { parseRfc3339Nanos } from '../../../formats/src/rfc3339.ts';
import type { TextCondition } from '../arrange/matcher.ts';
import { entryMatches } from '../arrange/textMatches.ts';
import { rankTexts } from '../arrange/textRanks.ts';
import type { Cell } from '../result.ts';
import type { LongTask } from '../rowSource.ts';
import { ByteHeap } from './byteHeap.ts';
import type { Column } from './column.ts';
import { ascending, roomFor, trimmed } from './growable.ts';
import { acceptedEntries, entryTest, isInRange, keep, type RowFilter } from './rowFilter.ts';
import { rankCells } from './sortKeys.ts';
import { type Key, keyOf, type NumberRange, Store, type TimeRange } from './store.ts';
import { type Form, type Kind, kinds, numberCell } from './values.ts';

/** The row count at the first check for repeats. With fewer rows, even repeating strings may seem not to repeat. */
const firstCheck = 32_768;
/** The maximum number of distinct strings in a dictionary, as a share of the rows. */
const distinctShareMax = 0.5;
/** The text length above which text isn't looked up, because it rarely repeats and lookups are expensive. */
const dictionaryTextMax = 4_096;

export class TextStore extends Store {
  /** The strings: each distinct string once if `codes` exists, otherwise one string per row. */
  readonly heap = new ByteHeap();
  override codes: Uint8Array | Uint16Array | Uint32Array | undefined = new Uint8Array(0);
  /** The kind of each string; absent if all have `#kind`. */
  #kinds: Uint8Array | undefined;
  #kind: Kind = kinds.text;
  /** A hash table with open addressing: string numbers plus 1, or 0. Dropped when no more rows are expected. */
  #table: Int32Array | undefined;
  #hashes = new Int32Array(0);
  #nextCheck = firstCheck;

  protected override addGap(): void {
    if (this.codes !== undefined) this.codes = roomFor(this.codes, this.length);
    else this.#addEntry(none, 0, 0, this.#kind);
  }

  override addText(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#add(bytes, from, to, kinds.text);
  }
  override noteLoneSurrogate(): void {
    this.heap.hasLoneSurrogates = true;
  }
  override addJson(bytes: Uint8Array, from: number, to: number): boolean {
    return this.#add(bytes, from, to, kinds.json);
  }
  override addBoolean(value: boolean): boolean {
    return this.#add(value ? trueBytes : falseBytes, 0, value ? 4 : 5, kinds.boolean);
  }
  override addNumber(
    _value: number,
    _form: Form,
    bytes: Uint8Array,
    from: number,
    to: number,
  ): boolean {
    return this.#add(bytes, from, to, kinds.number);
  }

  #add(bytes: Uint8Array, from: number, to: number, kind: Kind): boolean {
    if (this.codes !== undefined && (to - from > dictionaryTextMax || !this.#repeats()))
      this.#storeEach();
    if (this.codes === undefined) {
      this.#addEntry(bytes, from, to, kind);
    } else {
      const code = this.#code(bytes, from, to, kind);
      if (this.length >= this.codes.length) this.codes = roomFor(this.codes, this.length);
      this.codes[this.length] = code;
    }
    this.length++;
    return true;
  }

  #addEntry(bytes: Uint8Array, from: number, to: number, kind: Kind): number {
    const entry = this.heap.add(bytes, from, to);
    if (entry === 0) this.#kind = kind;
    else if (kind !== this.#kind && this.#kinds === undefined)
      this.#kinds = new Uint8Array(entry + 1).fill(this.#kind);
    if (this.#kinds !== undefined) {
      this.#kinds = roomFor(this.#kinds, entry);
      this.#kinds[entry] = kind;
    }
    return entry;
  }

  #repeats(): boolean {
    if (this.length < this.#nextCheck) return true;
    this.#nextCheck = this.length * 2;
    return this.heap.count <= this.length * distinctShareMax;
  }

  /** Stores a separate string per row from now on. */
  #storeEach(): void {
    const { codes, length } = this;
    if (codes === undefined) return;
    const each = new TextStore();
    each.codes = undefined;
    each.heap.hasLoneSurrogates = this.heap.hasLoneSurrogates;
    for (let row = 0; row < length; row++) {
      if (this.isNull(row)) each.addGap();
      else {
        const entry = codes[row] as number;
        const bytes = this.#bytesOf(entry);
        each.#addEntry(bytes, 0, bytes.length, this.#kindOf(entry));
      }
    }
    this.codes = undefined;
    this.#table = undefined;
    this.#hashes = new Int32Array(0);
    (this as { heap: ByteHeap }).heap = each.heap;
    this.#kinds = each.#kinds;
    this.#kind = each.#kind;
  }

  /** Returns the number of a string in the dictionary, adding the string if it is new. */
  #code(bytes: Uint8Array, from: number, to: number, kind: Kind): number {
    const hash = hashOf(bytes, from, to, kind);
    this.#table ??= this.#hashed();
    const mask = this.#table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const code = (this.#table[place] as number) - 1;
      if (code < 0) return this.#newCode(bytes, from, to, kind, hash, place);
      if (
        this.#hashes[code] === hash &&
        this.#kindOf(code) === kind &&
        this.heap.equals(code, bytes, from, to)
      )
        return code;
    }
  }

  #newCode(
    bytes: Uint8Array,
    from: number,
    to: number,
    kind: Kind,
    hash: number,
    place: number,
  ): number {
    const code = this.#addEntry(bytes, from, to, kind);
    this.#hashes = roomFor(this.#hashes, code);
    this.#hashes[code] = hash;
    const table = this.#table as Int32Array;
    table[place] = code + 1;
    if (this.heap.count * 2 > table.length) this.#table = this.#placed(table.length * 2);
    if (code === 0x100) this.codes = Uint16Array.from(this.codes as Uint8Array);
    else if (code === 0x1_0000) this.codes = Uint32Array.from(this.codes as Uint16Array);
    return code;
  }

  /** Rebuilds the hash table after it was dropped. */
  #hashed(): Int32Array {
    const { count } = this.heap;
    this.#hashes = new Int32Array(Math.max(16, count));
    for (let entry = 0; entry < count; entry++) {
      const bytes = this.#bytesOf(entry);
      this.#hashes[entry] = hashOf(bytes, 0, bytes.length, this.#kindOf(entry));
    }
    let size = 64;
    while (size < count * 2) size *= 2;
    return this.#placed(size);
  }

  #placed(size: number): Int32Array {
    const table = new Int32Array(size);
    for (let entry = 0; entry < this.heap.count; entry++) {
      let place = (this.#hashes[entry] as number) & (size - 1);
      while (table[place] !== 0) place = (place + 1) & (size - 1);
      table[place] = entry + 1;
    }
    return table;
  }

  #kindOf(entry: number): Kind {
    return this.#kinds === undefined ? this.#kind : (this.#kinds[entry] as Kind);
  }

  #cellOf(entry: number): Cell {
    const text = this.heap.text(entry);
    const kind = this.#kindOf(entry);
    if (kind === kinds.text) return text;
    if (kind === kinds.number) return numberCell(text);
    return kind === kinds.boolean ? text === 'true' : (parseJson(text) as Cell);
  }

  #bytesOf(entry: number): Uint8Array {
    return this.heap.bytesOf(this.heap.start(entry), this.heap.end(entry));
  }

  override kind(row: number): Kind {
    return this.#kindOf(this.entryOf(row));
  }

  override textOf(row: number): string {
    return this.heap.text(this.entryOf(row));
  }

  override cellOf(row: number): Cell {
    return this.#cellOf(this.entryOf(row));
  }

  override get entryCount(): number {
    return this.heap.count;
  }

  override numbers(): (row: number) => number {
    return (row) =>
      this.isNull(row) || this.kind(row) !== kinds.number ? Number.NaN : Number(this.textOf(row));
  }

  override entryKeys(): (entry: number) => Key {
    return (entry) => keyOf(this.#kindOf(entry), this.heap.text(entry));
  }

  /** False for numbers, because equal numbers may have different text. */
  override get hasSmallKeys(): boolean {
    return this.codes !== undefined && this.#kinds === undefined && this.#kind !== kinds.number;
  }

  override keys(): (row: number) => Key {
    return this.hasSmallKeys ? (row) => this.entryOf(row) : super.keys();
  }

  override async numberFilter(range: NumberRange, task: LongTask): Promise<RowFilter> {
    return keep(await entryTest(this, (entry) => isInRange(this.#cellOf(entry), range), task));
  }

  override async timeFilter({ from, to }: TimeRange, task: LongTask): Promise<RowFilter> {
    const accepts = (entry: number) => {
      const isText = this.#kindOf(entry) === kinds.text;
      const nanos = isText ? parseRfc3339Nanos(this.heap.text(entry)) : undefined;
      if (nanos === undefined) return false;
      return (from === undefined || nanos >= from) && (to === undefined || nanos < to);
    };
    return keep(await entryTest(this, accepts, task));
  }

  override async textFilter(
    condition: TextCondition,
    negated: boolean,
    task: LongTask,
  ): Promise<RowFilter> {
    const accepted = await this.matches(condition, task);
    if (negated)
      for (let at = 0; at < accepted.length; at++) accepted[at] = 1 - (accepted[at] as number);
    return acceptedEntries(this, accepted);
  }

  override async matches(condition: TextCondition, task: LongTask): Promise<Uint8Array> {
    return await entryMatches(this.heap, condition, task);
  }

  override async sortKeys(task: LongTask): Promise<Uint32Array[]> {
    const ranks = await this.#entryRanks(task);
    if (this.codes === undefined) return [ranks];
    const { codes } = this;
    const keys = new Uint32Array(this.length);
    for (let row = 0; row < keys.length; row++) keys[row] = ranks[codes[row] as number] as number;
    return [keys];
  }

  async #entryRanks(task: LongTask): Promise<Uint32Array> {
    const { heap } = this;
    const ranks = new Uint32Array(heap.count);
    if (this.#kinds === undefined && this.#kind === kinds.text) {
      await rankTexts(heap, ascending(heap.count), ranks, 0, task);
      return ranks;
    }
    const numbers: number[] = [];
    const texts: number[] = [];
    const others: number[] = [];
    for (let entry = 0; entry < heap.count; entry++) {
      const kind = this.#kindOf(entry);
      (kind === kinds.number ? numbers : kind === kinds.text ? texts : others).push(entry);
      if ((entry & 4095) === 0 && task.due) await task.pause(0, 0);
    }
    const values = new Map<number, Cell>();
    // Skip null entries, which may be empty and have no number to parse.
    for (const entry of numbers)
      values.set(entry, heap.length(entry) === 0 ? 0 : this.#cellOf(entry));
    await rankCells(Uint32Array.from(numbers), (entry) => values.get(entry) ?? 0, ranks, task);
    const next = await rankTexts(heap, Uint32Array.from(texts), ranks, numbers.length, task);
    await rankTexts(heap, Uint32Array.from(others), ranks, next, task);
    return ranks;
  }

  override copyTo(target: Column | Store, row: number): void {
    if (this.isNull(row)) return target.addNull();
    const entry = this.entryOf(row);
    const kind = this.#kindOf(entry);
    if (kind !== kinds.text && kind !== kinds.json) return super.copyTo(target, row);
    const bytes = this.#bytesOf(entry);
    if (kind === kinds.json) target.addJson(bytes, 0, bytes.length);
    else {
      target.addText(bytes, 0, bytes.length);
      if (this.heap.hasLoneSurrogates) target.noteLoneSurrogate();
    }
  }

  override trim(): void {
    super.trim();
    if (this.heap.count > this.length * distinctShareMax) this.#storeEach();
    this.heap.trim();
    if (this.codes !== undefined) this.codes = trimmed(this.codes, this.length);
    if (this.#kinds !== undefined) this.#kinds = trimmed(this.#kinds, this.heap.count);
    this.#table = undefined;
    this.#hashes = new Int32Array(0);
  }

  protected override tailValues(from: number): Store {
    const copy = new TextStore();
    copy.heap.hasLoneSurrogates = this.heap.hasLoneSurrogates;
    const entryOf = new Map<number, number>();
    const added = (entry: number): number => {
      const bytes = this.#bytesOf(entry);
      return copy.#addEntry(bytes, 0, bytes.length, this.#kindOf(entry));
    };
    if (this.codes === undefined) {
      copy.codes = undefined;
      for (let row = from; row < this.length; row++) added(row);
      return copy;
    }
    const codes = this.codes.slice(from, this.length);
    for (const [row, entry] of codes.entries()) {
      // Treat nulls separately, because a null's code is arbitrary and its string may not exist.
      if (this.isNull(from + row)) {
        codes[row] = 0;
        continue;
      }
      let code = entryOf.get(entry);
      if (code === undefined) {
        code = added(entry);
        entryOf.set(entry, code);
      }
      codes[row] = code;
    }
    copy.codes = codes;
    return copy;
  }

  protected override valueBytes(): number {
    const { codes, heap } = this;
    return (codes?.byteLength ?? 0) + heap.bytes + (this.#kinds?.length ?? 0);
  }
}

const none = new Uint8Array(0);
const trueBytes = new TextEncoder().encode('true');
const falseBytes = new TextEncoder().encode('false');

function hashOf(bytes: Uint8Array, from: number, to: number, kind: Kind): number {
  let hash: number = kind;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  // Mix the upper bits into the lower bits, because the lower bits choose the slot.
  return hash ^ (hash >>> 15);
}
