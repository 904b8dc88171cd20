/** Connects to the target deployment at a URL or on this machine. */

import { LocalHold } from '../../../client/src/deployments/localHold.ts';
import { localDispatcher, networkDispatcher } from '../../../client/src/deployments/network.ts';
import { Service } from '../../../client/src/service/service.ts';
import { UsageError } from '../../../system/src/commandLine.ts';
import { dataFolders, findLocal } from './findLocal.ts';
import { isOnThisMachine, type Target } from './targetOptions.ts';

export interface Connection {
  readonly service: Service;
  /** Identifies the deployment in a run's journal. Contains no token. */
  readonly deployment: string;
  readonly label: string;
  readonly resourceLabel: string;
  readonly isLocal: boolean;
  close(): Promise<void>;
}

export async function connect(target: Target, env: NodeJS.ProcessEnv): Promise<Connection> {
  return target.kind === 'local' ? connectLocal(target.data) : connectHosted(target, env);
}

async function connectLocal(data: string | undefined): Promise<Connection> {
  const found = await findLocal(data === undefined ? dataFolders() : [data]);
  if (found === undefined) {
    const where = data === undefined ? '' : ` with data in ${data}`;
    throw new UsageError(
      `No local deployment${where} is running. Start it in VS Code with the command APL: Start Local Deployment, specify its data folder with --data, or specify another deployment with --url.`,
    );
  }
  const { url, token, folder } = found;
  const dispatcher = localDispatcher(found);
  // The deployment would otherwise exit with its VS Code window.
  const hold = await LocalHold.take(found, () => {}).catch(() => undefined);
  return {
    service: new Service({ general: url, edge: url, dispatcher, token: async () => token }),
    deployment: folder,
    label: 'the local deployment',
    resourceLabel: 'the local deployment',
    isLocal: true,
    close: async () => {
      hold?.release();
      await dispatcher.destroy();
    },
  };
}

async function connectHosted(
  { general, edge, organization }: Extract<Target, { kind: 'hosted' }>,
  env: NodeJS.ProcessEnv,
): Promise<Connection> {
  const token = env['APLOMB_TOKEN'];
  if (!token) throw new UsageError(`Set the token for ${general} in the variable APLOMB_TOKEN.`);
  const dispatcher = networkDispatcher({
    proxy: '',
    support: 'on',
    noProxy: [],
    strict: true,
    systemCertificates: true,
  });
  const origins = new Set([general, edge].map((address) => new URL(address).origin));
  return {
    service: new Service({
      general,
      edge,
      ...(organization !== undefined && { organization }),
      dispatcher,
      token: async (origin) => (origins.has(origin) ? token : undefined),
    }),
    deployment: edge,
    label: edge,
    resourceLabel: general,
    isLocal: [general, edge].every(isOnThisMachine),
    close: () => dispatcher.destroy(),
  };
}
