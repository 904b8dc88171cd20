// Tells the language server which values a result shows, so that completion offers them; they stay in the
// memory of its process and are written nowhere.
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
