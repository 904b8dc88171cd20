/** The command line of the local deployment. */
import { parseArgs } from 'node:util';
import { canBeAllowed } from './externalAccess.ts';

export interface Arguments {
  readonly data: string;
  readonly port: number;
  readonly memoryLimit: string | undefined;
  /** How long a query may run, in milliseconds. */
  readonly queryTimeoutMs: number | undefined;
  /** Folders and addresses that externaldata may read. */
  readonly allowExternal: readonly string[];
  /** End half a minute after the last window has let go. */
  readonly endWhenIdle: boolean;
  /** End when standard input closes. */
  readonly endWithInput: boolean;
}

export const USAGE = `Usage: local --data DIR [--port N] [--memory-limit SIZE] [--query-timeout SECONDS]
             [--allow-external PATH_OR_URL]... [--end-when-idle] [--end-with-input]
  --data DIR               the folder for the data; created if it does not exist
  --port N                 the port to listen on; default: 0, any free port
  --memory-limit SIZE      memory limit of the engine, such as 4GB; default: half of the memory
  --query-timeout SECONDS  time limit of a query; default: 300
  --allow-external PATH_OR_URL
                           let externaldata read a folder, or loopback URLs that start with one such as
                           http://127.0.0.1:8080/; can be repeated; default: nothing
  --end-when-idle          exit half a minute after the last GET /_local/hold closes
  --end-with-input         exit when standard input closes`;

/** Reads the arguments. Throws an Error that says what is wrong with them. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      'memory-limit': { type: 'string' },
      'query-timeout': { type: 'string' },
      'allow-external': { type: 'string', multiple: true, default: [] },
      'end-when-idle': { type: 'boolean', default: false },
      'end-with-input': { type: 'boolean', default: false },
    },
  });
  if (!values.data) throw new Error('--data is missing. Specify the folder for the data.');
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${values.port}.`);
  }
  const memoryLimit = values['memory-limit'];
  if (
    memoryLimit !== undefined &&
    !new RegExp(`^\\d+(\\.\\d+)?\\s*(${Object.keys(UNITS).join('|')})$`).test(memoryLimit)
  ) {
    throw new Error(`--memory-limit must be a size such as 4GB, not ${memoryLimit}.`);
  }
  const queryTimeout = values['query-timeout'];
  if (queryTimeout !== undefined && !/^[1-9]\d{0,5}$/.test(queryTimeout)) {
    throw new Error(`--query-timeout must be a number of seconds, not ${queryTimeout}.`);
  }
  const allowExternal = values['allow-external'];
  for (const entry of allowExternal) {
    if (canBeAllowed(entry)) continue;
    throw new Error(
      `--allow-external must be an absolute path or an address such as http://127.0.0.1:8080/, not ${entry}.`,
    );
  }
  return {
    data: values.data,
    port,
    memoryLimit,
    queryTimeoutMs: queryTimeout === undefined ? undefined : Number(queryTimeout) * 1_000,
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

/** The bytes of a size such as `4GB` or `512 MiB`. */
export function bytesOf(size: string): number {
  const [, amount, unit] = /^([\d.]+)\s*(\w+)$/.exec(size) ?? [];
  return Number(amount) * UNITS[unit!]!;
}
