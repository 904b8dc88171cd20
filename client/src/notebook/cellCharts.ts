// Charts below a cell. A chosen range is written to the cell's range comment or metadata, and the cell runs again.
import type * as vscode from 'vscode';
import type { AnswerSlots } from '../answers/slots.ts';
import type { ResultTab } from '../answers/tabs.ts';
import { ChartSession, type ChartSurface } from '../charts/host/chartSession.ts';
import type { Context } from '../context.ts';
import { rangeLine } from '../deployments/fileLines.ts';
import { querySettings } from '../deployments/querySettings.ts';
import { answerLimits, resultsTimeZone } from '../host/settings.ts';
import { documentFilters } from '../query/addFilter.ts';
import { askUnlisted } from '../query/answerService.ts';
import { writeFileLine } from '../query/writeFileLine.ts';
import { rangeText } from '../time/timeRange.ts';
import { cellAt, runCell } from './cells.ts';
import { writeSetting } from './metadata.ts';

type Parts = Pick<
  Context,
  'deployments' | 'sharedCharts' | 'language' | 'store' | 'passingAnswers'
>;

export function cellCharts(parts: Parts, tabs: AnswerSlots): ChartSession<CellRange> {
  const { passingAnswers, deployments, store, language, sharedCharts } = parts;
  const surface: ChartSurface<CellRange> = {
    owner: cellOf,
    rangeOf: (tab) => rangeIn(cellOf(tab)),
    setRange: async (tab, range) => {
      const { inLine } = rangeIn(cellOf(tab));
      const set = 'start' in range ? { inLine, text: rangeText(range, resultsTimeZone()) } : range;
      return (await setRange(cellOf(tab), set)) ? {} : undefined;
    },
    // A range can't be restored if the cell has gained or lost its range comment since.
    canSet: (tab, { inLine }) => inLine === rangeIn(cellOf(tab)).inLine,
    filters: documentFilters(language),
    runAgain: (tab) => {
      const cell = cellOf(tab);
      return { owner: cell, ended: cell ? runCell(cell) : Promise.resolve() };
    },
  };
  return new ChartSession({
    surface,
    shared: sharedCharts,
    tabs,
    store,
    answers: passingAnswers,
    askInTab: askUnlisted(deployments),
    limits: answerLimits,
  });
}

interface CellRange {
  /** Whether the range is in the cell's range comment rather than in its metadata. */
  readonly inLine: boolean;
  /** The range as written; undefined if the cell uses the notebook's range. */
  readonly text: string | undefined;
}

function rangeIn(cell: vscode.NotebookCell | undefined): CellRange {
  const line = cell && rangeLine(cell.document.getText());
  if (line) return { inLine: true, text: line.text };
  return { inLine: false, text: cell && querySettings(cell.metadata).range };
}

/** Sets a cell's range. Returns false if the notebook could not be changed. */
async function setRange(
  cell: vscode.NotebookCell | undefined,
  { inLine, text }: CellRange,
): Promise<boolean> {
  if (cell === undefined) return false;
  if (!inLine) return writeSetting(cell, 'range', text);
  const line = rangeLine(cell.document.getText());
  if (line === undefined || text === undefined) return false;
  return writeFileLine(cell.document, line, text);
}

/** Returns the cell with a tab's query if its notebook is open. */
function cellOf({ query }: ResultTab): vscode.NotebookCell | undefined {
  return cellAt(query.place?.uri);
}
