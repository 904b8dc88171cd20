// Opens a monitor, dashboard, view or annotation as a read-only document, and the query of those that
// have one as APL.
import * as vscode from 'vscode';
import { stringifyJson } from '../../../api/src/plain.ts';
import type { Outcome } from '../api/failure.ts';
import type { Context } from '../context.ts';
import { showFailure } from '../notify.ts';
import {
  type DocumentAddress,
  type DocumentForm,
  documentParts,
  documentScheme,
  queryDocument,
  readAddress,
} from '../resources/documents.ts';
import { type Resource, resourceKinds } from '../resources/kinds.ts';

export function activate(context: Context): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** Texts fetched by the command that opens them, until the editor asks for them. */
  const fetched = new Map<string, string>();

  const open = async (resource: Resource, form: DocumentForm): Promise<vscode.Uri | undefined> => {
    const { active } = context.deployments;
    const uri = vscode.Uri.from({
      scheme: documentScheme,
      ...documentParts(active.name, resource, form),
    });
    const { kind, id } = resource;
    const text = await fetchText(context, { deployment: active.name, kind, id, form });
    if (!text.ok) {
      const { noun, needs } = resourceKinds[kind];
      showFailure(`Cannot open the ${noun} ${resource.name}`, text.failure, {
        local: active.kind === 'local',
        needs,
      });
      return undefined;
    }
    fetched.set(uri.toString(), text.value);
    changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
    return uri;
  };

  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const key = uri.toString();
      const ready = fetched.get(key);
      fetched.delete(key);
      if (ready !== undefined) return ready;
      const address = readAddress(uri.query);
      if (!address) throw new Error('The URI does not identify a document of a deployment.');
      const text = await fetchText(context, address);
      if (!text.ok) throw new Error(text.failure.message);
      return text.value;
    },
  };

  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, provider),
    vscode.commands.registerCommand('aplomb.openResource', (resource: Resource) =>
      open(resource, 'json'),
    ),
    vscode.commands.registerCommand('aplomb.openResourceQuery', (resource: Resource) =>
      open(resource, 'apl'),
    ),
  );
}

async function fetchText(context: Context, address: DocumentAddress): Promise<Outcome<string>> {
  const row = resourceKinds[address.kind];
  const profile = context.deployments.find(address.deployment);
  if (!profile) {
    throw new Error(`The deployment "${address.deployment}" is no longer in the settings.`);
  }
  const service = await context.deployments.service(profile);
  const answer = service.ok ? await row.get(service.value, address.id) : service;
  if (!answer.ok) return answer;
  if (address.form === 'json') return { ok: true, value: `${stringifyJson(answer.value, 2)}\n` };
  const { name, aplQuery } = answer.value as { name?: unknown; aplQuery?: unknown };
  const apl = typeof aplQuery === 'string' ? aplQuery : '';
  return { ok: true, value: queryDocument(row.noun, String(name ?? address.id), apl) };
}
