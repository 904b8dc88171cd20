/** A Run lens above every query; the client runs what it is given. */
import type { CodeLens } from 'vscode-languageserver';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import { runCommand } from '../protocol.ts';

export const codeLensFeature: Feature = {
  capabilities: { codeLensProvider: {} },
  register(connection, workspace) {
    connection.onCodeLens(({ textDocument }) => {
      const now = workspace.snapshot(textDocument.uri);
      return now && workspace.settings.runLens ? codeLenses(now) : [];
    });
  },
};

export function codeLenses(snapshot: Snapshot): CodeLens[] {
  return snapshot.queries.map((query) => {
    const range = toRange(snapshot.lines, query);
    return {
      range: { start: range.start, end: range.start },
      command: { title: 'Run', command: runCommand, arguments: [snapshot.uri, range] },
    };
  });
}
