// The files of a folder, as the command line and VS Code provide them.

/** Paths are below the folder, with slashes. Rejects with an error whose message a person can read. */
export interface FolderFiles {
  /** The files in the folder and in the folders directly in it; empty where the folder is not there. */
  list(): Promise<readonly ListedFile[]>;
  /** Undefined where the file is not UTF-8. A byte order mark is left out. */
  read(path: string): Promise<string | undefined>;
  /** Writes UTF-8, not through a link, and makes the folders that it needs. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface ListedFile {
  readonly path: string;
  /** A link is not followed: it may lead to a file that must not leave the machine. */
  readonly isLink: boolean;
}

/** The file that marks a folder as an export, and says which kinds are in it. */
export const MARKER = 'aplomb.json';

export const FORMAT = 1;

/** The file with git's rules for the folder. */
export const GIT_ATTRIBUTES = '.gitattributes';

/** Reports whether a file has this text, whose lines may end as on Windows. */
export async function hasText(files: FolderFiles, path: string, text: string): Promise<boolean> {
  return (await files.read(path))?.replaceAll('\r\n', '\n') === text;
}

/**
 * Returns the name that two paths have in common if a file system that ignores case, or the form of a character, takes
 * them for one file. It is for comparison only.
 */
export function foldedPath(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** What is wrong with a file, and where: lines and columns start at 1. */
export interface FileProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** A problem at an offset of the text. Columns count UTF-16 code units. */
export function problemAt(
  path: string,
  text: string,
  offset: number,
  message: string,
): FileProblem {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { path, message, line, column: offset - before.lastIndexOf('\n') };
}

/** `monitors/errors.json:3:7: message` */
export function problemText({ path, message, line, column }: FileProblem): string {
  return `${path}${line === undefined ? '' : `:${line}:${column}`}: ${message}`;
}
