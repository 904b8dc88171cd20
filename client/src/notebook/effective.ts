// Determines the time range and deployment of a cell's queries from the cell, the notebook or the window, in this
// order. A line `// range:` or `// deployment:` in the cell takes precedence.
import type * as vscode from 'vscode';
import type { Deployments } from '../deployments/deployments.ts';
import { deploymentLine, rangeLine } from '../deployments/fileLines.ts';
import type { QuerySettings } from '../deployments/querySettings.ts';
import { querySettings } from '../deployments/querySettings.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { rangeText } from '../time/timeRange.ts';
import type { TimeRangeState } from '../time/timeRangeState.ts';

export type Level = 'line' | 'cell' | 'notebook' | 'window';

export interface Effective {
  /** The range in words, or the deployment's name. */
  readonly text: string;
  readonly level: Level;
}

export function rangeOf(cell: vscode.NotebookCell, { value }: TimeRangeState): Effective {
  const window = rangeText(value, resultsTimeZone());
  return stated(cell, 'range', rangeLine) ?? { text: window, level: 'window' };
}

export function deploymentNameOf(cell: vscode.NotebookCell, { active }: Deployments): Effective {
  return stated(cell, 'deployment', deploymentLine) ?? { text: active.name, level: 'window' };
}

function stated(
  { document, metadata, notebook }: vscode.NotebookCell,
  key: keyof QuerySettings,
  lineIn: typeof rangeLine,
): Effective | undefined {
  const line = lineIn(document.getText());
  if (line !== undefined) return { text: line.text, level: 'line' };
  const own = querySettings(metadata)[key];
  if (own !== undefined) return { text: own, level: 'cell' };
  const shared = querySettings(notebook.metadata)[key];
  return shared === undefined ? undefined : { text: shared, level: 'notebook' };
}
