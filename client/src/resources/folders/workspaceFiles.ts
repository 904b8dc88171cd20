// A folder's files, accessed through VS Code, so that the folder may be remote. Links are reported and never followed.
import * as vscode from 'vscode';
import type { FolderFiles, ListedFile } from '../../../../resources/src/folder/files.ts';
import { checkNoLink } from '../../../../resources/src/folder/marker.ts';

export function workspaceFiles(folder: vscode.Uri): FolderFiles {
  const { fs } = vscode.workspace;
  const at = (path: string) => vscode.Uri.joinPath(folder, path);
  const isLink = async (path: string) => {
    const type = await fs.stat(at(path)).then(
      (found) => found.type,
      () => vscode.FileType.Unknown,
    );
    return isLinkType(type);
  };
  return {
    async list() {
      const files: ListedFile[] = [];
      for (const [name, type] of await entries(folder)) {
        const isLink = isLinkType(type);
        if (isLink || type !== vscode.FileType.Directory) files.push({ path: name, isLink });
        else if (!name.startsWith('.') && name !== 'node_modules') {
          for (const [inner, kind] of await entries(at(name))) {
            if (kind === vscode.FileType.Directory) continue;
            files.push({ path: `${name}/${inner}`, isLink: isLinkType(kind) });
          }
        }
      }
      return files;
    },
    async read(path) {
      const content = await fs.readFile(at(path));
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(content);
      } catch {
        return undefined;
      }
    },
    write: async (path, text) => {
      await checkNoLink(path, isLink);
      await fs.writeFile(at(path), new TextEncoder().encode(text));
    },
    // Uses the trash if possible, so that uncommitted edits can be restored.
    remove: async (path) => {
      await checkNoLink(path, isLink);
      const useTrash = fs.isWritableFileSystem(folder.scheme) === true && folder.scheme === 'file';
      try {
        await fs.delete(at(path), { useTrash });
      } catch (error) {
        if (!useTrash) throw error;
        await fs.delete(at(path));
      }
    },
  };
}

const isLinkType = (type: vscode.FileType) => (type & vscode.FileType.SymbolicLink) !== 0;

async function entries(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
    throw error;
  }
}
