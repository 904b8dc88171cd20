// The time range and the deployment of a cell's queries: those of the cell, or else of the notebook, or else of the
// window. As in a file, a line `// range:` or `// deployment:` in the cell takes
// precedence.
import type * as vscode from 'vscode';
import type { Deployments } from '../deployments/deployments.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { deploymentLine, rangeLine } from '../query/fileLines.ts';
import { rangeText } from '../time/timeRange.ts';
import type { TimeRangeState } from '../time/timeRangeState.ts';
import { querySettings } from './metadata.ts';

/** Where a setting comes from. */
export type Level = 'line' | 'cell' | 'notebook' | 'window';

export interface Effective {
  /** The range in words, or the name of the deployment. */
  readonly text: string;
  readonly level: Level;
}

export function rangeOf(cell: vscode.NotebookCell, { value }: TimeRangeState): Effective {
  const line = rangeLine(cell.document.getText());
  if (line !== undefined) return { text: line.text, level: 'line' };
  const own = querySettings(cell.metadata).range;
  if (own !== undefined) return { text: own, level: 'cell' };
  return notebookRange(cell.notebook, value);
}

function notebookRange(
  { metadata }: vscode.NotebookDocument,
  window: TimeRangeState['value'],
): Effective {
  const { range } = querySettings(metadata);
  if (range !== undefined) return { text: range, level: 'notebook' };
  return { text: rangeText(window, resultsTimeZone()), level: 'window' };
}

export function deploymentNameOf(cell: vscode.NotebookCell, { active }: Deployments): Effective {
  const line = deploymentLine(cell.document.getText());
  if (line !== undefined) return { text: line.text, level: 'line' };
  const own = querySettings(cell.metadata).deployment;
  if (own !== undefined) return { text: own, level: 'cell' };
  const { deployment } = querySettings(cell.notebook.metadata);
  if (deployment !== undefined) return { text: deployment, level: 'notebook' };
  return { text: active.name, level: 'window' };
}
