/** The options that select the target deployment. */
import { UsageError } from '../../../system/src/commandLine.ts';

export const targetOptions = {
  url: { type: 'string' },
  'edge-url': { type: 'string' },
  organization: { type: 'string' },
  data: { type: 'string' },
} as const;

type Values = { readonly [name in keyof typeof targetOptions]?: string | undefined };

export type Target =
  /** The data folder. Undefined to search for a running deployment. */
  | { readonly kind: 'local'; readonly data: string | undefined }
  | {
      readonly kind: 'hosted';
      readonly general: string;
      readonly edge: string;
      readonly organization: string | undefined;
    };

export function targetOf(values: Values): Target {
  const { url, data, organization } = values;
  const edge = values['edge-url'];
  if (url === undefined) {
    if (edge !== undefined) throw new UsageError('--edge-url requires --url.');
    if (organization !== undefined) throw new UsageError('--organization requires --url.');
    return { kind: 'local', data };
  }
  if (data !== undefined)
    throw new UsageError('--data is for the local deployment, not for --url.');
  const general = addressOf('url', url);
  return {
    kind: 'hosted',
    general,
    edge: edge === undefined ? general : addressOf('edge-url', edge),
    organization,
  };
}

/** Parses a URL, and removes its trailing slash. Requires HTTPS for URLs of other machines, to protect the token. */
function addressOf(option: string, text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(
      `--${option} must be an address such as https://api.axiom.co, but is '${text}'.`,
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnThisMachine(text))) {
    throw new UsageError(`--${option} must start with https://, to protect the token.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`--${option} must not contain a password. Set the token in APLOMB_TOKEN.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`--${option} must not contain a query ('?') or a fragment ('#').`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

export function isOnThisMachine(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname);
}
