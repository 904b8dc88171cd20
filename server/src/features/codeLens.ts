/** Shows code lenses that run a query, or the query up to a stage. Settings control both. Notebooks have none. */
import type { CodeLens } from 'vscode-languageserver';
import { toRange } from '../convert.ts';
import type { QueryState, Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { runCommand, runToHereCommand } from '../protocol.ts';
import type { Settings } from '../settings.ts';

export const codeLensFeature: Feature = {
  capabilities: { codeLensProvider: {} },
  register(connection, workspace) {
    connection.onCodeLens(workspace.answering([], (now) => codeLenses(now, workspace.settings)));
  },
};

export function codeLenses(
  snapshot: Snapshot,
  { runLens, stageLens }: Pick<Settings, 'runLens' | 'stageLens'>,
): CodeLens[] {
  // Show no lenses in a notebook, because VS Code already shows a run button on each cell.
  if (snapshot.scope !== undefined) return [];
  return snapshot.queries.flatMap((query) => [
    ...(runLens ? [runQueryLens(snapshot, query)] : []),
    ...(stageLens ? stageLenses(snapshot, query) : []),
  ]);
}

function runQueryLens(snapshot: Snapshot, query: QueryState): CodeLens {
  const range = toRange(snapshot.lines, query);
  return {
    range: { start: range.start, end: range.start },
    command: { title: 'Run', command: runCommand, arguments: [snapshot.uri, range] },
  };
}

/** Omits stages that don't start a line, because their lenses would be indistinguishable. */
function stageLenses(snapshot: Snapshot, query: QueryState): CodeLens[] {
  const { lines, uri } = snapshot;
  const found: CodeLens[] = [];
  for (const stage of query.analysis.bound.stages) {
    const { start } = toRange(lines, stage, query.start);
    const at = query.start + stage.start;
    if (lines.slice(at - start.character, at).trim() !== '') continue;
    found.push({
      range: { start, end: start },
      command: { title: 'Run to here', command: runToHereCommand, arguments: [uri, start] },
    });
  }
  return found;
}
