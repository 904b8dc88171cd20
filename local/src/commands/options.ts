/** Reads options, with errors that name the option and what is right. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closest } from '../../../language/src/index.ts';

/** The command line is wrong. The message is one sentence or two. */
export class ArgumentsError extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options and operands of a command, which are named in `operands` for the messages.
 * @throws ArgumentsError
 */
export function readOptions<const T extends Options>(
  args: readonly string[],
  options: T,
  operands: readonly string[] = [],
) {
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const extra = read.positionals[operands.length];
    if (extra === undefined) return read;
    throw new ArgumentsError(
      operands.length === 0
        ? `'${extra}' is not an option. Options start with --.`
        : `There is more than ${operands.join(' and ')}: '${extra}'.`,
    );
  } catch (error) {
    throw error instanceof TypeError ? asArgumentsError(error, options, args) : error;
  }
}

function asArgumentsError(error: TypeError, options: Options, args: readonly string[]) {
  const { message } = error;
  const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) {
    const names = Object.keys(options).map((name) => `--${name}`);
    const meant = closest(unknown, names);
    const hint = meant === undefined ? 'Run it with --help for a list.' : `Did you mean ${meant}?`;
    return new ArgumentsError(`Unknown option ${unknown}. ${hint}`);
  }
  const option = Object.keys(options).find((name) => message.includes(`'--${name}`)) ?? args[0];
  const takesNone = / does not take an argument/.test(message);
  return new ArgumentsError(
    takesNone ? `--${option} does not take a value.` : `--${option} requires a value.`,
  );
}

/** The value of an option that has to be there. `what` is what it names. */
export function required(option: string, value: string | undefined, what: string): string {
  if (value) return value;
  throw new ArgumentsError(`--${option} is missing. Specify ${what}.`);
}
