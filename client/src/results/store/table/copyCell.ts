/** Adds values of one column, or of this program, to another column, exactly. */
import { Buffer } from 'node:buffer';
import { numberEnds, scanNumber, scanned } from '../decode/scanNumber.ts';
import type { Column } from './column.ts';
import { kinds } from './store.ts';
import { TextStore } from './textStore.ts';

/** Adds the value of a row of `source` to the end of `target`. */
export function copyCell(source: Column, row: number, target: Column): void {
  const { store } = source;
  if (store.isNull(row)) return target.addNull();
  const kind = store.kind(row);
  if (kind === kinds.boolean) return target.addBoolean(store.textOf(row) === 'true');
  if (kind === kinds.number) return addNumberText(target, store.textOf(row));
  if (!(store instanceof TextStore)) return addString(target, store.textOf(row));
  const { heap } = store;
  const entry = store.entryOf(row);
  const bytes = heap.bytesOf(heap.start(entry), heap.end(entry));
  if (kind === kinds.json) return target.addJson(bytes, 0, bytes.length);
  target.addText(bytes, 0, bytes.length);
  if (heap.hasLoneSurrogates) target.noteLoneSurrogate();
}

function addNumberText(target: Column, text: string): void {
  // A number ends where another character follows.
  const bytes = Buffer.from(`${text} `, 'latin1');
  const end = scanNumber(bytes, 0, bytes.length);
  if (end === numberEnds.invalid || end !== text.length) throw new Error(`${text} is not a number`);
  target.addNumber(scanned.value, scanned.form, bytes, 0, end);
}

export function addString(target: Column, text: string): void {
  const bytes = Buffer.from(text);
  target.addText(bytes, 0, bytes.length);
}

export function addJsonText(target: Column, text: string): void {
  const bytes = Buffer.from(text);
  target.addJson(bytes, 0, bytes.length);
}
