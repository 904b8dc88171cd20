// Adds the datasets that a result names to the schema: one may have been created since it was fetched.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate({ schema, runner }: Context): vscode.Disposable {
  return runner.onDidFinish(({ deployment, end }) => {
    if (end.kind === 'result') schema.resultNamed(deployment, end.head.datasetNames);
  });
}
