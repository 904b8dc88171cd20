/** Parses and validates the options of `aplomb mcp`. */
import { statSync } from 'node:fs';
import { readArguments, UsageError } from '../../../system/src/commandLine.ts';
import { type Target, targetOf, targetOptions } from '../ingest/targetOptions.ts';

export interface McpArguments {
  readonly target: Target;
  /** The folder whose queries are searched. */
  readonly folder: string;
  readonly allowsIngest: boolean;
}

/**
 * Returns the arguments. Throws a UsageError for a hosted deployment that isn't declared as one without production data:
 * nobody can confirm a call over standard input and output, and the command can't recognize production by itself.
 */
export function mcpArguments(args: readonly string[]): McpArguments {
  const { values, positionals } = readArguments(args, ['FOLDER'], {
    ...targetOptions,
    'not-production': { type: 'boolean' },
    'allow-ingest': { type: 'boolean' },
  });
  const target = targetOf(values);
  const isDeclared = values['not-production'] === true;
  const allowsIngest = values['allow-ingest'] === true;
  if (target.kind === 'hosted') {
    if (!isDeclared) {
      throw new UsageError(
        `Production deployments are refused, because calls cannot be confirmed here. If ${target.general} is not production, add --not-production.`,
      );
    }
    if (allowsIngest) {
      throw new UsageError('--allow-ingest is for the local deployment, not for --url.');
    }
  } else if (isDeclared) {
    throw new UsageError('--not-production requires --url.');
  }
  const [folder = '.'] = positionals;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(
      `${folder} is not a folder. Specify the folder whose queries are searched.`,
    );
  }
  return { target, folder, allowsIngest };
}
