/** Messages for failed exports: what happened, where, and what to do. */

/** A failed export or copy, with a message for the user. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

interface FileFailure {
  readonly happened: (path: string) => string;
  readonly advice: string;
}

const denied: FileFailure = {
  happened: (path) => `You do not have permission to write ${path}.`,
  advice: 'Choose another folder, or change the permissions of this one.',
};

const full: FileFailure = {
  happened: (path) => `The disk is full: ${path} was not written.`,
  advice: 'Free up some space, or choose a folder on another disk.',
};

const gone: FileFailure = {
  happened: (path) => `The folder of ${path} does not exist.`,
  advice: 'Create the folder, or choose another one.',
};

const busy: FileFailure = {
  happened: (path) => `Another program is using ${path}.`,
  advice: 'Close the file there, or choose another name.',
};

const crowded: FileFailure = {
  happened: (path) => `Too many files are open: ${path} was not written.`,
  advice: 'Close other programs and try again.',
};

/** By the code of the system's error. */
const failures: Readonly<Record<string, FileFailure>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: {
    happened: (path) => `The disk of ${path} is read-only.`,
    advice: 'Choose a folder on another disk.',
  },
  ENOSPC: full,
  EDQUOT: {
    happened: (path) => `Your disk quota is used up: ${path} was not written.`,
    advice: 'Delete files that you no longer need, or choose a folder on another disk.',
  },
  EFBIG: {
    happened: (path) => `The file system does not allow a file as large as ${path} would be.`,
    advice: 'Export fewer rows, or choose a folder on another disk.',
  },
  ENOENT: gone,
  ENOTDIR: gone,
  EISDIR: {
    happened: (path) => `${path} is a folder.`,
    advice: 'Choose the name of a file.',
  },
  ENAMETOOLONG: {
    happened: (path) => `The file name of ${path} is too long.`,
    advice: 'Choose a shorter name.',
  },
  EBUSY: busy,
  ETXTBSY: busy,
  EMFILE: crowded,
  ENFILE: crowded,
  EIO: {
    happened: (path) => `The disk reported an error while ${path} was written.`,
    advice: 'Check the disk, or choose a folder on another one.',
  },
};

/** The failure of a write to `path` in words; an error that is not the system's is returned as it is. */
export function fileFailure(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || typeof code !== 'string' || !('syscall' in error)) return error;
  // Windows denies replacing a file that is open elsewhere. The folder itself was just written to.
  const isOpen = error.syscall === 'rename' && process.platform === 'win32' && code !== 'ENOENT';
  const known = isOpen ? busy : Object.hasOwn(failures, code) ? failures[code] : undefined;
  const message =
    known === undefined
      ? `${path} was not written: ${error.message}.`
      : `${known.happened(path)} ${known.advice}`;
  return new ExportError(message, { cause: error });
}
