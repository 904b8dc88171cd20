/** One run of a query as the history keeps it: what was asked, where, and what came of it. No rows, no token. */
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { AnswerId } from '../results/store/protocol.ts';

type HistoryOutcome = 'result' | 'failed' | 'cancelled';

export interface HistoryEntry {
  readonly id: string;
  /** When the query was sent, in milliseconds since 1970. */
  readonly askedAt: number;
  readonly title: string;
  readonly query: string;
  /** The values of the query's parameters. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly deployment: string;
  /** The range in words, such as `last 1 hour`. */
  readonly range: string;
  /** The document or notebook that the query was run from, as a URI. */
  readonly document?: string;
  /** What the document has, where that is not the query: a cell of a notebook uses lets of the cells above it. */
  readonly written?: string;
  readonly outcome: HistoryOutcome;
  readonly message?: string;
  readonly rowCount?: number;
  /** The service's own time, or from sending to the end where it says none; in milliseconds. */
  readonly milliseconds: number;
  readonly answer?: AnswerId;
  /** The result on disk, if it is kept. */
  readonly file?: string;
}

export function entryLine(entry: HistoryEntry): string {
  return `${stringifyJson(entry)}\n`;
}

/** The entry of a line; undefined where the line is cut off or was written by another version. */
export function readEntry(line: string): HistoryEntry | undefined {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    return undefined;
  }
  return isEntry(value) ? value : undefined;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const members: Readonly<Record<keyof HistoryEntry, Check>> = {
  id: isText,
  askedAt: isNumber,
  title: isText,
  query: isText,
  variables: isOptional((value) => typeof value === 'object' && value !== null),
  deployment: isText,
  range: isText,
  document: isOptional(isText),
  written: isOptional(isText),
  outcome: (value) => value === 'result' || value === 'failed' || value === 'cancelled',
  message: isOptional(isText),
  rowCount: isOptional(isNumber),
  milliseconds: isNumber,
  answer: isOptional(isText),
  file: isOptional(isText),
};

function isEntry(value: unknown): value is HistoryEntry {
  if (typeof value !== 'object' || value === null) return false;
  const found = value as Record<string, unknown>;
  return Object.entries(members).every(([name, check]) => check(found[name]));
}
