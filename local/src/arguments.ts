/** The command line of the local deployment. */
import { parseArgs } from 'node:util';

export interface Arguments {
  readonly data: string;
  readonly port: number;
  readonly memoryLimit: string | undefined;
  /** End half a minute after the last window has let go. */
  readonly endWhenIdle: boolean;
  /** End when standard input closes. */
  readonly endWithInput: boolean;
}

export const USAGE = `Usage: local --data DIR [--port N] [--memory-limit SIZE] [--end-when-idle] [--end-with-input]
  --data DIR           the folder for the data; made if it is not there
  --port N             the port to listen on; 0, the default, means any free one
  --memory-limit SIZE  memory the engine may use, such as 4GB; half of the machine's if not given
  --end-when-idle      end half a minute after the last GET /_local/hold closes
  --end-with-input     end when standard input closes`;

/** Reads the arguments. Throws an Error that says what is wrong with them. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      'memory-limit': { type: 'string' },
      'end-when-idle': { type: 'boolean', default: false },
      'end-with-input': { type: 'boolean', default: false },
    },
  });
  if (!values.data) throw new Error('--data is missing: say which folder the data is in.');
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${values.port}.`);
  }
  const memoryLimit = values['memory-limit'];
  if (
    memoryLimit !== undefined &&
    !/^\d+(\.\d+)?\s*(KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/.test(memoryLimit)
  ) {
    throw new Error(`--memory-limit must be a size such as 4GB, not ${memoryLimit}.`);
  }
  return {
    data: values.data,
    port,
    memoryLimit,
    endWhenIdle: values['end-when-idle'],
    endWithInput: values['end-with-input'],
  };
}
