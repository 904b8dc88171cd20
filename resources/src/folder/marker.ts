// Reads the file that marks a folder as an export. It lists the kinds whose resources are all in the folder, so that a
// kind never exported isn't mistaken for one without resources.
import { isKind, type KindName, kinds } from '../kinds.ts';
import { isMembers } from '../value.ts';
import {
  type FileProblem,
  FORMAT,
  type FolderFiles,
  foldedPath,
  type ListedFile,
  MARKER,
  problemAt,
  problemText,
} from './files.ts';
import { jsonProblem } from './jsonProblem.ts';
import { hasOtherLockFormat, LOCK, LOCK_FORMAT } from './lock.ts';

export interface Marker {
  readonly kinds: readonly KindName[];
}

/** The names that an export writes in the folder, except `.gitattributes`. */
const exportedNames: ReadonlySet<string> = new Set([
  MARKER,
  LOCK,
  ...Object.values(kinds).map(({ folder }) => folder),
]);

/** The folder can't be used in its current state. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
}

/**
 * Reads the marker; undefined if the folder has no resources or doesn't exist.
 * @throws FolderError if the folder can't be used.
 */
export async function readMarker(files: FolderFiles): Promise<Marker | undefined> {
  const listed = await files.list();
  const own = listed.find(({ path }) => path === MARKER);
  // Other spellings count too, because some file systems treat them as the same file or folder.
  const isOurs = ({ path }: ListedFile) => exportedNames.has(foldedPath(folderIn(path)));
  // Any link directly in the folder is refused, because file systems have too many spellings of a name to compare.
  const link = listed.find((file) => file.isLink && (!file.path.includes('/') || isOurs(file)));
  if (link !== undefined) throw linkError(link.path);
  if (own === undefined) {
    const other = listed.find(isOurs);
    if (other === undefined) return undefined;
    throw new FolderError(
      `The folder has ${other.path} but no ${MARKER}, so it is not a folder of resources. Choose an empty folder, or one that resources were exported to.`,
    );
  }
  const odd = listed.find((file) => isOurs(file) && !exportedNames.has(folderIn(file.path)));
  if (odd !== undefined) {
    const name = folderIn(odd.path);
    // Otherwise its resources would count as removed, or its digests wouldn't be found.
    throw new FolderError(`${name} must be named ${foldedPath(name)}. Rename it.`);
  }
  if (listed.some(({ path }) => path === LOCK) && (await hasOtherLockFormat(files))) {
    throw new FolderError(
      `${LOCK}: Expected "format": ${LOCK_FORMAT}. A newer version may have written it.`,
    );
  }
  const read = markerOf((await files.read(MARKER)) ?? '');
  if ('message' in read) throw new FolderError(problemText(read));
  return read;
}

function linkError(path: string): FolderError {
  return new FolderError(
    `${path} is a link, through which other files would be written. Replace it with what it links to, or choose another folder.`,
  );
}

/**
 * Checks a path and its top folder for links. One may have appeared since the folder was listed, for example while
 * waiting for confirmation.
 * @throws FolderError if there is a link.
 */
export async function checkNoLink(
  path: string,
  isLink: (path: string) => Promise<boolean>,
): Promise<void> {
  for (const part of new Set([folderIn(path), path])) if (await isLink(part)) throw linkError(part);
}

function folderIn(path: string): string {
  return path.split('/')[0] ?? '';
}

function markerOf(text: string): Marker | FileProblem {
  const broken = jsonProblem(text);
  if (broken !== undefined) return problemAt(MARKER, text, broken.offset, broken.message);
  const value: unknown = JSON.parse(text);
  if (!isMembers(value) || value['format'] !== FORMAT || !Array.isArray(value['kinds'])) {
    return {
      path: MARKER,
      message: `Expected an object with "format": ${FORMAT} and "kinds". A newer version may have written it.`,
    };
  }
  const unknown = value['kinds'].find((kind) => !isKind(String(kind)));
  if (unknown !== undefined) {
    return { path: MARKER, message: `${JSON.stringify(unknown)} is not a kind of resource.` };
  }
  return { kinds: value['kinds'] as KindName[] };
}
