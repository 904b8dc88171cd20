/** What offers code actions: quick fixes and refactorings are one each, and `codeActions.ts` asks them all. */
import type { CodeAction, CodeActionKind, Diagnostic } from 'vscode-languageserver';
import type { Span } from '../../../language/src/index.ts';
import type { Snapshot } from '../documents.ts';
import type { Settings } from '../settings.ts';

/** Where actions are asked for. */
export interface ActionRequest {
  readonly snapshot: Snapshot;
  /** The cursor or selection, as offsets in the document. */
  readonly selection: Span;
  /** The problems that the editor shows there. */
  readonly shown: readonly Diagnostic[];
  readonly settings: Settings;
  /** The kinds asked for, when only some are. */
  readonly only?: readonly CodeActionKind[];
}

export interface ActionSource {
  /** The kinds that its actions have; none is asked for when only others are wanted. */
  readonly kinds: readonly CodeActionKind[];
  /** The actions at a place. Each has a kind; the handler leaves out those that were not asked for. */
  actions(request: ActionRequest): readonly CodeAction[];
}

/** Whether `kind` is `wanted` or a kind of it, as `refactor.extract` is one of `refactor`. */
export function isOfKind(kind: CodeActionKind, wanted: CodeActionKind): boolean {
  return wanted === '' || kind === wanted || kind.startsWith(`${wanted}.`);
}
