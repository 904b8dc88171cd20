/**
 * The bytes behind `externaldata`: files of this machine and loopback addresses, of 5 MB at most. They are
 * read before the query runs and reach the engine through the spool, like everything it reads.
 */
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BoundQuery, type Span, walk } from '../../language/src/index.ts';
import type { ViewQuery } from './planner/plan.ts';
import type { QueryProblem } from './routes/queryErrors.ts';

/** What the service takes from one address, too. */
const BYTES_MAX = 5 * 1_000_000;

/** How long an address may take to answer. */
const FETCH_MS_MAX = 30_000;

export interface ExternalData {
  readonly url: string;
  readonly bytes: Uint8Array;
}

/** Thrown where data cannot be had; the offsets are those of the address in the query. */
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

interface Address extends Span {
  readonly url: string;
}

/** The addresses that a query names, and those of the views that it starts from, each once. */
export function addressesOf(
  bound: BoundQuery,
  viewOf: (name: string) => ViewQuery | undefined,
): readonly Address[] {
  const found = new Map<string, Address>();
  const seen = new Set<string>();
  const collect = (query: BoundQuery, place: Span | undefined): void => {
    for (const address of literalAddresses(query)) {
      const { start, end } = place ?? address;
      found.set(address.url, { url: address.url, start, end });
    }
    for (const { meaning, start, end } of query.references) {
      if (meaning.kind !== 'dataset' || seen.has(meaning.name)) continue;
      seen.add(meaning.name);
      const view = viewOf(meaning.name);
      // A place in a view's text means nothing in the query's, so the view's name stands for it.
      if (view && 'bound' in view) collect(view.bound, place ?? { start, end });
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

/** Reads all addresses. Throws an ExternalError at the first that cannot be read. */
export function readExternal(
  addresses: readonly Address[],
  signal: AbortSignal,
): Promise<ExternalData[]> {
  return Promise.all(
    addresses.map(async (address) => {
      try {
        return { url: address.url, bytes: await readAddress(address.url, signal) };
      } catch (error) {
        signal.throwIfAborted();
        throw new ExternalError(address, address.url, problemOf(error));
      }
    }),
  );
}

function problemOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EACCES') return 'this user may not read it.';
  if (code === 'EISDIR') return 'it is a folder.';
  return cause instanceof Error ? `${cause.message}.` : message;
}

function readAddress(url: string, signal: AbortSignal): Promise<Uint8Array> {
  if (isAbsolute(url)) return readPath(url);
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === 'file:') return readPath(fileURLToPath(address));
  const isWeb = address?.protocol === 'http:' || address?.protocol === 'https:';
  if (address !== undefined && isWeb && isLoopback(address.hostname)) {
    return fetchAddress(address, signal);
  }
  throw new Error(
    'the local deployment reads files, such as file:///data/hosts.csv, and loopback addresses only.',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

async function readPath(path: string): Promise<Uint8Array> {
  const { size, isFile } = await stat(path).then((of) => ({
    size: of.size,
    isFile: of.isFile() || of.isDirectory(),
  }));
  // A device or a pipe may never end.
  if (!isFile) throw new Error('it is no plain file.');
  if (size > BYTES_MAX) throw tooBig();
  const bytes = await readFile(path);
  if (bytes.length > BYTES_MAX) throw tooBig();
  return bytes;
}

async function fetchAddress(address: URL, signal: AbortSignal): Promise<Uint8Array> {
  const late = AbortSignal.timeout(FETCH_MS_MAX);
  const response = await fetch(address, {
    // A redirect could lead away from this machine.
    redirect: 'error',
    signal: AbortSignal.any([signal, late]),
  });
  if (!response.ok) throw new Error(`it answers with status ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > BYTES_MAX) throw tooBig();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooBig(): Error {
  return new Error('it has more than 5 MB.');
}
