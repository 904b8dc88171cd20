/** Handles code action requests: calls the sources of the requested kinds and drops actions of other kinds. */
import type { CodeAction, CodeActionKind, CodeActionParams } from 'vscode-languageserver';
import { toSpan } from '../convert.ts';
import type { Snapshot } from '../documents.ts';
import type { Feature } from '../feature.ts';
import type { Settings } from '../settings.ts';
import { type ActionSource, isOfKind } from './actionSource.ts';
import { quickFixes } from './quickFixes.ts';
import { refactorings } from './refactorings.ts';

const sources: readonly ActionSource[] = [quickFixes, refactorings];

export function codeActions(
  snapshot: Snapshot,
  { range, context }: Pick<CodeActionParams, 'range' | 'context'>,
  settings: Settings,
): CodeAction[] {
  const { only } = context;
  const selection = toSpan(snapshot.lines, range);
  const shown = context.diagnostics;
  const request = { snapshot, selection, shown, settings, ...(only && { only }) };
  // A kind includes its sub-kinds, so call a provider if one of its kinds contains or is contained in a requested kind.
  const isAsked = (kind: CodeActionKind) =>
    !only || only.some((one) => isOfKind(kind, one) || isOfKind(one, kind));
  return sources
    .filter(({ kinds }) => kinds.some(isAsked))
    .flatMap((source) => source.actions(request))
    .filter(({ kind }) => !only || only.some((one) => kind !== undefined && isOfKind(kind, one)));
}

export const codeActionsFeature: Feature = {
  capabilities: {
    codeActionProvider: { codeActionKinds: [...new Set(sources.flatMap(({ kinds }) => kinds))] },
  },
  register(connection, workspace) {
    connection.onCodeAction(
      workspace.answering([], (now, params) => codeActions(now, params, workspace.settings)),
    );
  },
};
