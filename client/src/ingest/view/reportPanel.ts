/** What came of a run: counts that add up, and for each event that is not stored its line and the reason. */
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import type { FileReport, ReportView, ViewCount } from '../host/messages.ts';
import { brokenList, lineLink } from './brokenList.ts';
import { channel } from './channel.ts';

const icons = { success: 'done', warning: 'warning', error: 'warning' } as const;

export class ReportPanel {
  readonly element = element('section', {
    class: 'report',
    attributes: { 'aria-label': 'Report' },
  });
  readonly #heading = element('h2', { attributes: { tabindex: '-1' } });

  update(report: ReportView): void {
    const { mode, headline, severity, counts, files, query } = report;
    this.#heading.className = severity;
    this.#heading.replaceChildren(icon(icons[severity]), element('span', { text: headline }));
    const [only] = files;
    const isOne = files.length === 1 && only !== undefined;
    this.element.replaceChildren(
      this.#heading,
      ...(isOne ? problemOf(only) : []),
      countsElement(counts),
      element('div', { class: 'buttons' }, [
        ...(query === undefined
          ? []
          : [
              button({
                class: 'action',
                text: query,
                onClick: () => channel.send('queryArrived', null),
              }),
            ]),
        ...(mode === 'check'
          ? [
              button({
                class: 'action',
                text: 'Ingest',
                onClick: () => channel.send('start', { mode: 'ingest' }),
              }),
            ]
          : []),
        ...(isOne ? fileButtons(only) : []),
        button({
          class: 'action secondary',
          text: 'Back to Preview',
          onClick: () => channel.send('back', null),
        }),
        button({
          class: 'action secondary',
          text: 'Close',
          onClick: () => channel.send('close', null),
        }),
      ]),
      ...(isOne ? fileDetails(only) : files.map(fileSection)),
    );
  }

  focus(): void {
    this.#heading.focus();
  }
}

function problemOf({ problem, severity }: FileReport): HTMLElement[] {
  if (problem === undefined) return [];
  return [element('div', { class: `message ${severity}` }, [element('span', { text: problem })])];
}

function countsElement(counts: readonly ViewCount[]): HTMLElement {
  return element(
    'dl',
    { class: 'counts' },
    counts.map(({ label, value, severity }) =>
      element('div', { class: severity ?? '' }, [
        element('dt', { text: label }),
        element('dd', { text: value }),
      ]),
    ),
  );
}

function fileButtons({ id, actions, failedFile, resume }: FileReport): HTMLElement[] {
  const secondary = (text: string, onClick: () => void) =>
    button({ class: 'action secondary', text, onClick });
  return [
    ...(resume === undefined
      ? []
      : [secondary(resume, () => channel.send('resumeRun', { file: id }))]),
    ...(failedFile
      ? [secondary('Open Failed Events', () => channel.send('openFailed', { file: id }))]
      : []),
    ...actions.map(({ label, command }) =>
      secondary(label, () => channel.send('action', { command })),
    ),
  ];
}

/** A file of several. */
function fileSection(file: FileReport): HTMLElement {
  const details = fileDetails(file);
  const buttons = fileButtons(file);
  return element('section', { class: 'file-report', attributes: { 'aria-label': file.name } }, [
    element('h3', { class: file.severity }, [
      icon(icons[file.severity]),
      element('span', { text: file.headline === '' ? file.name : fileHeadline(file) }),
    ]),
    ...problemOf(file),
    ...(buttons.length === 0 ? [] : [element('div', { class: 'buttons' }, buttons)]),
    ...details,
  ]);
}

function fileHeadline({ name, headline }: FileReport): string {
  return headline.includes(name) ? headline : `${name}: ${headline}`;
}

function fileDetails(file: FileReport): HTMLElement[] {
  const { id, hasLines, sum, reasons, failures, more, doubt, messages } = file;
  const heading = (text: string) => element('h3', { text });
  return [
    ...(sum === '' ? [] : [element('p', { class: 'about', text: sum })]),
    ...(doubt.length === 0
      ? []
      : [
          heading('In doubt'),
          element('p', {
            class: 'about',
            text: 'The connection broke before the service answered. These events may or may not be stored.',
          }),
          element(
            'ul',
            { class: 'doubt' },
            doubt.map(({ line, place }) =>
              element('li', {}, [lineLink(id, hasLines, line, place)]),
            ),
          ),
          element('div', { class: 'buttons' }, [
            button({
              class: 'action secondary',
              text: 'Open Query That Counts Them',
              onClick: () => channel.send('queryDoubt', { file: id }),
            }),
          ]),
        ]),
    ...(reasons.length === 0
      ? []
      : [
          heading('Reasons'),
          element(
            'ul',
            { class: 'reasons' },
            reasons.map(({ reason, count }) =>
              element('li', {}, [
                element('span', { class: 'count', text: count }),
                element('span', { text: reason }),
              ]),
            ),
          ),
        ]),
    ...(failures.length === 0
      ? []
      : [
          heading('Events that were not stored'),
          brokenList(id, hasLines, failures),
          ...(more === undefined ? [] : [element('p', { class: 'about', text: more })]),
        ]),
    ...(messages.length === 0
      ? []
      : [
          heading('Messages of the service'),
          element(
            'ul',
            { class: 'messages' },
            messages.map((text) => element('li', { text })),
          ),
        ]),
  ];
}
