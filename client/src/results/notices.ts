/** What the service says about an answer besides its rows, in words for the person. */
import { MESSAGE_CODES, QUERY_DEFAULT_LIMIT } from '../../../api/src/plain.ts';
import { grouped } from '../../../formats/src/counts.ts';
import type { AnswerHead } from '../../../table/src/answer.ts';
import { visibleLines, visibleText } from '../../../table/src/visibleText.ts';
import type { ViewNotice } from './messages.ts';

const severities: Readonly<Record<string, ViewNotice['severity']>> = {
  trace: 'info',
  debug: 'info',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'error',
};

/** Notices that the service sends by code and that are worded here. */
const ownMessages: Readonly<Record<string, () => string>> = {
  [MESSAGE_CODES.defaultLimit]: () =>
    `The result is limited to ${grouped(QUERY_DEFAULT_LIMIT)} rows because the query has no limit. Add "| limit" with a number to see more.`,
};

const labels: Readonly<Record<string, () => string>> = {
  [MESSAGE_CODES.defaultLimit]: () => `default limit: ${grouped(QUERY_DEFAULT_LIMIT)} rows`,
};

/** Whether the default limit cut the rows; the service reports the limit even where it cut nothing off. */
export function limitedByDefault({ messages, tables }: AnswerHead): boolean {
  const rows = tables[0]?.rowCount ?? 0;
  return (
    rows >= QUERY_DEFAULT_LIMIT && messages.some(({ code }) => code === MESSAGE_CODES.defaultLimit)
  );
}

export function noticesOf(head: AnswerHead): ViewNotice[] {
  const { messages, status, notes } = head;
  const found = messages.flatMap((row): ViewNotice | [] => {
    const { code, priority, msg, message } = row;
    if (code === MESSAGE_CODES.defaultLimit && !limitedByDefault(head)) return [];
    const own = code !== undefined && Object.hasOwn(ownMessages, code);
    const words =
      (own ? ownMessages[code]?.() : undefined) ??
      msg ??
      message ??
      code ??
      'The service sent a notice without a message.';
    return {
      severity:
        (priority !== undefined && Object.hasOwn(severities, priority)
          ? severities[priority]
          : undefined) ?? 'info',
      label: labelOf(code),
      message: visibleLines(words),
    };
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
  const own = Object.hasOwn(labels, code) ? labels[code]?.() : undefined;
  if (own !== undefined) return own;
  return visibleText(code.replace(/^apl_/, '').replaceAll('_', ' ')).slice(0, 60);
}
