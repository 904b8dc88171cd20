/** Parses the command line of the local deployment. */
import {
  integerOption,
  readArguments as read,
  required,
  UsageError,
} from '../../system/src/commandLine.ts';
import { canBeAllowed } from './externalAccess.ts';

export interface Arguments {
  readonly data: string;
  readonly port: number;
  readonly memoryLimit: string | undefined;
  /** Maximum running time of a query, in milliseconds. */
  readonly queryTimeoutMs: number | undefined;
  readonly allowExternal: readonly string[];
  /** Whether to exit when no VS Code window is connected. */
  readonly endWhenIdle: boolean;
  readonly endWithInput: boolean;
}

/** Parses the arguments. Throws a UsageError that names the invalid option. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = read(args, [], {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    'memory-limit': { type: 'string' },
    'query-timeout': { type: 'string' },
    'allow-external': { type: 'string', multiple: true, default: [] },
    'end-when-idle': { type: 'boolean', default: false },
    'end-with-input': { type: 'boolean', default: false },
  });
  const data = required('--data', values.data, 'the folder for the data');
  const port = integerOption('port', values.port, 0, 65_535);
  const memoryLimit = values['memory-limit'];
  if (
    memoryLimit !== undefined &&
    !new RegExp(`^\\d+(\\.\\d+)?\\s*(${Object.keys(UNITS).join('|')})$`).test(memoryLimit)
  ) {
    throw new UsageError(`--memory-limit must be a size such as 4GB, not ${memoryLimit}.`);
  }
  const timeout = values['query-timeout'];
  const allowExternal = values['allow-external'];
  for (const entry of allowExternal) {
    if (canBeAllowed(entry)) continue;
    throw new UsageError(
      `--allow-external must be an absolute path or an address such as http://127.0.0.1:8080/, not ${entry}.`,
    );
  }
  return {
    data,
    port,
    memoryLimit,
    queryTimeoutMs:
      timeout === undefined
        ? undefined
        : integerOption('query-timeout', timeout, 1, 999_999, 'a whole number of seconds') * 1_000,
    allowExternal,
    endWhenIdle: values['end-when-idle'],
    endWithInput: values['end-with-input'],
  };
}

const UNITS: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

export function bytesOf(size: string): number {
  const [, amount, unit] = /^([\d.]+)\s*(\w+)$/.exec(size) ?? [];
  return Number(amount) * UNITS[unit!]!;
}
