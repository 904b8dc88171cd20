/** The summary of a column, as its header and its panel show it. */
import { channel } from '../channel.ts';
import type { OpenTable } from './openTable.ts';

const bins = 30;
const top = 5;

export function columnSummary({ place }: OpenTable, column: number, signal: AbortSignal) {
  return channel.request('summary', { ...place, column, top, bins }, signal);
}
