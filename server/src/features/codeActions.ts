/** Handles code action requests: queries the sources of the requested kinds and drops other actions. */
import type { CodeAction, CodeActionParams } from 'vscode-languageserver';
import { toOffset } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import type { Settings } from '../settings.ts';
import { type ActionSource, isOfKind } from './actionSource.ts';
import { quickFixes } from './quickFixes.ts';
import { refactorings } from './refactorings.ts';

const sources: readonly ActionSource[] = [quickFixes, refactorings];

/** Returns the actions at a range of a document, fixes first. */
export function codeActions(
  snapshot: Snapshot,
  { range, context }: Pick<CodeActionParams, 'range' | 'context'>,
  settings: Settings,
): CodeAction[] {
  const { only } = context;
  const selection = {
    start: toOffset(snapshot.lines, range.start),
    end: toOffset(snapshot.lines, range.end),
  };
  const request = { snapshot, selection, shown: context.diagnostics, settings };
  const found: CodeAction[] = [];
  for (const source of sources) {
    // A requested kind may be a parent of a source's kind or one of its sub-kinds.
    const asked = source.kinds.some((kind) =>
      only === undefined ? true : only.some((one) => isOfKind(kind, one) || isOfKind(one, kind)),
    );
    if (!asked) continue;
    for (const action of source.actions(only === undefined ? request : { ...request, only })) {
      const { kind } = action;
      if (only !== undefined && !only.some((one) => kind !== undefined && isOfKind(kind, one)))
        continue;
      found.push(action);
    }
  }
  return found;
}

export const codeActionsFeature: Feature = {
  capabilities: {
    codeActionProvider: { codeActionKinds: [...new Set(sources.flatMap(({ kinds }) => kinds))] },
  },
  register(connection, workspace) {
    connection.onCodeAction((params) => {
      const snapshot = workspace.snapshot(params.textDocument.uri);
      return snapshot === undefined ? [] : codeActions(snapshot, params, workspace.settings);
    });
  },
};
