// Language status items for APL editors: the language server's state, and the schema's age with Refresh Schema.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { deploymentStatedBy } from '../deployments/fileDeployment.ts';
import { languageId } from '../host/languageId.ts';
import { schemaDetail, schemaText } from '../schema/freshness.ts';
import { registerCommand } from '../ui/commands.ts';
import { createLanguageStatusItem } from '../ui/statusItems.ts';

const TICK_MS = 60_000;

export function activate(context: Context): vscode.Disposable {
  const { schema, language } = context;
  const selector = { language: languageId };
  const fields = createLanguageStatusItem('aplomb.schema', selector);
  fields.name = 'APL Schema';
  fields.command = { title: 'Refresh', command: 'aplomb.refreshSchema' };
  const server = createLanguageStatusItem('aplomb.server', selector);
  server.name = 'APL Language Server';
  server.command = { title: 'Restart', command: 'aplomb.restartLanguageServer' };

  const shown = (): string => {
    const document = vscode.window.activeTextEditor?.document;
    return (document && deploymentStatedBy(document)) ?? schema.deployment;
  };
  const show = (): void => {
    const name = shown();
    const state = schema.stateOf(name);
    fields.busy = state.kind === 'loading';
    fields.severity = severity(state.kind === 'failed');
    fields.text = schemaText(name, state);
    fields.detail = schemaDetail(state);
    server.text = `Language server: ${language.state}`;
    server.busy = language.state === 'starting';
    server.severity = severity(language.state === 'stopped');
  };
  const ticking = setInterval(show, TICK_MS);
  show();
  return vscode.Disposable.from(
    fields,
    server,
    { dispose: () => clearInterval(ticking) },
    schema.onDidChangeState(show),
    schema.onDidChangeActive(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    language.onDidChangeState(show),
    registerCommand('aplomb.refreshSchema', () => {
      const name = shown();
      if (name !== schema.deployment) schema.invalidate(undefined, name);
      if (!context.deployments.retry()) schema.invalidate();
    }),
  );
}

function severity(isWarning: boolean): vscode.LanguageStatusSeverity {
  const { Information, Warning } = vscode.LanguageStatusSeverity;
  return isWarning ? Warning : Information;
}
