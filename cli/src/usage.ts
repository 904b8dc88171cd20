/** What is wrong with a command line or a file, and how options are read. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line cannot be obeyed; the process ends with `exits.trouble`. */
export class UsageError extends Error {}

/** A file cannot be read or written. The message says which and why. */
export class FileError extends Error {}

/** What the process ends with: nothing found, something found, or the work could not be done. */
export const exits = { clean: 0, problems: 1, trouble: 2 } as const;
export type Exit = (typeof exits)[keyof typeof exits];

export type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options and operands of a command.
 * @throws UsageError when an option is unknown or lacks its value.
 */
export function readArguments<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node's own sentences go on about its interface behind the first full stop.
    throw new UsageError(error.message.replace(/\. To specify .*/s, '.'));
  }
}

/**
 * The value of an option that is a whole number.
 * @throws UsageError when it is none, or less than `least`.
 */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(`--${option} takes a whole number of at least ${least}, not "${text}".`);
}

/** The value of an option that is one of a few words. */
export function oneOf<T extends string>(option: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} takes ${words.join(', ')}, not "${text}".`);
}

/** Why the system refused something, in words where it is common. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
};
