/** Defines the interface of code action providers, which `codeActions.ts` calls. */
import type { CodeAction, CodeActionKind, Diagnostic } from 'vscode-languageserver';
import type { Span } from '../../../language/src/index.ts';
import type { Snapshot } from '../documents.ts';
import type { Settings } from '../settings.ts';

export interface ActionRequest {
  readonly snapshot: Snapshot;
  readonly selection: Span;
  readonly shown: readonly Diagnostic[];
  readonly settings: Settings;
  /** The requested kinds. If undefined, all kinds except fix-all, which clients must request explicitly. */
  readonly only?: readonly CodeActionKind[];
}

export interface ActionSource {
  /** The kinds of actions that the source returns. The source isn't called for requests of other kinds. */
  readonly kinds: readonly CodeActionKind[];
  /** Returns actions for a request. The handler drops actions of kinds that weren't requested. */
  actions(request: ActionRequest): readonly CodeAction[];
}

/** Returns whether `kind` is `wanted` or a sub-kind, such as `refactor.extract` for `refactor`. */
export function isOfKind(kind: CodeActionKind, wanted: CodeActionKind): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
}
