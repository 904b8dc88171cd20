// Delays new problems at or after the word that is being typed, until typing rests or the cursor leaves the word.
// Other problems are updated at once.
import type * as vscode from 'vscode';
import type { Typing } from './typing.ts';

export class CalmProblems {
  readonly #typing: Typing;
  /** How many times each problem is shown, by document and by the problem's key. */
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
    const shown = [...Map.groupBy(visible, keyOf)].map(
      ([key, same]) => [key, same.length] as const,
    );
    this.#shown.set(uri.toString(), new Map(shown));
    return visible;
  }

  forget(uri: vscode.Uri): void {
    this.#shown.delete(uri.toString());
  }
}

/** Returns a problem's key, which doesn't depend on the surrounding text. */
function keyOf({ code, message }: vscode.Diagnostic): string {
  return JSON.stringify([typeof code === 'object' ? code.value : code, message]);
}
