/** Parses the command line of the local deployment. */
import {
  choiceOption,
  integerOption,
  readArguments as read,
  required,
  UsageError,
} from '../../system/src/commandLine.ts';
import type { ClickHouseOptions } from './engines/clickhouseOptions.ts';
import { canBeAllowed, isLoopback } from './externalAccess.ts';
import type { PrimaryAddress } from './primary/connection.ts';

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
  /** The server that stores the events. Undefined if DuckDB stores them. */
  readonly clickhouse: ClickHouseOptions | undefined;
  /** The process that keeps the resources. Undefined if this one does. */
  readonly primary: PrimaryAddress | undefined;
  /** Whether to print a proposal for datasets.yaml and exit. */
  readonly discover: boolean;
}

/** The variables of ClickHouse's own tools. Arguments would show the password to other users of the machine. */
const USER_VARIABLE = 'CLICKHOUSE_USER';
const PASSWORD_VARIABLE = 'CLICKHOUSE_PASSWORD';
const RESOURCES_VARIABLE = 'APLOMB_RESOURCES_TOKEN';

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the arguments. Throws a UsageError that names the invalid option. */
export function readArguments(
  args: readonly string[],
  environment: Environment = process.env,
): Arguments {
  const { values } = read(args, [], {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    'memory-limit': { type: 'string' },
    'query-timeout': { type: 'string' },
    'allow-external': { type: 'string', multiple: true, default: [] },
    'end-when-idle': { type: 'boolean', default: false },
    'end-with-input': { type: 'boolean', default: false },
    engine: { type: 'string', default: 'duckdb' },
    'clickhouse-url': { type: 'string' },
    'clickhouse-database': { type: 'string' },
    'clickhouse-cluster': { type: 'string' },
    resources: { type: 'string' },
    datasets: { type: 'string' },
    discover: { type: 'boolean', default: false },
  });
  const clickhouse = clickhouseOptions(values, environment);
  const { discover } = values;
  if (discover && clickhouse === undefined) {
    throw new UsageError('--discover requires --engine clickhouse.');
  }
  // Nothing is stored, so no folder is needed.
  const data = discover ? '' : required('--data', values.data, 'the folder for the data');
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
    clickhouse,
    discover,
    primary: primaryAddress(values, environment),
  };
}

function clickhouseOptions(
  values: {
    readonly engine: string;
    readonly 'clickhouse-url'?: string | undefined;
    readonly 'clickhouse-database'?: string | undefined;
    readonly 'clickhouse-cluster'?: string | undefined;
    readonly datasets?: string | undefined;
  },
  environment: Environment,
): ClickHouseOptions | undefined {
  const engine = choiceOption('engine', values.engine, ['duckdb', 'clickhouse']);
  const names = [
    'clickhouse-url',
    'clickhouse-database',
    'clickhouse-cluster',
    'datasets',
  ] as const;
  if (engine === 'duckdb') {
    const given = names.find((name) => values[name] !== undefined);
    if (given === undefined) return undefined;
    throw new UsageError(`--${given} requires --engine clickhouse.`);
  }
  const url = required('--clickhouse-url', values['clickhouse-url'], 'the address of ClickHouse');
  const secrets = `Set ${USER_VARIABLE} and ${PASSWORD_VARIABLE}.`;
  checkUrl('clickhouse-url', url, secrets, 'http://127.0.0.1:8123');
  const empty = names.find((name) => values[name] === '');
  if (empty !== undefined) throw new UsageError(`--${empty} must not be empty.`);
  return {
    url,
    user: environment[USER_VARIABLE],
    password: environment[PASSWORD_VARIABLE],
    database: values['clickhouse-database'] ?? 'aplomb',
    cluster: values['clickhouse-cluster'],
    datasetsFile: values.datasets,
  };
}

function primaryAddress(
  { resources: url, engine }: { readonly resources?: string | undefined; readonly engine: string },
  environment: Environment,
): PrimaryAddress | undefined {
  if (url === undefined) return undefined;
  if (engine !== 'clickhouse') throw new UsageError('--resources requires --engine clickhouse.');
  const { protocol, hostname, origin } = checkUrl(
    'resources',
    url,
    `Set ${RESOURCES_VARIABLE}.`,
    'https://aplomb.example.com',
  );
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw new UsageError(
      '--resources must start with https:// unless it is a loopback address, because tokens are sent to it.',
    );
  }
  const token = environment[RESOURCES_VARIABLE] ?? '';
  if (/^[\w-]+$/.test(token)) return { url: origin, token };
  throw new UsageError(
    `--resources requires the variable ${RESOURCES_VARIABLE} with the API token that the process at this address prints.`,
  );
}

/** Throws a UsageError without the URL if it contains a password, because errors end up in logs. */
function checkUrl(option: string, text: string, secrets: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== '' || url.password !== '' || url.search !== '')) {
    throw new UsageError(
      `--${option} must not contain a user, a password or parameters. ${secrets}`,
    );
  }
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new UsageError(`--${option} must be an address such as ${example}.`);
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
