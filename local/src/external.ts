/** Reads the files and URLs that `externaldata` names, before the query runs, if `ExternalAccess` allows them. */
import { type BoundQuery, type Span, walk } from '../../language/src/index.ts';
import type { ExternalAccess } from './externalAccess.ts';
import { EXTERNAL_ADDRESSES_MAX } from './limits.ts';
import type { ViewQuery } from './planner/plan.ts';
import type { QueryProblem } from './routes/queryErrors.ts';

export interface ExternalData {
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** A failure to read a URL. The offsets locate the URL or, if a view's query contains it, the view's name. */
export class ExternalError extends Error implements QueryProblem {
  readonly code = 'external-data';
  readonly start: number;
  readonly end: number;

  constructor(span: Span, url: string, problem: string) {
    super(`${url} cannot be read: ${problem}`);
    this.start = span.start;
    this.end = span.end;
  }
}

export interface Address extends Span {
  readonly url: string;
}

export function addressesOf(
  bound: BoundQuery,
  viewOf: (name: string) => ViewQuery | undefined,
): readonly Address[] {
  const found = new Map<string, Address>();
  const visited = new Set<string>();
  const collect = (query: BoundQuery, reportedAt: Span | undefined): void => {
    for (const address of literalAddresses(query)) {
      const { start, end } = reportedAt ?? address;
      found.set(address.url, { url: address.url, start, end });
    }
    for (const { meaning, start, end } of query.references) {
      if (meaning.kind !== 'dataset' || visited.has(meaning.name)) continue;
      visited.add(meaning.name);
      const view = viewOf(meaning.name);
      // Report an error at the view's name, because offsets in the view's text don't apply to this query.
      if (view && 'bound' in view) collect(view.bound, reportedAt ?? { start, end });
    }
  };
  collect(bound, undefined);
  return [...found.values()];
}

function literalAddresses({ tree }: BoundQuery): Address[] {
  const addresses: Address[] = [];
  walk(tree.statements, (node) => {
    if (node.kind !== 'ExternaldataSource') return;
    for (const url of node.urls) {
      if (url.kind !== 'Literal' || typeof url.value !== 'string') continue;
      addresses.push({ url: url.value, start: url.start, end: url.end });
    }
  });
  return addresses;
}

/** Reads all of the files. Throws an ExternalError if there are too many files, or one can't be read. */
export function readExternal(
  addresses: readonly Address[],
  access: ExternalAccess,
  signal: AbortSignal,
): Promise<ExternalData[]> {
  const beyond = addresses[EXTERNAL_ADDRESSES_MAX];
  if (beyond !== undefined) {
    const problem = `a query reads at most ${EXTERNAL_ADDRESSES_MAX} addresses.`;
    throw new ExternalError(beyond, beyond.url, problem);
  }
  return Promise.all(
    addresses.map(async (address) => {
      try {
        return { url: address.url, bytes: await access.read(address.url, signal) };
      } catch (error) {
        signal.throwIfAborted();
        throw new ExternalError(address, address.url, problemOf(error));
      }
    }),
  );
}

function problemOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : SYSTEM_PROBLEMS[code];
  return known ?? (cause instanceof Error ? `${cause.message}.` : message);
}

const SYSTEM_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist.',
  ENOTDIR: 'the file does not exist.',
  ENAMETOOLONG: 'the file does not exist.',
  EACCES: 'this user may not read it.',
  EPERM: 'this user may not read it.',
  EISDIR: 'it is a folder.',
  ELOOP: 'it is a symbolic link that changed while it was read.',
};
