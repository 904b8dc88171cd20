// Delays new problems at or after the word that is being typed, until typing rests or the cursor leaves the word.
// Other problems are updated at once.
import type * as vscode from 'vscode';
import type { Typing } from './typing.ts';

export class CalmProblems {
  readonly #typing: Typing;
  /** The number of shown problems by document and problem. */
  readonly #shown = new Map<string, ReadonlyMap<string, number>>();

  constructor(typing: Typing) {
    this.#typing = typing;
  }

  visible(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): readonly vscode.Diagnostic[] {
    const word = this.#typing.wordIn(uri);
    const before = new Map(this.#shown.get(uri.toString()));
    const visible = problems.filter((problem) => {
      const key = keyOf(problem);
      const count = before.get(key) ?? 0;
      before.set(key, count - 1);
      return word === undefined || count > 0 || problem.range.end.isBefore(word);
    });
    this.#remember(uri, visible);
    return visible;
  }

  forget(uri: vscode.Uri): void {
    this.#shown.delete(uri.toString());
  }

  #remember(uri: vscode.Uri, visible: readonly vscode.Diagnostic[]): void {
    const counts = new Map<string, number>();
    for (const problem of visible) {
      const key = keyOf(problem);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    this.#shown.set(uri.toString(), counts);
  }
}

/** Identifies a problem while the surrounding text changes. */
function keyOf({ code, message }: vscode.Diagnostic): string {
  return JSON.stringify([typeof code === 'object' ? code.value : code, message]);
}
