/** Parses and validates the options of `aplomb pull` and `aplomb push`. */
import { type KindName, kindNames, kinds } from '../../../resources/src/kinds.ts';
import {
  choiceOption,
  readArguments,
  required,
  UsageError,
} from '../../../system/src/commandLine.ts';
import { type Target, targetOf, targetOptions } from '../ingest/targetOptions.ts';

interface PullArguments {
  readonly folder: string;
  readonly target: Target;
  readonly kinds: readonly KindName[];
  /** Whether to delete local files without a resource on the deployment. */
  readonly deletes: boolean;
}

export interface PushArguments {
  readonly folder: string;
  readonly target: Target;
  /** Whether to delete resources without a local file. */
  readonly deletes: boolean;
  readonly dryRun: boolean;
  /** Whether to overwrite resources that have changed since they were exported. */
  readonly overwrites: boolean;
  /** Whether to skip the confirmation for a deployment on another machine. */
  readonly yes: boolean;
  readonly format: (typeof pushFormats)[number];
}

const pushFormats = ['text', 'json'] as const;

export function pullArguments(args: readonly string[]): PullArguments {
  const { values, positionals } = readArguments(args, ['FOLDER'], {
    ...targetOptions,
    kinds: { type: 'string' },
    delete: { type: 'boolean' },
  });
  return {
    folder: folderOf(positionals),
    target: targetOf(values),
    kinds: values.kinds === undefined ? kindNames : kindsOf(values.kinds),
    deletes: values.delete === true,
  };
}

export function pushArguments(args: readonly string[]): PushArguments {
  const { values, positionals } = readArguments(args, ['FOLDER'], {
    ...targetOptions,
    delete: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    format: { type: 'string', default: 'text' },
    overwrite: { type: 'boolean' },
    yes: { type: 'boolean' },
  });
  return {
    folder: folderOf(positionals),
    target: targetOf(values),
    deletes: values.delete === true,
    dryRun: values['dry-run'] === true,
    overwrites: values.overwrite === true,
    yes: values.yes === true,
    format: choiceOption('format', values.format, pushFormats),
  };
}

function folderOf([folder]: readonly string[]): string {
  return required('FOLDER', folder, 'the folder of the resources');
}

function kindsOf(text: string): KindName[] {
  const selected = text.split(',').map((word) => word.trim());
  for (const word of selected) {
    if (kindNames.some((kind) => kinds[kind].folder === word)) continue;
    const all = kindNames.map((kind) => kinds[kind].folder).join(', ');
    throw new UsageError(`--kinds must be a list of ${all}, but has '${word}'.`);
  }
  return kindNames.filter((kind) => selected.includes(kinds[kind].folder));
}
