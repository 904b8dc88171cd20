// How requests leave the machine: through the proxy and with the certificates that VS Code is set to
// use. Undici knows neither by itself, so both are handed to it.
import * as tls from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { connectProven } from '../../../loopback/src/connect.ts';
import type { LocalAddress } from '../../../loopback/src/lock.ts';

/** VS Code's own settings about the network. */
export interface NetworkSettings {
  /** `http.proxy`; empty text means the environment's. */
  readonly proxy: string;
  /** `http.proxySupport`. */
  readonly support: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.proxyStrictSSL`. */
  readonly strict: boolean;
  /** `http.systemCertificates`. */
  readonly systemCertificates: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
const directHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Straight to the address, without a proxy. */
export function directDispatcher(
  connect: Agent.Options['connect'] = { timeout: CONNECT_TIMEOUT_MS },
): Dispatcher {
  return new Agent({ connect });
}

/**
 * For the local deployment: straight to this machine, whatever the settings say. A request is sent only on a connection
 * whose other end has proved to know the token, also after another program took the port.
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

/** For hosted deployments. */
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

/** Node's authorities and the system's, read once; undefined where the runtime cannot tell them. */
function trustedCertificates(): string[] | undefined {
  try {
    certificates ??= [
      ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
    ];
  } catch {
    // Then the runtime's own authorities count.
  }
  return certificates;
}
