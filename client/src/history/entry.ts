// A history entry for one run. Contains no rows or tokens.
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { AnswerId } from '../answers/protocol.ts';

export interface HistoryEntry {
  readonly id: string;
  readonly askedAt: number;
  readonly title: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly deployment: string;
  readonly range: string;
  /** The URI of the document or notebook that contains the query. */
  readonly document?: string;
  /** The text in the document if it differs from `query`, as in notebook cells that use lets from earlier cells. */
  readonly written?: string;
  readonly outcome: 'result' | 'failed' | 'cancelled';
  readonly message?: string;
  readonly rowCount?: number;
  /** The duration in milliseconds: reported by the service, or else measured from the request to its end. */
  readonly milliseconds: number;
  readonly answer?: AnswerId;
  readonly file?: string;
}

export function entryLine(entry: HistoryEntry): string {
  return `${stringifyJson(entry)}\n`;
}

/** Parses a line. Returns undefined if it is incomplete or was written by another version. */
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
