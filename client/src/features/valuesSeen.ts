// Tells the language server which values a result shows, so that completion offers them; they stay in the
// memory of its process and are written nowhere.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { valuesToOffer } from '../results/distinct.ts';

export function activate({ language, runner }: Context): vscode.Disposable {
  return runner.onDidFinish(({ query, state }) => {
    if (state.kind !== 'result') return;
    const columns = valuesToOffer(state.result);
    if (columns.length > 0) language.tellValuesSeen({ query: query.text, columns });
  });
}
