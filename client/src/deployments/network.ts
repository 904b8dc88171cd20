// Network connections with VS Code's proxy and certificate settings, which undici doesn't read.
import * as tls from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { connectProven } from '../../../loopback/src/connect.ts';
import type { LocalAddress } from '../../../loopback/src/lock.ts';

/** VS Code's `http` settings. With an empty `proxy`, the environment's proxy is used. */
export interface NetworkSettings {
  readonly proxy: string;
  readonly support: string;
  readonly noProxy: readonly string[];
  readonly strict: boolean;
  readonly systemCertificates: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
const directHosts = ['localhost', '127.0.0.1', '[::1]'];

export function directDispatcher(
  connect: Agent.Options['connect'] = { timeout: CONNECT_TIMEOUT_MS },
): Dispatcher {
  return new Agent({ connect });
}

/**
 * Returns a dispatcher that connects to this machine without a proxy. It sends requests only after the other process
 * has proved to know the token, because another program may use the port.
 */
export function localDispatcher(address: LocalAddress): Dispatcher {
  const { origin } = new URL(address.url);
  return directDispatcher(({ protocol, hostname, port }, callback) => {
    if (new URL(`${protocol}//${hostname}:${port}`).origin !== origin) {
      callback(new Error(`${hostname}:${port} is not the address of the local deployment`), null);
      return;
    }
    connectProven(address).then(
      ({ socket }) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  });
}

export function networkDispatcher(settings: NetworkSettings): Dispatcher {
  const ca = settings.systemCertificates ? trustedCertificates() : undefined;
  const own = { timeout: CONNECT_TIMEOUT_MS, ...(ca && { ca }) };
  if (settings.support === 'off') return directDispatcher(own);
  const proxy = settings.proxy.trim();
  const environment = process.env.NO_PROXY ?? process.env.no_proxy ?? '';
  const excepted = [...directHosts, ...settings.noProxy, environment].filter((host) => host !== '');
  return new EnvHttpProxyAgent({
    ...(proxy !== '' && { httpProxy: proxy, httpsProxy: proxy }),
    noProxy: excepted.join(','),
    connect: own,
    requestTls: own,
    proxyTls: { ...own, rejectUnauthorized: settings.strict },
  });
}

let certificates: string[] | undefined;

/** Returns the certificate authorities of Node and the system, read once; undefined if they cannot be listed. */
function trustedCertificates(): string[] | undefined {
  try {
    certificates ??= [
      ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
    ];
  } catch {
    // If the certificate authorities can't be listed, return undefined, so that the runtime uses its default ones.
  }
  return certificates;
}
