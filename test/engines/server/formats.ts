/**
 * How answers in each format are sent. chdb gives the rows of a result in blocks and writes each block as if it were the
 * result, so only formats whose rows follow each other, or have a header that can be cut off, are sent block by block.
 */

interface Format {
  readonly contentType: string;
  /** How many lines precede the rows of each block; undefined if a result has to be written at once. */
  readonly headerLines?: number;
  /** Whether lines report the progress among the rows, which then are objects with one member. */
  readonly hasProgress?: true;
}

const json = 'application/json; charset=UTF-8';
const ndjson = 'application/x-ndjson; charset=UTF-8';
const tsv = 'text/tab-separated-values; charset=UTF-8';
const csv = 'text/csv; charset=UTF-8; header=absent';
const binary = 'application/octet-stream';

const formats: Readonly<Record<string, Format>> = {
  TabSeparated: { contentType: tsv, headerLines: 0 },
  TSV: { contentType: tsv, headerLines: 0 },
  TabSeparatedRaw: { contentType: tsv, headerLines: 0 },
  TSVRaw: { contentType: tsv, headerLines: 0 },
  TabSeparatedWithNames: { contentType: tsv, headerLines: 1 },
  TSVWithNames: { contentType: tsv, headerLines: 1 },
  TabSeparatedWithNamesAndTypes: { contentType: tsv, headerLines: 2 },
  TSVWithNamesAndTypes: { contentType: tsv, headerLines: 2 },
  CSV: { contentType: csv, headerLines: 0 },
  // A name may have a line break.
  CSVWithNames: { contentType: csv.replace('absent', 'present') },
  JSONEachRow: { contentType: ndjson, headerLines: 0 },
  JSONStringsEachRow: { contentType: ndjson, headerLines: 0 },
  JSONCompactEachRow: { contentType: ndjson, headerLines: 0 },
  JSONCompactStringsEachRow: { contentType: ndjson, headerLines: 0 },
  JSONCompactEachRowWithNames: { contentType: ndjson, headerLines: 1 },
  JSONCompactEachRowWithNamesAndTypes: { contentType: ndjson, headerLines: 2 },
  JSONCompactStringsEachRowWithNames: { contentType: ndjson, headerLines: 1 },
  JSONCompactStringsEachRowWithNamesAndTypes: { contentType: ndjson, headerLines: 2 },
  JSONEachRowWithProgress: { contentType: ndjson, headerLines: 0, hasProgress: true },
  JSONStringsEachRowWithProgress: { contentType: ndjson, headerLines: 0, hasProgress: true },
  JSONCompactEachRowWithProgress: { contentType: ndjson, headerLines: 0, hasProgress: true },
  RowBinary: { contentType: binary, headerLines: 0 },
  Native: { contentType: binary, headerLines: 0 },
  JSON: { contentType: json },
  JSONCompact: { contentType: json },
  JSONStrings: { contentType: json },
  JSONColumns: { contentType: json },
};

export const defaultFormat = 'TabSeparated';

export function formatOf(name: string): Format {
  return formats[name] ?? { contentType: 'text/plain; charset=UTF-8' };
}

const NEWLINE = 0x0a;
const progressLine = Buffer.from('{"progress":');
const metaLine = Buffer.from('{"meta":');

/** Cuts off what a block repeats: the header unless it is the first one, and chdb's progress, which is the block's. */
export function blockRows(format: Format, block: Buffer, isFirst: boolean): Buffer {
  let rows = block;
  for (let line = 0; !isFirst && line < (format.headerLines ?? 0); line += 1) rows = nextLine(rows);
  if (!format.hasProgress) return rows;
  while (startsWith(rows, progressLine)) rows = nextLine(rows);
  return !isFirst && startsWith(rows, metaLine) ? nextLine(rows) : rows;
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

function nextLine(bytes: Buffer): Buffer {
  const end = bytes.indexOf(NEWLINE);
  return end < 0 ? bytes.subarray(bytes.length) : bytes.subarray(end + 1);
}
