/** Copies cells of a table in the formats that the menus offer. */
import { counted } from '../../../../../formats/src/counts.ts';
import type { CellBlock, ValuePath } from '../../../../../table/src/viewState.ts';
import type { CopyFormat } from '../../../answers/protocol.ts';
import type { PageAction } from '../../pageContent.ts';
import { channel } from '../channel.ts';
import { cellsOf } from '../selection.ts';
import type { CellPlace, OpenTable } from './openTable.ts';

export const copyActions: Partial<
  Record<PageAction, readonly [format: CopyFormat, headers: boolean]>
> = {
  copy: ['text', false],
  copyWithHeaders: ['text', true],
  copyCsv: ['csv', true],
  copyTsv: ['tsv', true],
  copyJson: ['json', true],
  copyNdjson: ['ndjson', true],
  copyMarkdown: ['markdown', true],
  copyIn: ['in', false],
  copyDatatable: ['datatable', true],
};

/** Describes how many cells were copied. Fewer rows were copied if the clipboard lacked space for all. */
function cellsCopied(blocks: readonly CellBlock[], rows: number): string {
  const asked = blocks.reduce((sum, { fromRow, toRow }) => sum + toRow - fromRow, 0);
  const cells = rows < asked ? rows * (blocks[0]?.columns.length ?? 0) : cellsOf(blocks);
  return counted(cells, 'cell');
}

/** Copies the selection. Column names are included for several cells, because cells mean little without them. */
export function copySelection(open: OpenTable): void {
  const { selection } = open.grid;
  void copyBlocks(open, selection, 'text', cellsOf(selection) > 1);
}

/** Copies a cell, a member of its value, or the path that names the member in queries. */
export async function copyValue(
  open: OpenTable,
  cell: CellPlace,
  path: ValuePath,
  what: 'value' | 'path',
): Promise<void> {
  try {
    await channel.request('copyValue', { ...open.place, ...cell, path, what });
    const copied = what === 'value' ? 'Value' : path.length === 0 ? 'Column name' : 'Path';
    open.done(`${copied} copied`);
  } catch (error) {
    open.failed(error);
  }
}

export async function copyBlocks(
  open: OpenTable,
  blocks: readonly CellBlock[],
  format: CopyFormat,
  headers: boolean,
): Promise<void> {
  if (blocks.length === 0) return;
  try {
    const params = { ...open.place, blocks, format, headers };
    const { rows, guarded } = await channel.request('copy', params);
    const note = guarded ? ', with apostrophes in front of formulas' : '';
    open.done(`${cellsCopied(blocks, rows)} copied${note}`);
  } catch (error) {
    open.failed(error);
  }
}
