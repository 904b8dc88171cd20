/** Parses the command lines of `aplomb`, and defines the errors and exit statuses of its commands. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** `problems` are errors in files or rejected events, `error` is an invalid command line or a failure. */
export const exits = { clean: 0, problems: 1, error: 2, changes: 3, cancelled: 130 } as const;
export type Exit = (typeof exits)[keyof typeof exits];

/** A word that isn't among the known ones. `otherwise` is the hint if it resembles none of them. */
interface Misspelling {
  readonly word: string;
  readonly known: readonly string[];
  readonly otherwise: string;
}

/** An invalid command line. The process exits with `exits.error`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly misspelling: Misspelling | undefined;

  constructor(message: string, misspelling?: Misspelling) {
    super(message);
    this.misspelling = misspelling;
  }
}

/** A file that can't be read or written. The message contains the file and the cause. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** Returns the two lines that report an invalid command line. `closest` returns the known word most like another. */
export function usageLines(
  { message, misspelling }: UsageError,
  closest: (word: string, known: readonly string[]) => string | undefined,
  command: string | undefined,
): [problem: string, help: string] {
  const help = `Run aplomb ${command === undefined ? '' : `${command} `}--help for usage.`;
  if (misspelling === undefined) return [message, help];
  const meant = closest(misspelling.word, misspelling.known);
  const hint = meant === undefined ? misspelling.otherwise : `Did you mean '${meant}'?`;
  return [`${message} ${hint}`, help];
}

/** Returns whether the options include `--help`. */
export function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some(isHelp);
}

export const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';

export type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses a command's operands, given by their names in messages, and options.
 * @throws UsageError for an unknown option, a missing value or an extra operand.
 */
export function readArguments<const T extends Options>(
  args: readonly string[],
  operands: readonly string[] | 'any number',
  options: T,
) {
  let read: ReturnType<typeof parse<T>>;
  try {
    read = parse(args, options);
  } catch (error) {
    throw error instanceof TypeError ? optionError(error.message, Object.keys(options)) : error;
  }
  if (operands === 'any number') return read;
  const extra = read.positionals[operands.length];
  if (extra === undefined) return read;
  throw new UsageError(
    operands.length === 0
      ? `'${extra}' is not an option. Options start with --.`
      : `There is more than ${operands.join(' and ')}: '${extra}'.`,
  );
}

function parse<const T extends Options>(args: readonly string[], options: T) {
  return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
}

/** Returns the error for a message of `parseArgs`, which also describes Node's API. */
function optionError(message: string, names: readonly string[]): UsageError {
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) {
    if (names.length === 0) return new UsageError(`Unknown option '${unknown}'.`);
    const known = names.map((name) => `--${name}`);
    const otherwise = `The options are ${known.join(', ')}.`;
    return new UsageError(`Unknown option '${unknown}'.`, { word: unknown, known, otherwise });
  }
  const [option] = /--[\w-]+/.exec(message) ?? [''];
  const takesNone = message.includes('does not take an argument');
  return new UsageError(`${option} ${takesNone ? 'does not take' : 'requires'} a value.`);
}

/** Returns the value of a required option or operand. `what` describes the value in the message of the UsageError. */
export function required(name: string, value: string | undefined, what: string): string {
  if (value) return value;
  throw new UsageError(`${name} is missing. Specify ${what}.`);
}

/**
 * Parses the value of an integer option. Throws a UsageError if it isn't an integer from `min` to `max`. `what`
 * describes the value in the message.
 */
export function integerOption(
  option: string,
  text: string,
  min: number,
  max = Infinity,
  what = 'an integer',
): number {
  const value = Number(text);
  const isInteger = /^\d+$/.test(text) && Number.isSafeInteger(value);
  if (isInteger && value >= min && value <= max) return value;
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`--${option} must be ${what} ${range}, but is '${text}'.`);
}

/** Parses the value of an option that accepts a fixed set of words. Throws a UsageError for another one. */
export function choiceOption<T extends string>(
  option: string,
  text: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be one of ${choices.join(', ')}, but is '${text}'.`);
}

/** Returns the cause of a system error as the end of a sentence. `special` has causes for this use by error code. */
export function reasonOf(error: unknown, special: Readonly<Record<string, string>> = {}): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return special[code] ?? reasons[code] ?? (error instanceof Error ? error.message : String(error));
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
