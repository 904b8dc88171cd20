// Describes why a file can't be read: file system and decompression errors.
import { FileProblem } from '../contract.ts';
import type { ReadSettings } from '../settings.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. It may have been moved or deleted.',
  EACCES: 'cannot be read: permission denied. Change its permissions, or copy it.',
  EPERM: 'cannot be read: the operation is not permitted. Change its permissions, or copy it.',
  EISDIR: 'is a folder. Choose the files in it.',
  ELOOP: 'is a symbolic link that leads back to itself. Choose the file it should lead to.',
  ENAMETOOLONG: 'has a name that is too long for the file system.',
  ENOTDIR: 'does not exist: part of its path is a file.',
  EMFILE: 'cannot be opened: too many files are open. Close some and try again.',
  ENFILE: 'cannot be opened: too many files are open. Close some and try again.',
  EIO: 'cannot be read: the disk reports an error. Copy the file to another disk.',
  ESTALE: 'cannot be read: the network drive no longer knows it. Open it again.',
};

/** Converts an error of reading `name` to a FileProblem. An unknown error keeps its message. */
export function fileProblem(error: unknown, name: string, line?: number): FileProblem {
  if (error instanceof FileProblem) {
    return error.line === undefined && line !== undefined
      ? new FileProblem(error.message, line)
      : error;
  }
  const { code = '', message } = error as { code?: string; message?: string };
  const packed = decompressionProblem(code, message ?? '');
  if (packed !== undefined) return new FileProblem(packed, line);
  const reason = Object.hasOwn(reasons, code)
    ? reasons[code]
    : `cannot be read: ${message ?? error}`;
  return new FileProblem(`${name} ${reason}`, line);
}

function decompressionProblem(code: string, message: string): string | undefined {
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') {
    return 'The file was compressed with a window that is too large. Compress it again without --long.';
  }
  if (!code.startsWith('Z') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return undefined;
  return code === 'Z_BUF_ERROR' ||
    code === 'ERR_STREAM_PREMATURE_CLOSE' ||
    /end of file/.test(message)
    ? 'The compressed data ends early: the file is incomplete. Copy or compress it again.'
    : 'The compressed data is damaged. Copy or compress the file again.';
}

/** Describes a file without events. */
export function noEvents({ format, csv }: ReadSettings): string {
  return format === 'csv' && csv?.header
    ? 'The file has a header line and no rows.'
    : 'The file has no events.';
}
