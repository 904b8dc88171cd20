/** Messages for failed exports: what happened, where, and what to do. */

/** A failed export or copy, with a message for the user. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

type Message = (path: string) => string;

const denied: Message = (path) =>
  `You do not have permission to write ${path}. Choose another folder, or change the permissions of this one.`;
const full: Message = (path) =>
  `The disk is full: ${path} was not written. Free up some space, or choose a folder on another disk.`;
const gone: Message = (path) =>
  `The folder of ${path} does not exist. Create the folder, or choose another one.`;
const busy: Message = (path) =>
  `Another program is using ${path}. Close the file there, or choose another name.`;
const crowded: Message = (path) =>
  `Too many files are open: ${path} was not written. Close other programs and try again.`;

/** Error messages by system error code. */
const messages: Readonly<Record<string, Message>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: (path) => `The disk of ${path} is read-only. Choose a folder on another disk.`,
  ENOSPC: full,
  EDQUOT: (path) =>
    `Your disk quota is used up: ${path} was not written. Delete files that you no longer need, or choose a folder on another disk.`,
  EFBIG: (path) =>
    `The file system does not allow a file as large as ${path} would be. Export fewer rows, or choose a folder on another disk.`,
  ENOENT: gone,
  ENOTDIR: gone,
  EISDIR: (path) => `${path} is a folder. Choose the name of a file.`,
  ENAMETOOLONG: (path) => `The file name of ${path} is too long. Choose a shorter name.`,
  EBUSY: busy,
  ETXTBSY: busy,
  EMFILE: crowded,
  ENFILE: crowded,
  EIO: (path) =>
    `The disk reported an error while ${path} was written. Check the disk, or choose a folder on another one.`,
};

/** Returns an ExportError for a system error while writing `path`. Returns other errors unchanged. */
export function fileFailure(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || typeof code !== 'string' || !('syscall' in error)) return error;
  // Windows refuses to replace a file that is open in another program. The folder itself is known to be writable.
  const isOpen = error.syscall === 'rename' && process.platform === 'win32' && code !== 'ENOENT';
  const known = isOpen ? busy : Object.hasOwn(messages, code) ? messages[code] : undefined;
  const message = known?.(path) ?? `${path} was not written: ${error.message}.`;
  return new ExportError(message, { cause: error });
}
