// The language status item of APL editors: the language server's state, and how fresh the known datasets
// and fields are. Refresh Schema fetches them again.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';

const TICK_MS = 60_000;

export function activate(context: Context): vscode.Disposable {
  const { schema, language } = context;
  const selector = { language: languageId };
  const fields = vscode.languages.createLanguageStatusItem('aplomb.schema', selector);
  fields.name = 'APL Schema';
  fields.command = { title: 'Refresh', command: 'aplomb.refreshSchema' };
  const server = vscode.languages.createLanguageStatusItem('aplomb.server', selector);
  server.name = 'APL Language Server';
  server.command = { title: 'Restart', command: 'aplomb.restartLanguageServer' };

  const show = (): void => {
    const { state } = schema;
    fields.busy = state.kind === 'loading';
    fields.severity =
      state.kind === 'failed'
        ? vscode.LanguageStatusSeverity.Warning
        : vscode.LanguageStatusSeverity.Information;
    fields.text = schemaText(context);
    fields.detail = state.kind === 'failed' ? state.failure.message : '';
    server.text = `Language server: ${language.state}`;
    server.busy = language.state === 'starting';
    server.severity =
      language.state === 'stopped'
        ? vscode.LanguageStatusSeverity.Warning
        : vscode.LanguageStatusSeverity.Information;
  };
  const ticking = setInterval(show, TICK_MS);
  show();
  return vscode.Disposable.from(
    fields,
    server,
    { dispose: () => clearInterval(ticking) },
    schema.onDidChangeState(show),
    language.onDidChangeState(show),
    vscode.commands.registerCommand('aplomb.refreshSchema', () => {
      if (!context.deployments.retry()) schema.invalidate();
    }),
  );
}

function schemaText({ schema, deployments }: Context): string {
  const { state } = schema;
  switch (state.kind) {
    case 'unknown':
      return `${deployments.active.name}: schema not loaded`;
    case 'loading':
      return `${deployments.active.name}: loading schema`;
    case 'failed':
      return `${deployments.active.name}: schema not available`;
    case 'known': {
      const minutes = Math.floor((Date.now() - state.fetchedAt) / 60_000);
      const age = minutes === 0 ? 'just now' : `${minutes} min ago`;
      return `${deployments.active.name}: ${state.datasets} ${state.datasets === 1 ? 'dataset' : 'datasets'}, updated ${age}`;
    }
  }
}
