// Reads all resources of a folder and finds the problems in its files, before anything is applied.

import { naturalOrder, stringifyJson } from '../../../api/src/plain.ts';
import { aplOf, isFileReference } from '../aplText.ts';
import { documentOf, readDocument } from '../documents.ts';
import { type KindName, kindNames, kinds } from '../kinds.ts';
import { hasConflictMarkers } from '../merge.ts';
import { MASK, unmaskedPaths } from '../secrets.ts';
import { type Members, textAt, valueAt, withValueAt } from '../value.ts';
import { type FileProblem, type FolderFiles, MARKER, problemAt } from './files.ts';
import { jsonProblem } from './jsonProblem.ts';
import { documentStem, type IdentifiedFile, keyOf, valuesAt } from './layout.ts';
import { type Lock, readLock } from './lock.ts';
import { FolderError, readMarker } from './marker.ts';
import { withoutNumber } from './names.ts';
import { checkCancelled, type OperationContext } from './store.ts';

export interface Entry {
  readonly kind: KindName;
  /** The JSON file. */
  readonly path: string;
  /** The file's name without folder and extension. */
  readonly stem: string;
  readonly key: string;
  readonly document: Members;
}

export interface FolderContent {
  /** The kinds whose resources are all in the folder. */
  readonly complete: readonly KindName[];
  /** The complete kinds, and kinds with any resource in the folder. */
  readonly kinds: readonly KindName[];
  readonly entries: readonly Entry[];
  /** Problems in the files. If there are any, nothing may be applied. */
  readonly problems: readonly FileProblem[];
  /** Unreferenced files. */
  readonly unused: readonly string[];
  /** The folder's lock; absent if the folder has none. */
  readonly lock?: Lock;
}

/** An APL problem at an offset of its text. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}

/** Returns the first syntax problem of each query, or undefined, in the queries' order. */
export type CheckSyntax = (
  queries: readonly string[],
) => Promise<readonly (SyntaxProblem | undefined)[]>;

/**
 * A query, its file, and the mapping of its offsets to the file. For APL in the JSON, `fileText` is the JSON up to it.
 */
interface Query {
  readonly path: string;
  readonly text: string;
  readonly fileText: string;
  /**
   * The offset in `fileText` at which `text` starts. Undefined for APL in the JSON, whose problems are reported at the
   * end of `fileText`.
   */
  readonly start: number | undefined;
}

/**
 * Reads a folder.
 * @throws FolderError if it isn't a folder of resources, or Cancelled.
 */
export async function readFolder(
  files: FolderFiles,
  checkSyntax: CheckSyntax,
  context: OperationContext = {},
): Promise<FolderContent> {
  const marker = await readMarker(files);
  if (marker === undefined) {
    throw new FolderError(
      `There is no ${MARKER} here, so this is not a folder of resources. Export resources to it first.`,
    );
  }
  const lock = await readLock(files);
  const paths = (await files.list()).map(({ path }) => path).toSorted(naturalOrder);
  const reader = new Reader(files, new Set(paths));
  await reader.readAll(context);
  const problems = [
    ...reader.problems,
    ...paths.filter((path) => kindOf(path)).flatMap(wrongExtension),
    ...duplicates(reader.entries),
    ...(await syntaxProblems(reader.queries, checkSyntax)),
  ];
  const usedKinds = new Set([...marker.kinds, ...reader.entries.map(({ kind }) => kind)]);
  return {
    complete: marker.kinds,
    kinds: kindNames.filter((kind) => usedKinds.has(kind)),
    entries: reader.entries,
    problems: problems.toSorted((a, b) => naturalOrder(a.path, b.path)),
    unused: paths.filter((path) => kindOf(path) && path.endsWith('.apl') && !reader.used.has(path)),
    ...(lock && { lock }),
  };
}

/**
 * Returns the problem of a file name that would be ignored, so that its resource would count as removed; none for other
 * names.
 */
function wrongExtension(path: string): FileProblem[] {
  const [ending = ''] = /\.(?:json|apl)$/i.exec(path) ?? [];
  const expected = ending.toLowerCase();
  if (ending === expected) return [];
  return [{ path, message: `The name must end in ${expected}, in lower case.` }];
}

function kindOf(path: string): KindName | undefined {
  const [folder, name, ...rest] = path.split('/');
  if (name === undefined || rest.length > 0) return undefined;
  return kindNames.find((kind) => kinds[kind].folder === folder);
}

/**
 * Lists the JSON files whose resource can be identified, even if their APL or other members cannot be read.
 * @throws Cancelled.
 */
export async function identifiableFiles(
  files: FolderFiles,
  selected: readonly KindName[],
  context: OperationContext = {},
): Promise<readonly IdentifiedFile[]> {
  const named: IdentifiedFile[] = [];
  for (const { path } of await files.list()) {
    const kind = kindOf(path);
    if (kind === undefined || !selected.includes(kind) || !path.endsWith('.json')) continue;
    checkCancelled(context);
    const text = await files.read(path);
    if (text === undefined || jsonProblem(text) !== undefined) continue;
    const read = readDocument(kind, text);
    const key = read.ok ? keyOf(kind, read.document) : undefined;
    if (key !== undefined) named.push({ kind, key, stem: stemOfPath(path) });
  }
  return named;
}

/** Returns a JSON file's name without folder and extension. */
function stemOfPath(path: string): string {
  return path.slice(path.indexOf('/') + 1, -'.json'.length);
}

class Reader {
  readonly entries: Entry[] = [];
  readonly problems: FileProblem[] = [];
  readonly queries: Query[] = [];
  /** The referenced APL files. */
  readonly used = new Set<string>();
  readonly #files: FolderFiles;
  readonly #paths: ReadonlySet<string>;

  constructor(files: FolderFiles, paths: ReadonlySet<string>) {
    this.#files = files;
    this.#paths = paths;
  }

  async readAll(context: OperationContext): Promise<void> {
    const paths = [...this.#paths]
      .filter((path) => path.endsWith('.json') && kindOf(path) !== undefined)
      .toSorted(naturalOrder);
    for (const [done, path] of paths.entries()) {
      checkCancelled(context);
      context.onProgress?.({ done, total: paths.length, message: path });
      await this.#read(kindOf(path) as KindName, path);
    }
  }

  async #read(kind: KindName, path: string): Promise<void> {
    const text = await this.#text(path);
    if (text === undefined) return;
    const broken = jsonProblem(text);
    if (broken !== undefined) {
      this.problems.push(problemAt(path, text, broken.offset, broken.message));
      return;
    }
    const read = readDocument(kind, text);
    if (!read.ok) {
      this.problems.push({ path, line: 1, column: 1, message: read.problem });
      return;
    }
    const document = await this.#withApl(kind, path, text, read.document);
    if (document === undefined) return;
    const key = keyOf(kind, document);
    if (key === undefined) {
      const members = kinds[kind].key.map((steps) => steps.join('.')).join(', ');
      const message = `The ${kinds[kind].noun} has nothing that identifies it. Add ${members}.`;
      this.problems.push({ path, line: 1, column: 1, message });
      return;
    }
    for (const secret of unmaskedPaths(kind, document)) {
      const at = text.indexOf(stringifyJson(valueAt(document, secret)));
      const message = `${secret.join('.')} contains a secret. Write "${MASK}" here, and enter the value on the deployment.`;
      this.problems.push(problemAt(path, text, Math.max(0, at), message));
    }
    this.entries.push({
      kind,
      path,
      stem: stemOfPath(path),
      key,
      document: documentOf(kind, document),
    });
  }

  /** Returns the document with its APL; undefined if one of its files can't be read. */
  async #withApl(
    kind: KindName,
    path: string,
    text: string,
    document: Members,
  ): Promise<Members | undefined> {
    let complete: unknown = document;
    let hasAll = true;
    for (const pattern of kinds[kind].apl) {
      for (const location of valuesAt(document, pattern.path, [])) {
        const value = valueAt(document, location);
        if (typeof value === 'string') {
          this.#queryIn(path, text, document, value, pattern.language);
          continue;
        }
        if (!isFileReference(value)) continue;
        const at = Math.max(0, text.indexOf(JSON.stringify(value.$file)));
        const apl = await this.#apl(path, text, at, value.$file, pattern.language);
        if (apl === undefined) hasAll = false;
        else complete = withValueAt(complete, location, apl);
      }
    }
    return hasAll ? (complete as Members) : undefined;
  }

  /** Collects APL in the JSON. Its lines aren't the file's lines, so problems are reported at its start. */
  #queryIn(
    path: string,
    fileText: string,
    document: Members,
    apl: string,
    language: 'query' | 'expression',
  ): void {
    if (apl.trim() === '') return;
    const at = Math.max(0, fileText.indexOf(JSON.stringify(apl)));
    const dataset = textAt(document, ['dataset']) ?? '';
    const text =
      language === 'query' ? apl : `['${dataset.replace(/[\\']/g, '\\$&')}'] | extend x = ${apl}`;
    this.queries.push({ path, text, fileText: fileText.slice(0, at), start: undefined });
  }

  async #apl(
    path: string,
    text: string,
    offset: number,
    name: string,
    language: 'query' | 'expression',
  ): Promise<string | undefined> {
    const problem = (message: string) => {
      this.problems.push(problemAt(path, text, offset, message));
      return undefined;
    };
    // A path could lead out of the folder.
    if (!/^[^/\\:]+\.apl$/.test(name)) {
      return problem(`"$file" must be the name of an .apl file next to this one.`);
    }
    const file = `${path.slice(0, path.indexOf('/'))}/${name}`;
    if (!this.#paths.has(file)) return problem(`The file ${file} does not exist.`);
    if (this.used.has(file)) return problem(`The file ${file} is referred to twice.`);
    this.used.add(file);
    const content = await this.#text(file);
    if (content === undefined) return undefined;
    const read = aplOf(content, language);
    if (read === undefined) {
      const message =
        "Expected an expression after a dataset and a name, such as ['logs'] | extend ['ratio'] = a / b.";
      this.problems.push({ path: file, line: 1, column: 1, message });
      return undefined;
    }
    if (read.apl.trim() !== '') {
      this.queries.push({ path: file, text: content, fileText: content, start: 0 });
    }
    return read.apl;
  }

  /** Reads a file's text. If it can't be used, reports a problem and returns undefined. */
  async #text(path: string): Promise<string | undefined> {
    // Repositories may change line ends.
    const text = (await this.#files.read(path))?.replaceAll('\r\n', '\n');
    if (text === undefined) {
      this.problems.push({ path, message: 'The file is not UTF-8 text.' });
      return undefined;
    }
    if (hasConflictMarkers(text)) {
      const at = /^<{7} /m.exec(text)?.index ?? 0;
      const message = 'The file has the marks of a merge conflict. Resolve it first.';
      this.problems.push(problemAt(path, text, at, message));
      return undefined;
    }
    return text;
  }
}

/** Returns a problem for each of several files of one resource, except files numbered by an export. */
function duplicates(entries: readonly Entry[]): FileProblem[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const id = `${entry.kind} ${entry.key}`;
    const group = groups.get(id);
    if (group) group.push(entry);
    else groups.set(id, [entry]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return [];
    const { kind, document } = first;
    const stem = documentStem(kind, document);
    if (kinds[kind].idBy === 'service' && group.every((one) => withoutNumber(one.stem) === stem)) {
      return [];
    }
    const { noun, key } = kinds[kind];
    const members = key.map((steps) => steps.join('.')).join(' or ');
    return group.map(({ path }) => ({
      path,
      line: 1,
      column: 1,
      message: `The same ${noun} is in ${listOthers(group, path)}. Keep one, or change its ${members}.`,
    }));
  });
}

/** Maximum files listed, so that messages stay short. */
const OTHERS_MAX = 3;

function listOthers(group: readonly Entry[], own: string): string {
  const shown = group
    .slice(0, OTHERS_MAX + 1)
    .map(({ path }) => path)
    .filter((path) => path !== own)
    .slice(0, OTHERS_MAX);
  const more = group.length - 1 - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

async function syntaxProblems(
  queries: readonly Query[],
  checkSyntax: CheckSyntax,
): Promise<FileProblem[]> {
  const found = await checkSyntax(queries.map(({ text }) => text));
  return queries.flatMap(({ path, fileText, start }, index) => {
    const problem = found[index];
    if (problem === undefined) return [];
    const offset = start === undefined ? fileText.length : start + problem.offset;
    return [problemAt(path, fileText, offset, problem.message)];
  });
}
