/** A file before it is sent: how it is read, what was noticed, and its first events. */
import { button, element } from '../../webview/page/dom.ts';
import { icon } from '../../webview/page/icons.ts';
import { grouped } from '../../words/counts.ts';
import type { Choices } from '../host/choices.ts';
import type { FileView, Screen } from '../host/messages.ts';
import { brokenList } from './brokenList.ts';
import { channel } from './channel.ts';
import { formRow, select, setSelected } from './controls.ts';
import { FormatForm } from './formatForm.ts';
import { LabelsForm } from './labelsForm.ts';
import { PreviewTable } from './previewTable.ts';
import { TimeForm } from './timeForm.ts';

export class FileForm {
  readonly element: HTMLElement;
  readonly #title = element('h2', { class: 'file-name' });
  readonly #about = element('span', { class: 'about' });
  readonly #applyToAll: HTMLButtonElement;
  readonly #bar = element('div', { class: 'progress', attributes: { 'aria-hidden': 'true' } });
  readonly #problem = element('div', { class: 'message error', attributes: { role: 'alert' } });
  readonly #format: FormatForm;
  readonly #time: TimeForm;
  readonly #labels: LabelsForm;
  readonly #broken: HTMLSelectElement;
  readonly #notices = element('ul', { class: 'notices', attributes: { 'aria-label': 'Notices' } });
  readonly #brokenEvents = element('section', { attributes: { 'aria-label': 'Broken events' } });
  readonly #table: PreviewTable;
  #file: FileView | undefined;

  constructor() {
    const choose = (choices: Choices) => {
      if (this.#file) channel.send('choose', { file: this.#file.id, choices });
    };
    this.#format = new FormatForm(choose);
    this.#time = new TimeForm(choose);
    this.#labels = new LabelsForm(choose);
    this.#table = new PreviewTable(choose);
    this.#broken = select(
      [
        { value: 'skip', label: 'Skip them and collect them in a file' },
        { value: 'stop', label: 'Stop at the first' },
      ],
      (value) => choose({ broken: value as 'skip' }),
    );
    this.#applyToAll = button({
      class: 'action secondary',
      text: 'Apply to All Files',
      title: 'Read all selected files with the format, time, labels and types of this one',
      onClick: () => this.#file && channel.send('applyToAll', { file: this.#file.id }),
    });
    this.element = element('div', { class: 'file' }, [
      element('div', { class: 'file-heading' }, [this.#title, this.#about, this.#applyToAll]),
      this.#problem,
      element('div', { class: 'form' }, [
        this.#format.element,
        this.#time.element,
        this.#labels.element,
        formRow('Broken lines', [this.#broken], this.#broken),
      ]),
      this.#notices,
      this.#brokenEvents,
      this.#bar,
      this.#table.element,
    ]);
  }

  screen({ files }: Screen): void {
    this.#applyToAll.hidden = files.length < 2;
  }

  update(file: FileView): void {
    const same = this.#file?.id === file.id;
    this.#file = file;
    this.#title.textContent = file.name;
    this.#title.title = file.path ?? file.name;
    this.#about.textContent = file.size;
    this.#bar.hidden = !file.reading;
    this.#table.update(file);
    // Until the next preview is there, the controls keep what was just chosen.
    if (file.reading && same) return;
    this.#drawProblem(file);
    this.#format.update(file);
    this.#time.element.hidden = file.preview === undefined;
    if (file.preview) this.#time.update(file.id, file.preview.time);
    this.#labels.update(file.id, file.labels);
    setSelected(this.#broken, file.broken);
    this.#drawNotices(file);
    this.#drawBroken(file);
  }

  #drawProblem({ id, problem, hasLines }: FileView): void {
    this.#problem.hidden = problem === undefined;
    const line = problem?.line;
    this.#problem.replaceChildren(
      icon('warning'),
      element('span', { text: problem?.message ?? '' }),
      ...(line !== undefined && hasLines
        ? [
            button({
              class: 'link',
              text: `Open Line ${grouped(line)}`,
              onClick: () => channel.send('openLine', { file: id, line }),
            }),
          ]
        : []),
    );
  }

  #drawNotices({ preview }: FileView): void {
    const notices = preview?.notices ?? [];
    this.#notices.hidden = notices.length === 0;
    this.#notices.replaceChildren(
      ...notices.map(({ message, severity }) =>
        element('li', { class: severity }, [
          icon(severity === 'warning' ? 'warning' : 'info'),
          element('span', { text: message }),
        ]),
      ),
    );
  }

  #drawBroken({ id, hasLines, preview, broken: choice }: FileView): void {
    const broken = preview?.brokenEvents ?? [];
    this.#brokenEvents.hidden = broken.length === 0;
    this.#brokenEvents.replaceChildren(
      element('div', { class: 'preview-heading' }, [
        element('h2', { text: 'Broken events' }),
        element('span', {
          class: 'about',
          text:
            choice === 'skip'
              ? 'They are skipped and collected in a file, so that you can fix them'
              : 'The first broken event ends the run',
        }),
      ]),
      brokenList(id, hasLines, broken),
    );
  }
}
