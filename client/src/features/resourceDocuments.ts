// Opens a monitor, dashboard, view or annotation as a read-only document, and the query of those that
// have one as APL.
import * as vscode from 'vscode';
import { documentOf, documentText } from '../../../resources/src/documents.ts';
import { kinds } from '../../../resources/src/kinds.ts';
import { aplPlace } from '../../../resources/src/places.ts';
import type { Outcome } from '../api/failure.ts';
import type { Context } from '../context.ts';
import { showFailure } from '../notify.ts';
import { getRecord } from '../resources/calls.ts';
import {
  type DocumentAddress,
  type DocumentForm,
  documentParts,
  documentScheme,
  queryDocument,
  readAddress,
} from '../resources/documents.ts';
import type { Resource } from '../resources/resource.ts';

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
      const { noun, needs } = kinds[kind];
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
  const { kind, id } = address;
  const profile = context.deployments.find(address.deployment);
  if (!profile) {
    throw new Error(`The deployment "${address.deployment}" is no longer in the settings.`);
  }
  const service = await context.deployments.service(profile);
  const answer = service.ok ? await getRecord(service.value, kind, id) : service;
  if (!answer.ok) return answer;
  if (address.form === 'json') {
    return { ok: true, value: documentText(documentOf(kind, answer.value)) };
  }
  const apl = aplPlace(kind, answer.value, '')?.apl ?? '';
  const { name } = kinds[kind].show(answer.value, Date.now());
  return { ok: true, value: queryDocument(kinds[kind].noun, name, apl) };
}
