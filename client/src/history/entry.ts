// A history entry for one run. Contains no rows or tokens.
import { parsedJson, stringifyJson } from '../../../api/src/plain.ts';
import { isMembers } from '../../../resources/src/value.ts';
import { anyNumber, anyText, type Checked, members, oneOf } from '../webview/checks.ts';

const isEntry = members(
  {
    id: anyText,
    askedAt: anyNumber,
    title: anyText,
    query: anyText,
    deployment: anyText,
    range: anyText,
    outcome: oneOf('result', 'failed', 'cancelled'),
    /** The duration in milliseconds: reported by the service, or else measured from the request to its end. */
    milliseconds: anyNumber,
  },
  {
    variables: isMembers,
    /** The URI of the document or notebook that contains the query. */
    document: anyText,
    /** The text in the document if it differs from `query`, as in notebook cells that use lets from earlier cells. */
    written: anyText,
    message: anyText,
    rowCount: anyNumber,
    /** The ID of the answer in the results store, and the name of its file. */
    answer: anyText,
    file: anyText,
  },
);
export type HistoryEntry = Checked<typeof isEntry>;

export function entryLine(entry: HistoryEntry): string {
  return `${stringifyJson(entry)}\n`;
}

/** Parses a line. Returns undefined if it is incomplete or was written by another version. */
export function readEntry(line: string): HistoryEntry | undefined {
  const value = parsedJson(line);
  return isEntry(value) ? value : undefined;
}
