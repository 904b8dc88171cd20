// How requests leave the machine: through the proxy and with the certificates that VS Code is set to
// use. Undici knows neither by itself, so both are handed to it.
import * as tls from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

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

/** For the local deployment: straight to this machine, whatever the settings say. */
export function directDispatcher(): Dispatcher {
  return new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });
}

/** For hosted deployments. */
export function networkDispatcher(settings: NetworkSettings): Dispatcher {
  const ca = settings.systemCertificates ? trustedCertificates() : undefined;
  const own = { timeout: CONNECT_TIMEOUT_MS, ...(ca && { ca }) };
  if (settings.support === 'off') return new Agent({ connect: own });
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
