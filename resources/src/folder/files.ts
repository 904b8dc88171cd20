// The interface to a folder's files, implemented by the command line and by VS Code.

/**
 * The files of a folder. Paths are relative to it, with slashes. Methods reject with an error whose message can be
 * shown.
 */
export interface FolderFiles {
  /** Lists the files in the folder and its direct subfolders; empty if the folder doesn't exist. */
  list(): Promise<readonly ListedFile[]>;
  /** Reads a file without its byte order mark. Returns undefined if it isn't UTF-8. */
  read(path: string): Promise<string | undefined>;
  /** Writes UTF-8, never through a link, and creates missing folders. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface ListedFile {
  readonly path: string;
  /** Whether it is a link. Links aren't followed, because the target may have to stay on this machine. */
  readonly isLink: boolean;
}

/** The file that marks a folder as an export and lists the kinds in it. */
export const MARKER = 'aplomb.json';

export const FORMAT = 1;

/** The file with Git's rules for the folder. */
export const GIT_ATTRIBUTES = '.gitattributes';

/** Returns whether a file has this text, ignoring Windows line ends. */
export async function hasText(files: FolderFiles, path: string, text: string): Promise<boolean> {
  return (await files.read(path))?.replaceAll('\r\n', '\n') === text;
}

/**
 * Returns a path folded for comparison: paths are equal if a file system that ignores case or Unicode forms could treat
 * them as one file.
 */
export function foldedPath(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** A problem in a file. Lines and columns start at 1. */
export interface FileProblem {
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Creates a problem at an offset of the text. Columns count UTF-16 code units. */
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

/** Formats a problem: `monitors/errors.json:3:7: message`. */
export function problemText({ path, message, line, column }: FileProblem): string {
  return `${path}${line === undefined ? '' : `:${line}:${column}`}: ${message}`;
}
