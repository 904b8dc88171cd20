// Load Sample Data…: the command. What it does is loaded with its first use.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';

export function activate(context: Context): vscode.Disposable {
  return vscode.commands.registerCommand('aplomb.generateSampleData', async () => {
    const { generateSampleData } = await import('../ingest/host/ingestUi.ts');
    return generateSampleData(context);
  });
}
