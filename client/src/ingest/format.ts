// Finds out what a file is: by its first bytes where they tell, by its name otherwise.
import { FileProblem, type IngestFormat } from './piece.ts';

export type Packing = 'gzip' | 'zstd';

export interface FileFormat {
  readonly format: IngestFormat;
  /** What separates the values of a CSV file. */
  readonly delimiter: string;
}

/** How a file is packed; undefined if it is not. */
export function packingOf(head: Uint8Array): Packing | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  return undefined;
}

/** Bytes of the byte order mark at the start of a UTF-8 file. */
export function markLength(head: Uint8Array): number {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
}

/** The extensions that name a format, packing left aside. */
const extensions: Readonly<Record<string, IngestFormat>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  ldjson: 'ndjson',
  json: 'json',
  csv: 'csv',
  tsv: 'csv',
};

/**
 * The format of a file by its name and its first bytes, unpacked. Throws a FileProblem for what is no
 * text of a known kind.
 */
export function formatOf(name: string, head: Uint8Array): FileFormat {
  const text = textOf(head);
  const trimmed = text.trimStart();
  if (trimmed === '') throw new FileProblem('The file is empty.');
  const extension = /\.([^.]+?)(?:\.(?:gz|gzip|zst|zstd))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const named = Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
  const format = named === 'csv' ? 'csv' : contentFormat(trimmed, named);
  if (format !== 'csv') return { format, delimiter: ',' };
  const delimiter = delimiterOf(trimmed, extension);
  if (named !== 'csv' && !firstLine(trimmed).includes(delimiter)) {
    throw new FileProblem(
      'The file is not JSON, and its first line does not have a CSV separator. Use JSON, NDJSON or CSV.',
    );
  }
  return { format, delimiter };
}

/** JSON by its first character; an object that ends with its line makes a file of lines. */
function contentFormat(text: string, named: IngestFormat | undefined): IngestFormat {
  if (text.startsWith('[')) return named === 'ndjson' ? 'ndjson' : 'json';
  if (!text.startsWith('{')) {
    if (named === undefined) return 'csv';
    throw new FileProblem(
      'The file name ends in .json, but the file does not start with an array or an object.',
    );
  }
  if (named === 'ndjson') return 'ndjson';
  const end = text.search(/[\r\n]/);
  // Of a first line longer than what was read nothing is known but that it is one line so far.
  const line = end < 0 ? text : text.slice(0, end).trimEnd();
  return end < 0 || isObject(line) ? 'ndjson' : 'json';
}

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

/** The separator that the first line has most of, outside quotes. */
function delimiterOf(text: string, extension: string): string {
  if (extension === 'tsv') return '\t';
  const line = firstLine(text);
  const counts = [',', ';', '\t', '|'].map((sign) => [sign, line.split(sign).length] as const);
  const [best] = counts.reduce((most, next) => (next[1] > most[1] ? next : most));
  return best;
}

/** The first line without what stands in quotes. */
function firstLine(text: string): string {
  return (text.split(/\r?\n/, 1)[0] as string).replace(/"[^"]*"/g, '');
}

function textOf(head: Uint8Array): string {
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (wide)
    throw new FileProblem('The file is encoded as UTF-16. Save it as UTF-8 and ingest it again.');
  if (head.includes(0)) throw new FileProblem('The file is binary: it contains null bytes.');
  return new TextDecoder().decode(head.subarray(markLength(head)));
}
