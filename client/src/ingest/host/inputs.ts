// Creates inputs from files, folders, editors, the clipboard, and drops from outside VS Code. A file that cannot be
// read becomes an input with a problem.
import { basename, dirname, relative } from 'node:path/posix';
import { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { naturalOrder } from '../../../../api/src/plain.ts';
import { counted, grouped } from '../../../../formats/src/counts.ts';
import { FileProblem, type FileSource } from '../../../../ingest/src/contract.ts';
import { type FileLink, resolveLink } from '../../../../ingest/src/read/links.ts';
import {
  diskSource,
  memorySource,
  outsideLinkProblem,
  sourceInFolder,
} from '../../../../ingest/src/read/sources.ts';
import { assertShareable } from '../sharedBytes.ts';
import type { IngestInput } from './engine.ts';
import { wholeFileSource } from './wholeFile.ts';

const FOLDER_FILES_MAX = 1_000;
const FOLDER_DEPTH_MAX = 8;

/** The kinds of files that are listed for a folder. The user may still select any other file directly. */
const knownKind =
  /\.(json|ndjson|jsonl|ldjson|csv|tsv|log|logfmt|txt)([.-]\d+)*(\.(gz|gzip|zst|zstd))?$/i;
/** Folders that tools create, which are not searched for files. */
const unwantedFolder = /^\.|^node_modules$/;

export interface Inputs {
  readonly inputs: readonly IngestInput[];
  /** A message about files that aren't listed, for example because they exceed the maximum. */
  readonly notice?: string;
}

/** A file's URI, or a dropped file, which has no URI in a browser. */
export type HandedFile = vscode.Uri | vscode.DataTransferFile;

export async function inputsOf(files: readonly HandedFile[]): Promise<Inputs> {
  const uris = files.flatMap((file) => (file instanceof vscode.Uri ? file : (file.uri ?? [])));
  const dropped = files.filter((file) => !(file instanceof vscode.Uri) && file.uri === undefined);
  const found = await addressedInputs(uris);
  const others = await Promise.all((dropped as vscode.DataTransferFile[]).map(droppedInput));
  return { ...found, inputs: [...found.inputs, ...others] };
}

/** Returns inputs for individually chosen files, all of which are included. */
export async function namedInputs(uris: readonly vscode.Uri[]): Promise<Inputs> {
  const sorted = uris.toSorted((a, b) => naturalOrder(a.path, b.path));
  const inputs = await Promise.all(sorted.map(fileInput));
  return { inputs: inputs.map((input) => ({ ...input, included: true })) };
}

/** Reads a dropped file without a URI. Never rejects. */
async function droppedInput(file: vscode.DataTransferFile): Promise<IngestInput> {
  const name = basename(file.name) || 'Dropped file';
  try {
    const bytes = await file.data();
    assertShareable({ name, size: bytes.length });
    return { source: memorySource(name, bytes), included: true };
  } catch (error) {
    const problem =
      error instanceof FileProblem
        ? error
        : new FileProblem(
            `${name} cannot be read. Drop the files of a folder, not the folder itself.`,
          );
    return { source: unreadable(name, problem), included: true };
  }
}

async function addressedInputs(uris: readonly vscode.Uri[]): Promise<Inputs> {
  const inputs: IngestInput[] = [];
  const notices: string[] = [];
  // Sort the files, because a selection is in click order.
  for (const uri of uris.toSorted((a, b) => naturalOrder(a.path, b.path))) {
    const type = await vscode.workspace.fs.stat(uri).then(
      (found) => found.type,
      () => vscode.FileType.Unknown,
    );
    if (type & vscode.FileType.Directory) {
      const listed = await folderInputs(uri, FOLDER_FILES_MAX - inputs.length);
      inputs.push(...listed.inputs);
      if (listed.notice !== undefined) notices.push(listed.notice);
    } else {
      // Exclude a link by default, because the user may not notice it among several files.
      const link = uris.length > 1 && type & vscode.FileType.SymbolicLink && (await linkOf(uri));
      inputs.push({ ...(await fileInput(uri)), ...(link && { link }), included: !link });
    }
  }
  return { inputs, ...(notices.length > 0 && { notice: notices.join(' ') }) };
}

async function folderInputs(folder: vscode.Uri, most: number): Promise<Inputs> {
  const { files, cut } = await filesBelow(folder, most);
  const inputs = await Promise.all(
    files.map(async ({ uri, isLink }): Promise<IngestInput> => {
      const below = relative(folder.path, dirname(uri.path));
      const input = await fileBelow(folder, uri, isLink);
      return {
        ...input,
        ...(below !== '' && { folder: below }),
        included: input.link === undefined,
      };
    }),
  );
  const name = basename(folder.path);
  const [first] = inputs;
  if (first !== undefined && inputs.length > 1) inputs[0] = { ...first, namedAfter: name };
  if (cut) {
    const notice = `${name} has more than ${grouped(most)} files of known kinds. Only the first are listed; ingest its folders one by one.`;
    return { inputs, notice };
  }
  if (inputs.length > 0) return { inputs };
  return {
    inputs,
    notice: `${name} has no JSON, NDJSON, CSV, TSV or log files. To ingest a file with another extension, select the file itself.`,
  };
}

interface FoundFile {
  readonly uri: vscode.Uri;
  readonly isLink: boolean;
}

/** Lists files of known kinds in a folder and its subfolders, without following links to folders. */
async function filesBelow(
  folder: vscode.Uri,
  most: number,
): Promise<{ readonly files: readonly FoundFile[]; readonly cut: boolean }> {
  const files: FoundFile[] = [];
  const open: { readonly uri: vscode.Uri; readonly depth: number }[] = [{ uri: folder, depth: 0 }];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const { uri, depth } = at;
    const entries = await vscode.workspace.fs.readDirectory(uri).then(
      (found) => found,
      () => [],
    );
    for (const [name, type] of entries.toSorted(([a], [b]) => naturalOrder(a, b))) {
      const entry = vscode.Uri.joinPath(uri, name);
      if (type === vscode.FileType.Directory) {
        if (depth < FOLDER_DEPTH_MAX && !unwantedFolder.test(name))
          open.push({ uri: entry, depth: depth + 1 });
      } else if (type & vscode.FileType.File && knownKind.test(name)) {
        if (files.length >= most) return { files, cut: true };
        files.push({ uri: entry, isLink: (type & vscode.FileType.SymbolicLink) !== 0 });
      }
    }
  }
  return { files, cut: false };
}

async function fileInput(uri: vscode.Uri): Promise<Omit<IngestInput, 'included'>> {
  return {
    source: await sourceOf(uri),
    uri: uri.toString(),
    ...(uri.scheme === 'file' && { reopen: () => diskSource(uri.fsPath) }),
  };
}

/** Opens a file in a chosen folder. Refuses a link if its target is outside the folder or unknown. Never rejects. */
async function fileBelow(
  folder: vscode.Uri,
  uri: vscode.Uri,
  isLink: boolean,
): Promise<Omit<IngestInput, 'included'>> {
  if (uri.scheme !== 'file') {
    if (!isLink) return fileInput(uri);
    // The target is unknown, because only the extension that provides the file knows it.
    const link = { target: 'an unknown file', isOutside: true };
    const name = basename(uri.path);
    return {
      source: unreadable(name, outsideLinkProblem(name, link.target)),
      uri: uri.toString(),
      link,
    };
  }
  const [root, path] = [folder.fsPath, uri.fsPath];
  const reopen = () => sourceInFolder(root, path);
  const link = await resolveLink(root, path).catch(() => undefined);
  return {
    source: await reopen().catch((error) => unreadable(basename(uri.path), error)),
    uri: uri.toString(),
    reopen,
    within: folder.toString(),
    ...(link && { link }),
  };
}

async function linkOf(uri: vscode.Uri): Promise<FileLink | undefined> {
  if (uri.scheme !== 'file') return { target: 'an unknown file', isOutside: false };
  const folder = vscode.Uri.joinPath(uri, '..').fsPath;
  const link = await resolveLink(folder, uri.fsPath).catch(() => undefined);
  return link && { ...link, isOutside: false };
}

export function fileAgain(uri: vscode.Uri, within: string | undefined) {
  return within === undefined ? fileInput(uri) : fileBelow(vscode.Uri.parse(within), uri, false);
}

/** Opens a file on disk, or one from another extension, which must be read in full. Never rejects. */
async function sourceOf(uri: vscode.Uri): Promise<FileSource> {
  const name = basename(uri.path) || uri.toString();
  try {
    if (uri.scheme === 'file') return await diskSource(uri.fsPath);
    const { size, mtime } = await vscode.workspace.fs.stat(uri);
    assertShareable({ name, size });
    return wholeFileSource({
      name,
      size,
      ...(mtime > 0 && { modified: mtime }),
      read: async () => vscode.workspace.fs.readFile(uri),
    });
  } catch (error) {
    return unreadable(name, error instanceof Error ? error : new Error(String(error)));
  }
}

/** Returns a source whose stream fails with the problem. */
function unreadable(name: string, problem: Error): FileSource {
  const fail = () => new Readable({ read: (): void => void 0, construct: (done) => done(problem) });
  return { name, size: 0, open: fail };
}

export async function editorInput(editor: vscode.TextEditor): Promise<IngestInput> {
  const { document, selections } = editor;
  const chosen = selections.filter(({ isEmpty }) => !isEmpty);
  const name = basename(document.uri.path) || 'Untitled';
  const uri = document.uri.toString();
  const [first] = chosen;
  if (first === undefined) {
    // Read an unchanged file from disk. Include the unsaved changes of other files.
    const onDisk = document.uri.scheme === 'file' && !document.isDirty;
    if (onDisk) return { ...(await fileInput(document.uri)), included: true };
    return { source: memorySource(name, document.getText()), uri, included: true };
  }
  if (chosen.length > 1) {
    const texts = chosen
      .toSorted((a, b) => a.start.compareTo(b.start))
      .map((one) => document.getText(one));
    const about = `${name} (${counted(chosen.length, 'selection')})`;
    return { source: memorySource(about, texts.join('\n')), namedAfter: name, included: true };
  }
  const text = document.getText(first);
  const from = first.start.line + 1;
  const to = first.end.character === 0 ? first.end.line : first.end.line + 1;
  const lines = from >= to ? `line ${from}` : `lines ${from} to ${to}`;
  return {
    source: memorySource(`${name} (${lines})`, text),
    namedAfter: name,
    uri,
    linesBefore: first.start.line,
    included: true,
  };
}

export function clipboardInput(text: string): IngestInput {
  return { source: memorySource('Clipboard', text), included: true };
}
