/** Finds references to a name in its query, and to a dataset in open documents and workspace files. */
import type { Location } from 'vscode-languageserver';
import { datasetAt, datasetUses, occurrencesAt } from '../../../language/src/editing.ts';
import { analyzeQuery } from '../../../language/src/index.ts';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import type { WorkspaceFile } from '../workspaceFiles.ts';

export const referencesFeature: Feature = {
  capabilities: { referencesProvider: true },
  register(connection, workspace) {
    connection.onReferences(
      workspace.answering(null, async (now, { position, context }) => {
        const offset = now.lines.offsetAt(position);
        const dataset = datasetUnder(now, offset);
        if (dataset === undefined) return references(now, offset, context.includeDeclaration);
        const files = await workspace.closedFiles(connection);
        return datasetReferences(dataset, workspace.snapshots(), files);
      }),
    );
  },
};

export function references(
  snapshot: Snapshot,
  offset: number,
  includeDeclaration: boolean,
): Location[] {
  const { uri, lines } = snapshot;
  const found = snapshot.at(offset);
  if (found === undefined) return [];
  return occurrencesAt(found.query.analysis.bound, found.at)
    .filter(({ write }) => includeDeclaration || !write)
    .map((use) => ({ uri, range: toRange(lines, use, found.query.start) }));
}

export function datasetUnder(snapshot: Snapshot, offset: number): string | undefined {
  const found = snapshot.at(offset);
  return found && datasetAt(found.query.analysis.bound, found.at);
}

export function datasetReferences(
  dataset: string,
  open: readonly Snapshot[],
  files: readonly WorkspaceFile[],
): Location[] {
  const found: Location[] = [];
  for (const { uri, lines, queries } of open) {
    for (const { start, analysis } of queries) {
      for (const use of datasetUses(analysis.bound, dataset))
        found.push({ uri, range: toRange(lines, use, start) });
    }
  }
  // Analyze only queries that contain the dataset's name, up to the first character that a quoted name may escape.
  const [part = ''] = dataset.split(/['"\\\s]/, 1);
  for (const file of files) {
    if (!file.text.includes(part)) continue;
    for (const { start, end } of file.queries) {
      const text = file.text.slice(start, end);
      if (!text.includes(part)) continue;
      for (const use of datasetUses(analyzeQuery(text).bound, dataset))
        found.push({ uri: file.uri, range: toRange(file.lines, use, start) });
    }
  }
  return found;
}
