// The language status item of APL editors: the language server's state, and how fresh the known datasets
// and fields are. Refresh Schema fetches them again.
import * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { languageId } from '../languageClient.ts';
import type { FetchedList } from '../schemaCache.ts';

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
    fields.detail = schemaDetail(schema);
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
  const { name } = deployments.active;
  switch (state.kind) {
    case 'unknown':
      return `${name}: schema not loaded`;
    case 'loading':
      return state.earlier
        ? `${name}: ${freshness(state.earlier)}; refreshing`
        : `${name}: loading schema`;
    case 'failed':
      return state.earlier
        ? `${name}: ${freshness(state.earlier)}; refresh failed`
        : `${name}: schema not available`;
    case 'known':
      return `${name}: ${freshness(state)}`;
  }
}

function schemaDetail({ state }: Context['schema']): string {
  const isOld = 'earlier' in state && state.earlier !== undefined;
  const left = isOld ? 'Unknown names are not reported until the schema is refreshed.' : '';
  return state.kind === 'failed' ? `${state.failure.message} ${left}`.trim() : left;
}

function freshness({ datasets, fetchedAt }: FetchedList): string {
  return `${datasets} ${datasets === 1 ? 'dataset' : 'datasets'}, updated ${age(Date.now() - fetchedAt)}`;
}

function age(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
