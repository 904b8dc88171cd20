// The file system that presents resources as editable documents, and the commands for resources.

import * as vscode from 'vscode';
import { kindNames, kinds } from '../../../resources/src/kinds.ts';
import type { Context } from '../context.ts';
import { type DocumentAddress, documentScheme } from '../deployments/resourceAddress.ts';
import { datasetTarget } from '../host/commandTargets.ts';
import { loadedLater } from '../host/loadedLater.ts';
import { newCommand, refreshCommand, viewOf } from '../resources/commands.ts';
import type { DraftOptions } from '../resources/files/actions.ts';
import type { Choice } from '../resources/files/conflicts.ts';
import type { Resource } from '../resources/resource.ts';
import { registerCommand, registerCommands } from '../ui/commands.ts';
import { itemDeleted } from '../ui/trees.ts';

export function activate(context: Context): vscode.Disposable {
  const events = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const ui = loadedLater(async () => {
    const { ResourceUi } = await import('../resources/files/resourceUi.ts');
    const made = new ResourceUi(context);
    made.files.tabs.onDidChangeFile((changes) => events.fire(changes));
    made.files.onDidStore(({ profile, kind, record }) => {
      // Invalidate the schema, because it includes views and virtual fields.
      if (kind === 'views') context.schema.invalidate(undefined, profile.name);
      const { dataset } = record;
      if (kinds[kind].scope === 'dataset' && typeof dataset === 'string') {
        context.schema.invalidate([dataset], profile.name);
      }
      if (profile.name !== context.deployments.active.name) return;
      const refresh = refreshCommand(kind);
      if (refresh !== undefined) void vscode.commands.executeCommand(refresh);
    });
    return made;
  });
  const files = async () => (await ui.get()).files;
  const actions = async () => (await ui.get()).actions;
  const choose = (choice: Choice) => async (uri?: unknown) =>
    (await files()).conflicts.choose(choice, uri);
  const refuse = async (uri: vscode.Uri): Promise<never> => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: events.event,
    // Watch nothing, because deployments don't report changes.
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (uri, content) => (await files()).writeFile(uri, content),
    readDirectory: async (uri) => {
      throw vscode.FileSystemError.FileNotADirectory(uri);
    },
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    ui,
    events,
    vscode.workspace.registerFileSystemProvider(documentScheme, provider, {
      isCaseSensitive: true,
    }),
    registerCommands({
      'aplomb.openResource': async (node) => (await ui.get()).open(resourceIn(node), 'json'),
      'aplomb.openResourceQuery': async (node) => (await ui.get()).open(resourceIn(node), 'apl'),
      'aplomb.openPlace': async (address: DocumentAddress) =>
        (await ui.get()).openAddress(address, ''),
      'aplomb.duplicateResource': async (node) => (await actions()).duplicate(resourceIn(node)),
      'aplomb.deleteResource': async (node) => {
        const resource = resourceIn(node);
        const isDeleted = await (await actions()).delete(resource);
        if (isDeleted) itemDeleted(viewOf(resource.kind));
        return isDeleted;
      },
      'aplomb.createFromQuery': async (uri) => (await actions()).createFromQuery(uri),
      'aplomb.compareConflict': async (uri) => (await files()).conflicts.compare(uri),
      'aplomb.mergeConflict': choose('merge'),
      'aplomb.overwriteConflict': choose('overwrite'),
      'aplomb.reloadConflict': choose('reload'),
      // Run by the code lenses of a conflict. The palette hides this command.
      'aplomb.chooseSide': async (uri: vscode.Uri, index: number, side) =>
        (await files()).conflicts.chooseSide(uri, index, side === 'mine' ? 'mine' : 'theirs'),
      'aplomb.renameResource': async (node) => (await actions()).rename(resourceIn(node)),
      'aplomb.copyResourceName': (node) => vscode.env.clipboard.writeText(resourceIn(node).name),
    }),
    ...kindNames
      .filter((kind) => kinds[kind].draft)
      .map((kind) =>
        registerCommand(newCommand(kind), async (options?: unknown) =>
          (await actions()).create(kind, draftOptions(options)),
        ),
      ),
  );
}

function resourceIn(node: unknown): Resource {
  const { resource } = node as { readonly resource?: Resource };
  return resource ?? (node as Resource);
}

function draftOptions(given: unknown): DraftOptions {
  const { apl, name } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const dataset = typeof given === 'object' ? datasetTarget(given)?.dataset : undefined;
  return {
    ...(dataset !== undefined && { dataset }),
    ...(typeof apl === 'string' && { apl }),
    ...(typeof name === 'string' && { name }),
  };
}
