/** Defines the errors of the command line and of files, and parses options. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** An invalid command line. The process exits with `exits.error`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A file that can't be read or written. The message contains the file and the cause. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/**
 * Returns the error if it is expected, or else undefined. Compares names rather than classes, because a bundle that is
 * loaded later has its own classes.
 */
export function expectedError(error: unknown): UsageError | FileError | undefined {
  const { name } = error as Partial<Error>;
  return error instanceof Error && (name === 'UsageError' || name === 'FileError')
    ? (error as UsageError | FileError)
    : undefined;
}

/**
 * The exit statuses: no problems, problems, an invalid command line or an unusable file, changes found by a dry run,
 * and canceled with Ctrl+C.
 */
export const exits = { clean: 0, problems: 1, error: 2, changes: 3, cancelled: 130 } as const;
export type Exit = (typeof exits)[keyof typeof exits];

export type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses a command's options and operands.
 * @throws UsageError if an option is unknown or its value is missing.
 */
export function readArguments<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Keep only the first sentence of Node's message, because the others describe Node's API.
    throw new UsageError(error.message.replace(/\. To specify .*/s, '.'));
  }
}

/**
 * Parses the value of an integer option.
 * @throws UsageError if it isn't an integer or is less than `min`.
 */
export function integerOption(option: string, text: string, min: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
  throw new UsageError(`--${option} must be an integer of at least ${min}, but is '${text}'.`);
}

/** Parses the value of an option that accepts a fixed set of words. */
export function choiceOption<T extends string>(
  option: string,
  text: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be one of ${choices.join(', ')}, but is '${text}'.`);
}

/** Returns the cause of a system error, in plain words if it is common. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'another program uses it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links are circular',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
};
