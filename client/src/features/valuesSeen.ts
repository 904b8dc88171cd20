// Sends a result's values to the language server for completion. They are kept in its memory only.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate(context: Context): vscode.Disposable {
  const { language, answers, log, runner } = context;
  return runner.onDidFinish(async ({ query, end, deployment }) => {
    if (end.kind !== 'result') return;
    try {
      const columns = [...(await answers.valuesToOffer(end.answer))];
      if (columns.length > 0) language.tellValuesSeen({ deployment, query: query.text, columns });
    } catch (error) {
      log.error('Collecting the values of a result', error);
    }
  });
}
