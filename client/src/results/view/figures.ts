/** The figures of a selection in words: of one column with its unit, of several in a table with a line for each. */

import { grouped } from '../../../../formats/src/counts.ts';
import { figureNumber } from '../../../../table/src/numberText.ts';
import type { CellBlock } from '../../../../table/src/viewState.ts';
import { isCancelled } from '../../webview/page/channel.ts';
import { element } from '../../webview/page/dom.ts';
import { Popup } from '../../webview/page/popup.ts';
import { withUnit } from '../../webview/page/units.ts';
import type { ViewColumn } from '../messages.ts';
import type { SelectionFigures } from '../store/protocol.ts';

/** More columns than this are not asked for: each is a pass over the selected rows. */
const maxColumns = 100;
const measures = ['sum', 'avg', 'min', 'max'] as const;

interface Figure {
  readonly name: string;
  readonly text: string;
  /** Without its unit, every digit as it is. */
  readonly exact: string;
}

/** Sums and ends are of one column, so they are left out where several were selected. */
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
    plain('distinct', distinctText(figures)),
    ...measures.flatMap((name) => {
      const exact = figures[name];
      if (column === undefined || exact === undefined) return [];
      return [{ name, text: measureText(exact, column), exact }];
    }),
  ];
}

function distinctText({ distinct }: SelectionFigures): string {
  return `${grouped(distinct.count)}${distinct.exact ? '' : '+'}`;
}

function measureText(exact: string, { kind, unit }: ViewColumn): string {
  return (kind !== 'time' && unit !== undefined && withUnit(exact, unit)) || figureNumber(exact);
}

interface ColumnFiguresParts {
  readonly blocks: readonly CellBlock[];
  /** The columns to show, by index. */
  readonly measured: readonly number[];
  readonly columns: readonly ViewColumn[];
  readonly figures: (
    blocks: readonly CellBlock[],
    signal: AbortSignal,
  ) => Promise<SelectionFigures>;
}

export function showColumnFigures(anchor: HTMLElement, parts: ColumnFiguresParts): void {
  const controller = new AbortController();
  const heads = ['Column', 'count', 'distinct', ...measures];
  const body = element('tbody');
  const table = element('table', { class: 'column-figures' }, [
    element('thead', {}, [
      element(
        'tr',
        {},
        heads.map((text) => element('th', { text, attributes: { scope: 'col' } })),
      ),
    ]),
    body,
  ]);
  const problem = element('p', { class: 'problem', attributes: { role: 'alert' } });
  const popup = new Popup(
    [
      element(
        'div',
        {
          class: 'column-figures-frame',
          attributes: { tabindex: '0', role: 'region', 'aria-label': 'Figures' },
        },
        [table],
      ),
      problem,
    ],
    { label: 'Figures per Column', onClose: () => controller.abort() },
  );
  popup.show(anchor);
  void fill(body, parts, controller.signal).catch((error: unknown) => {
    if (!isCancelled(error))
      problem.textContent = error instanceof Error ? error.message : String(error);
  });
}

async function fill(
  body: HTMLElement,
  { blocks, measured, columns, figures }: ColumnFiguresParts,
  signal: AbortSignal,
): Promise<void> {
  for (const index of measured.slice(0, maxColumns)) {
    const column = columns[index];
    if (column === undefined) continue;
    const own = blocks
      .filter((block) => block.columns.includes(index))
      .map((block) => ({ ...block, columns: [index] }));
    const found = await figures(own, signal);
    body.append(
      element('tr', {}, [
        element('th', { text: column.name, attributes: { scope: 'row' } }),
        element('td', { text: grouped(found.count) }),
        element('td', { text: distinctText(found) }),
        ...measures.map((name) => {
          const exact = found[name];
          const text = exact === undefined ? '' : measureText(exact, column);
          return element('td', { text, ...(exact !== undefined && { title: exact }) });
        }),
      ]),
    );
  }
}
