/** Formats a selection's statistics: with the unit for one column, or as a table with one line per column. */

import { grouped } from '../../../../formats/src/counts.ts';
import { figureNumber } from '../../../../table/src/numberText.ts';
import type { CellBlock } from '../../../../table/src/viewState.ts';
import type { SelectionFigures } from '../../answers/protocol.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { element, setLines } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import { withUnit } from '../../webview/page/units.ts';
import { errorMessage } from '../../words/errors.ts';
import type { ViewColumn } from '../pageContent.ts';
import { channel } from './channel.ts';
import { problemLine } from './controls.ts';
import { countText } from './summaryDrawing.ts';
import type { OpenTable } from './table/openTable.ts';

/** The maximum number of columns with statistics, because each column needs a pass over the selected rows. */
const maxColumns = 100;
const measures = ['sum', 'avg', 'min', 'max'] as const;

interface Figure {
  readonly name: string;
  readonly text: string;
  /** The number with all digits, without its unit. */
  readonly exact: string;
}

/**
 * Returns a selection's statistics. Omits sums and extremes of several columns, because mixed values have no meaning.
 */
export function figureTexts(
  figures: SelectionFigures,
  columns: readonly ViewColumn[],
): readonly Figure[] {
  const { cells, count, measured } = figures;
  const plain = (name: string, text: string): Figure => ({ name, text, exact: text });
  const column = measured.length === 1 ? columns[measured[0] as number] : undefined;
  return [
    plain('cells', grouped(cells)),
    ...(count === cells ? [] : [plain('count', grouped(count))]),
    plain('distinct', countText(figures.distinct)),
    ...measures.flatMap((name) => {
      const exact = figures[name];
      if (column === undefined || exact === undefined) return [];
      return [{ name, text: measureText(exact, column), exact }];
    }),
  ];
}

function measureText(exact: string, { kind, unit }: ViewColumn): string {
  return (kind !== 'time' && unit !== undefined && withUnit(exact, unit)) || figureNumber(exact);
}

/** Shows the columns' statistics in a popup. `measured` contains the column indexes. */
export function showColumnFigures(
  anchor: HTMLElement,
  open: OpenTable,
  blocks: readonly CellBlock[],
  measured: readonly number[],
): void {
  const controller = new AbortController();
  const heads = ['Column', 'count', 'distinct', ...measures];
  const body = element('tbody');
  const table = element('table', { class: 'column-figures digits' }, [
    element('thead', { class: 'sticky' }, [
      element(
        'tr',
        {},
        heads.map((text) => element('th', { text, attributes: { scope: 'col' } })),
      ),
    ]),
    body,
  ]);
  const problem = problemLine();
  const popup = new Popup(
    [
      element(
        'div',
        { class: 'column-figures-frame', role: 'region', label: 'Figures', tabIndex: 0 },
        [table],
      ),
      problem,
    ],
    { label: 'Figures per Column', onClose: () => controller.abort() },
  );
  popup.show(anchor);
  void fill(body, open, blocks, measured, controller.signal).catch((error: unknown) => {
    if (!isCancelled(error)) setLines(problem, errorMessage(error));
  });
}

async function fill(
  body: HTMLElement,
  { place, table }: OpenTable,
  blocks: readonly CellBlock[],
  measured: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const index of measured.slice(0, maxColumns)) {
    const column = table.columns[index];
    if (column === undefined) continue;
    const own = blocks
      .filter((block) => block.columns.includes(index))
      .map((block) => ({ ...block, columns: [index] }));
    const found = await channel.request('figures', { ...place, blocks: own }, signal);
    body.append(
      element('tr', {}, [
        element('th', { class: 'cut', text: column.name, attributes: { scope: 'row' } }),
        element('td', { text: grouped(found.count) }),
        element('td', { text: countText(found.distinct) }),
        ...measures.map((name) => {
          const exact = found[name];
          const text = exact === undefined ? '' : measureText(exact, column);
          return element('td', { text, title: exact });
        }),
      ]),
    );
  }
}
