/** A Run lens above every query; the client runs what it is given. */
import type { CodeLens } from 'vscode-languageserver';
import { toRange } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import { runCommand } from '../protocol.ts';

export function codeLenses(snapshot: Snapshot): CodeLens[] {
  return snapshot.queries.map((query) => {
    const range = toRange(snapshot.lines, query);
    return {
      range: { start: range.start, end: range.start },
      command: { title: 'Run', command: runCommand, arguments: [snapshot.uri, range] },
    };
  });
}
