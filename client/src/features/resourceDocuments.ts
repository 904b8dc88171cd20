// Resources as documents that can be edited, and the commands on them. What does the work is loaded with the first
// of them, since few windows open one.
import * as vscode from 'vscode';
import type { KindName } from '../../../resources/src/kinds.ts';
import { kinds } from '../../../resources/src/kinds.ts';
import type { Context } from '../context.ts';
import { newCommand, refreshCommand, viewOf } from '../resources/commands.ts';
import { type DocumentAddress, documentScheme } from '../resources/documents.ts';
import type { DraftOptions } from '../resources/files/actions.ts';
import type { ResourceUi } from '../resources/files/resourceUi.ts';
import type { Resource } from '../resources/resource.ts';
import { registerCommand } from '../ui/commands.ts';
import { itemDeleted } from '../ui/trees.ts';

export function activate(context: Context): vscode.Disposable {
  let loaded: Promise<ResourceUi> | undefined;
  const events = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const ui = (): Promise<ResourceUi> => {
    loaded ??= import('../resources/files/resourceUi.ts').then((module) => {
      const made = new module.ResourceUi(context);
      made.files.onDidChangeFile((changes) => events.fire(changes));
      made.files.onDidStore(({ profile, kind, record }) => {
        // Queries start from views and read virtual fields.
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
    return loaded;
  };
  const files = async () => (await ui()).files;
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: events.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (uri, content) => (await files()).writeFile(uri, content),
    readDirectory: async () => (await files()).readDirectory(),
    createDirectory: async (uri) => (await files()).createDirectory(uri),
    delete: async (uri) => (await files()).delete(uri),
    rename: async (uri) => (await files()).rename(uri),
  };
  const creatable = (Object.keys(kinds) as KindName[]).filter((kind) => kinds[kind].draft);
  return vscode.Disposable.from(
    events,
    vscode.workspace.registerFileSystemProvider(documentScheme, provider, {
      isCaseSensitive: true,
    }),
    registerCommand('aplomb.openResource', async (node: unknown) =>
      (await ui()).open(resourceIn(node), 'json'),
    ),
    registerCommand('aplomb.openResourceQuery', async (node: unknown) =>
      (await ui()).open(resourceIn(node), 'apl'),
    ),
    registerCommand('aplomb.openPlace', async (address: DocumentAddress) =>
      (await ui()).openAddress(address, ''),
    ),
    registerCommand('aplomb.duplicateResource', async (node: unknown) =>
      (await ui()).actions.duplicate(resourceIn(node)),
    ),
    registerCommand('aplomb.deleteResource', async (node: unknown) => {
      const resource = resourceIn(node);
      const isDeleted = await (await ui()).actions.delete(resource);
      if (isDeleted) itemDeleted(viewOf(resource.kind));
      return isDeleted;
    }),
    registerCommand('aplomb.createFromQuery', async (uri?: unknown) =>
      (await ui()).actions.createFromQuery(uri),
    ),
    registerCommand('aplomb.compareConflict', async (uri?: unknown) =>
      (await files()).conflicts.compare(uri),
    ),
    registerCommand('aplomb.mergeConflict', async (uri?: unknown) =>
      (await files()).conflicts.choose('merge', uri),
    ),
    registerCommand('aplomb.overwriteConflict', async (uri?: unknown) =>
      (await files()).conflicts.choose('overwrite', uri),
    ),
    registerCommand('aplomb.reloadConflict', async (uri?: unknown) =>
      (await files()).conflicts.choose('reload', uri),
    ),
    // A hidden command: the lenses above marked conflicts pass its arguments.
    registerCommand('aplomb.chooseSide', async (uri: vscode.Uri, index: number, side) =>
      (await files()).conflicts.chooseSide(uri, index, side === 'mine' ? 'mine' : 'theirs'),
    ),
    registerCommand('aplomb.renameResource', async (node: unknown) =>
      (await ui()).actions.rename(resourceIn(node)),
    ),
    registerCommand('aplomb.copyResourceName', (node: unknown) =>
      vscode.env.clipboard.writeText(resourceIn(node).name),
    ),
    ...creatable.map((kind) =>
      registerCommand(newCommand(kind), async (options?: unknown) =>
        (await ui()).actions.create(kind, draftOptions(options)),
      ),
    ),
    new vscode.Disposable(() => void loaded?.then((made) => made.dispose())),
  );
}

/** The resource of an item of a tree, or one that a caller hands over. */
function resourceIn(node: unknown): Resource {
  const { resource } = node as { readonly resource?: Resource };
  return resource ?? (node as Resource);
}

/** Returns the draft of a new resource, from a caller or from a tree item's dataset. */
function draftOptions(given: unknown): DraftOptions {
  const { dataset, apl, name } = (given ?? {}) as Readonly<Record<string, unknown>>;
  const named =
    typeof dataset === 'object' ? (dataset as { name?: unknown } | null)?.name : dataset;
  return {
    ...(typeof named === 'string' && { dataset: named }),
    ...(typeof apl === 'string' && { apl }),
    ...(typeof name === 'string' && { name }),
  };
}
