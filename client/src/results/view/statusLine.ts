/** The line above the grid: tables to choose from, what came back in how long, and notices. */
import type { ViewNotice, ViewState } from '../messages.ts';
import { element } from './dom.ts';

type ShownResult = Extract<ViewState, { kind: 'result' }>;

export function statusLine(
  result: ShownResult,
  open: number,
  onOpen: (table: number) => void,
): HTMLElement {
  const line = element('header', { class: 'status' });
  if (result.title !== '')
    line.append(element('span', { class: 'title', text: result.title, title: result.title }));
  if (result.tables.length > 1) line.append(tabs(result, open, onOpen));
  line.append(
    element(
      'span',
      { class: 'summary', attributes: { role: 'status' } },
      result.summary.map((part) => element('span', { class: 'part', text: part })),
    ),
  );
  for (const notice of result.notices) line.append(noticeBadge(notice));
  return line;
}

function tabs(result: ShownResult, open: number, onOpen: (table: number) => void): HTMLElement {
  const list = element('span', {
    class: 'tabs',
    attributes: { role: 'tablist', 'aria-label': 'Result tables' },
  });
  result.tables.forEach((table, index) => {
    const tab = element('button', {
      class: 'tab',
      text: table.label,
      attributes: { role: 'tab', 'aria-selected': String(index === open) },
      onClick: () => onOpen(index),
    });
    list.append(tab);
  });
  return list;
}

function noticeBadge(notice: ViewNotice): HTMLElement {
  return element(
    'span',
    {
      class: `notice ${notice.severity}`,
      title: notice.message,
      attributes: { role: 'note', 'aria-label': notice.message, tabindex: '0' },
    },
    [element('span', { text: notice.label })],
  );
}
