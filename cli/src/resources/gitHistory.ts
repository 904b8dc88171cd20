/** Reads earlier versions of a folder's files from Git. The Git commands can't run code in the repository. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { FolderHistory } from '../../../resources/src/folder/exportedDocument.ts';
import { type FolderFiles, MARKER } from '../../../resources/src/folder/files.ts';

/** Maximum number of commits to examine for each resource. */
const COMMITS_MAX = 100;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Returns a folder's history. It has no versions without Git, outside a repository or before the first commit. */
export function gitHistory(folder: string): FolderHistory {
  const git = (...args: string[]) => run(folder, args);
  return {
    async *versions(path) {
      // Match all files of the resource: their paths start with the JSON file's path without its extension.
      const stem = path.slice(0, -'.json'.length);
      const glob = `:(glob)${stem.replace(/[*?[\\]/g, '\\$&')}*`;
      const commits = await git('rev-list', `--max-count=${COMMITS_MAX}`, 'HEAD', '--', glob);
      for (const commit of linesOf(commits)) yield version(git, commit, stem);
    },
  };
}

/** Gives read-only access to the marker file and one resource's files in a commit. */
function version(git: Git, commit: string, stem: string): FolderFiles {
  const kind = stem.slice(0, stem.indexOf('/') + 1);
  const readOnly = () => Promise.reject(new Error('A commit does not change.'));
  return {
    async list() {
      const listed = await git('ls-tree', '--name-only', '-z', commit, '--', MARKER, kind);
      return (listed ?? '')
        .split('\0')
        .filter((path) => path === MARKER || path.startsWith(stem))
        .map((path) => ({ path, isLink: false }));
    },
    read: (path) => git('cat-file', 'blob', `${commit}:./${path}`),
    write: readOnly,
    remove: readOnly,
  };
}

type Git = (...args: string[]) => Promise<string | undefined>;

function run(folder: string, args: readonly string[]): Promise<string | undefined> {
  const program = gitProgram();
  if (program === undefined) return Promise.resolve(undefined);
  // Git must not take locks or download objects that a partial clone lacks.
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' };
  return new Promise((resolve) => {
    const options = { env, maxBuffer: OUTPUT_BYTES_MAX, windowsHide: true };
    execFile(program, ['-C', folder, ...args], options, (error, out) =>
      resolve(error === null ? out : undefined),
    );
  });
}

/** Returns Git's command: on Windows a full path, because a `git.exe` in the working folder may be malicious. */
function gitProgram(): string | undefined {
  if (process.platform !== 'win32') return 'git';
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((part) => join(part, 'git.exe'))
    .find((path) => existsSync(path));
}

function linesOf(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '');
}
