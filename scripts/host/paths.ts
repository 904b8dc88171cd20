// Where things are in the repository, for the programs in this folder and the tests that use them.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository's root, with a trailing separator removed. */
export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Where tools that are no part of the dependency tree are kept: VS Code and the unpacked browser. */
export const cacheDirectory = join(repository, '.vscode-test');

/** Where bundles go. */
export const distDirectory = join(repository, 'dist');
