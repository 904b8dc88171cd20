/** The find bar of a table: a search starts at the active cell, which goes to the match. */
import type { FoundPlace } from '../../store/protocol.ts';
import { channel } from '../channel.ts';
import { FindBar } from '../findBar.ts';
import type { CellPlace, OpenTable } from './openTable.ts';

export function tableFind(open: OpenTable): FindBar {
  let searchFrom: CellPlace = { row: 0, column: 0 };
  const match = ({ row, column }: CellPlace, backwards: boolean, signal: AbortSignal) =>
    channel.request('findNext', { ...open.place, row, column, backwards }, signal);
  const goTo = (found: FoundPlace | null) => {
    if (found) open.grid.go(found.row, found.column);
    return found;
  };
  return new FindBar({
    search: (text, options, signal) => {
      const { place, columns } = open;
      return channel.request('find', { ...place, text, options, columns }, signal);
    },
    begin: () => {
      searchFrom = open.activeCell;
    },
    first: async (signal) => {
      const from = searchFrom;
      const after = await match(from, false, signal);
      // What comes before the next match may be the cell itself.
      const before = after && (await match(after, true, signal));
      const isAt = before?.row === from.row && before.column === from.column;
      return goTo(isAt ? before : after);
    },
    next: async (backwards, signal) => goTo(await match(open.activeCell, backwards, signal)),
    onChange: (find) => {
      open.change({ find });
      open.grid.refresh();
      open.record.report();
    },
    onClose: () => open.grid.focus(),
  });
}
