// Load Sample Data…, loaded with its first use.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { registerCommand } from '../ui/commands.ts';

export function activate(context: Context): vscode.Disposable {
  return registerCommand('aplomb.generateSampleData', async () => {
    const { generateSampleData } = await import('../ingest/host/ingestUi.ts');
    return generateSampleData(context);
  });
}
