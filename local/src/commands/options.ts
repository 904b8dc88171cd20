/** Parses options, with errors that name the option and the expected value. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closest } from '../../../language/src/index.ts';

/** Thrown if the command line is invalid. The message is one or two sentences. */
export class ArgumentsError extends Error {}

export type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Returns the options and operands of a command. `operands` names the operands in messages.
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

/** Returns the value of a required option. `what` describes the value in the message. */
export function required(option: string, value: string | undefined, what: string): string {
  if (value) return value;
  throw new ArgumentsError(`--${option} is missing. Specify ${what}.`);
}
