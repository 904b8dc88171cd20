/** Converts the service's messages about an answer to notices for the user. */

import { MESSAGE_CODES, QUERY_DEFAULT_LIMIT } from '../../../api/src/plain.ts';
import { grouped } from '../../../formats/src/counts.ts';
import type { AnswerHead } from '../../../table/src/answer.ts';
import { cutText, visibleText } from '../../../table/src/visibleText.ts';
import type { ViewNotice } from './pageContent.ts';

/** Severities by priority. Messages of any other priority are informational. */
const severities: ReadonlyMap<string, ViewNotice['severity']> = new Map([
  ['warn', 'warning'],
  ['error', 'error'],
  ['fatal', 'error'],
]);

const limit = `${grouped(QUERY_DEFAULT_LIMIT)} rows`;

/** Replaces the service's message about the default limit with a clearer one. */
const defaultLimit = {
  label: `default limit: ${limit}`,
  message: `The result is limited to ${limit} because the query has no limit. Add "| limit" with a number to see more.`,
};

/** Whether the default limit cut off rows. Checks row counts, because the service reports an ineffective limit too. */
export function limitedByDefault({ messages, tables }: AnswerHead): boolean {
  const rows = tables[0]?.rowCount ?? 0;
  return (
    rows >= QUERY_DEFAULT_LIMIT && messages.some(({ code }) => code === MESSAGE_CODES.defaultLimit)
  );
}

export function noticesOf(head: AnswerHead): ViewNotice[] {
  const { messages, status, notes } = head;
  const found = messages.flatMap(({ code, priority = '', msg, message }): ViewNotice | [] => {
    const severity = severities.get(priority) ?? 'info';
    if (code === MESSAGE_CODES.defaultLimit)
      return limitedByDefault(head) ? { severity, ...defaultLimit } : [];
    const words = msg ?? message ?? code ?? 'The service sent a notice without a message.';
    return { severity, label: labelOf(code), message: words };
  });
  if (status.isPartial) {
    found.push({
      severity: 'warning',
      label: 'partial',
      message: 'The result is partial: the service stopped before it had read all data.',
    });
  }
  if (status.isEstimate)
    found.push({ severity: 'warning', label: 'estimate', message: 'The numbers are estimates.' });
  if (notes.length > 0) {
    found.push({
      severity: 'warning',
      label: 'malformed parts',
      message: `Parts of the response were left out:\n${notes.slice(0, 20).map(visibleText).join('\n')}`,
    });
  }
  return found;
}

function labelOf(code: string | undefined): string {
  if (code === undefined) return 'notice';
  return cutText(code.replace(/^apl_/, '').replaceAll('_', ' '), 60);
}
