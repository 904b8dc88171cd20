// Checks files for changes, and explains why a file can't be read.
import { FileProblem, type FileSource, type Preview } from '../../../../ingest/src/contract.ts';
import type { FileState } from './sessionState.ts';

/** Opens a file on disk again to update its size and time. Rejects with a FileProblem. */
export async function reopened({ source, input }: FileState): Promise<FileSource> {
  return (await input.reopen?.()) ?? source;
}

/** Returns a CSV file's column names as written in the file. */
export function columnsOf(preview: Preview | undefined): readonly string[] {
  return (preview?.fields ?? [])
    .map(({ name, nameInFile }) => nameInFile ?? name)
    .filter((name) => name !== '_time');
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'The file does not exist any more. Check whether it was moved or deleted.',
  EACCES: 'You do not have permission to read the file. Change its permissions, or copy it.',
  EPERM: 'You do not have permission to read the file. Change its permissions, or copy it.',
  EISDIR: 'This is a folder. Select the files in it.',
  ELOOP: 'The symbolic link leads back to itself. Select the file itself.',
};

export function fileProblemOf(error: unknown): FileProblem {
  if (error instanceof FileProblem) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new FileProblem(
    problems[code ?? ''] ?? `Cannot read the file: ${message ?? String(error)}`,
  );
}
