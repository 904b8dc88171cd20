// Determines the files that contain a kind's resources, and their content.

import { type AplLocation, aplLocations } from '../aplLocations.ts';
import { aplText, canStoreInFile, fileReference, isFileReference } from '../aplText.ts';
import { documentText } from '../documents.ts';
import { type KindName, kinds } from '../kinds.ts';
import { type Members, type Path, textAt, valueAt, withValueAt } from '../value.ts';
import { foldedPath } from './files.ts';
import { stemOf, withNumber } from './names.ts';

export interface FileText {
  /** The path below the folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files of one resource: its JSON first, then its APL. */
export interface ResourceFiles {
  readonly path: string;
  readonly document: Members;
  readonly files: readonly FileText[];
}

/** Returns the values that identify a document within its kind, as one string; undefined if all are empty. */
export function keyOf(kind: KindName, document: Members): string | undefined {
  const values = keyValues(kind, document);
  return values.every((value) => value === '') ? undefined : JSON.stringify(values);
}

/** Counts the documents per key. */
export function countByKey(
  kind: KindName,
  documents: readonly Members[],
): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const document of documents) {
    const key = keyOf(kind, document);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function keyValues(kind: KindName, document: Members): string[] {
  return kinds[kind].key.map((path) => textAt(document, path) ?? '');
}

/** Returns the display name of a document's resource. */
export function titleOf(kind: KindName, document: Members): string {
  const { name } = kinds[kind];
  return textAt(document, name) ?? keyValues(kind, document).filter(Boolean).join(' ');
}

/** Returns the name of a document's file without folder, number and extension. */
export function documentStem(kind: KindName, document: Members): string {
  const { key, name, folder } = kinds[kind];
  const values = keyValues(kind, document);
  const isNamed = key.some((path) => samePath(path, name));
  const label = isNamed ? values.join(' ') : titleOf(kind, document);
  return stemOf(label, values, folder.replace(/s$/, ''));
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}

/**
 * Returns the files of all documents of a kind, sorted by path. Documents with the same name are numbered by content,
 * so that they have the same files on any deployment. A resource keeps its existing file if either is renamed, so that
 * the folder never has it twice.
 */
export function layout(
  kind: KindName,
  documents: readonly Members[],
  existing: readonly IdentifiedFile[] = [],
): ResourceFiles[] {
  const stems = assignStems(kind, documents, existing);
  return documents
    .map((document, index) => resourceFiles(kind, document, stems[index] ?? ''))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A JSON file of a folder: its name without folder and extension, and its resource's key. */
export interface IdentifiedFile {
  readonly kind: KindName;
  readonly stem: string;
  readonly key: string;
}

/** Returns the documents' file names: existing names if they fit, otherwise the resources' own. */
function assignStems(
  kind: KindName,
  documents: readonly Members[],
  existing: readonly IdentifiedFile[],
): string[] {
  const own = stemsOf(kind, documents);
  const stemsByKey = new Map<string | undefined, string[]>();
  for (const { key, stem, kind: of } of existing) {
    if (of === kind && isStem(stem)) stemsByKey.set(key, [...(stemsByKey.get(key) ?? []), stem]);
  }
  if (stemsByKey.size === 0) return own;
  const counts = countByKey(kind, documents);
  const stems = own.map((stem, index) => {
    const key = keyOf(kind, documents[index] as Members);
    const existingStems = counts.get(key) === 1 ? (stemsByKey.get(key) ?? []) : [];
    return existingStems.includes(stem) ? stem : (existingStems[0] ?? stem);
  });
  // Two resources can't share a file, so those that kept a name revert to their own, which may cause another clash.
  for (;;) {
    const users = new Map<string, number>();
    for (const stem of stems.map(foldedPath)) users.set(stem, (users.get(stem) ?? 0) + 1);
    const clashes = [...stems.keys()].filter(
      (at) => stems[at] !== own[at] && users.get(foldedPath(stems[at] as string)) !== 1,
    );
    if (clashes.length === 0) return stems;
    for (const at of clashes) stems[at] = own[at] as string;
  }
}

/** Returns whether an APL file next to the JSON can have this name. */
function isStem(stem: string): boolean {
  return !/[\\:]/.test(stem);
}

/** Returns the file names of documents, in their order. */
export function stemsOf(kind: KindName, documents: readonly Members[]): string[] {
  const groups = new Map<string, { readonly text: string; readonly index: number }[]>();
  for (const [index, document] of documents.entries()) {
    const stem = documentStem(kind, document);
    const group = groups.get(stem) ?? [];
    groups.set(stem, group);
    group.push({ text: documentText(document), index });
  }
  const stems: string[] = [];
  for (const [stem, group] of groups) {
    group.sort((a, b) => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1));
    for (const [number, { index }] of group.entries()) stems[index] = withNumber(stem, number);
  }
  return stems;
}

/** Returns the files of one document whose name is known. */
export function resourceFiles(kind: KindName, document: Members, stem: string): ResourceFiles {
  const { folder } = kinds[kind];
  const about = {
    dataset: textAt(document, ['dataset']) ?? '',
    name: textAt(document, ['name']) ?? '',
  };
  const locations = aplLocations(kind, document).filter(({ apl }) => canStoreInFile(apl));
  const taken = new Map<string, number>();
  const apl: FileText[] = [];
  let json: unknown = document;
  for (const location of locations) {
    const base = aplStem(stem, location);
    const number = taken.get(base) ?? 0;
    taken.set(base, number + 1);
    const name = `${withNumber(base, number)}.apl`;
    json = withValueAt(json, location.path, fileReference(name));
    apl.push({ path: `${folder}/${name}`, text: aplText(location.apl, location.language, about) });
  }
  const path = `${folder}/${stem}.json`;
  return { path, document, files: [{ path, text: documentText(json as Members) }, ...apl] };
}

/**
 * Returns an APL file's name. If resources of the kind can have several pieces of APL, the name also includes the
 * owner's.
 */
function aplStem(stem: string, { key, owner }: AplLocation): string {
  return key === '' ? stem : `${stem}.${stemOf(owner, [key], 'chart')}`;
}

/** Returns the path of a value that would be read as a file reference instead of APL; undefined if there is none. */
function referenceIn(kind: KindName, document: Members): Path | undefined {
  return kinds[kind].apl
    .flatMap(({ path }) => valuesAt(document, path, []))
    .find((path) => isFileReference(valueAt(document, path)));
}

/** Returns the reason a document can't be read back from files, as a sentence; undefined if it can. */
export function notWritableReason(kind: KindName, document: Members): string | undefined {
  const reference = referenceIn(kind, document);
  if (reference !== undefined) return `Its ${reference.join('.')} is not text.`;
  if (keyOf(kind, document) !== undefined) return undefined;
  const members = kinds[kind].key.map((path) => path.join('.')).join(', ');
  return members === 'name' ? 'It has no name.' : `It has none of ${members}.`;
}

/** Returns the paths that match a pattern, in which `*` matches each item. */
export function valuesAt(value: unknown, pattern: readonly string[], before: Path): Path[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return [before];
  if (step === '*') {
    const items = valueAt(value, before);
    if (!Array.isArray(items)) return [];
    return items.flatMap((_, index) => valuesAt(value, rest, [...before, index]));
  }
  const path = [...before, step];
  return valueAt(value, path) === undefined ? [] : valuesAt(value, rest, path);
}
