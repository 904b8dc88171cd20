// Marks the service's errors about a query in the editor.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate({ marks, runner }: Context): vscode.Disposable {
  return vscode.Disposable.from(
    runner.onDidStart(({ query }) => marks.clear(query)),
    runner.onDidFinish(({ query, end }) => {
      if (end.kind === 'failed' && end.failure) marks.show(query, end.failure);
    }),
  );
}
