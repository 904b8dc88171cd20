// One file of a session: what was chosen for it, its preview, and what came of its run. A preview that a
// later choice has overtaken is cancelled.
import {
  FileProblem,
  type FileSource,
  type Preview,
  type TargetSchema,
} from '../../../../ingest/src/contract.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import { suggestedName } from '../datasetName.ts';
import { type Choices, withChange } from './choices.ts';
import type { FinishedReport, IngestEngine, IngestInput } from './engine.ts';
import type { FileItem, FileView, ReadView } from './messages.ts';
import { outsideOf, type RangeInEffect, shortPreview } from './previewView.ts';
import { shiftPreview, shiftReport } from './shiftLines.ts';

export class SessionFile {
  readonly id: number;
  readonly input: IngestInput;
  /** As it was when it was last looked at. */
  source: FileSource;
  choices: Choices;
  /** The latest one, of earlier choices while the next is read. */
  preview: Preview | undefined;
  problem: FileProblem | undefined;
  report: FinishedReport | undefined;
  /** The run that is resumed by the first run of the session. */
  saved: IngestInput['resume'];
  /** How its last run read it, which a resumed one does too. */
  ranWith: ReadSettings | undefined;
  /** Whether a person has it selected. */
  #isSelected: boolean;
  #reading: AbortController | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(id: number, input: IngestInput) {
    this.id = id;
    this.input = input;
    this.source = input.source;
    this.#isSelected = input.included;
    this.choices = input.choices ?? {};
    this.saved = input.resume;
  }

  get name(): string {
    return this.source.name;
  }

  /** The name for a new dataset of its events. */
  get suggestedDataset(): string {
    return suggestedName(this.input.namedAfter ?? this.name);
  }

  /** Whether it is sent: a file that cannot be read is not, until it can be. */
  get included(): boolean {
    return this.#isSelected && this.problem === undefined;
  }

  set included(isSelected: boolean) {
    this.#isSelected = isSelected;
  }

  /** Takes what came of its run. */
  ran(report: FinishedReport): void {
    this.report = shiftReport(report, this.#linesBefore);
  }

  get #linesBefore(): number {
    return this.input.linesBefore ?? 0;
  }

  /** The columns of a CSV file, by their names in it. */
  get columns(): readonly string[] {
    return (this.preview?.fields ?? [])
      .map(({ name, nameInFile }) => nameInFile ?? name)
      .filter((name) => name !== '_time');
  }

  get reading(): boolean {
    return this.#reading !== undefined;
  }

  /** Whether its preview was neither read nor asked for. */
  get isUnread(): boolean {
    return this.preview === undefined && this.problem === undefined && !this.reading;
  }

  /** Whether an editor can show its lines: those of a compressed file are not those of its bytes. */
  get hasLines(): boolean {
    const compression = this.preview?.settings.compression ?? 'none';
    return this.input.uri !== undefined && compression === 'none';
  }

  change(change: Choices): void {
    this.choices = withChange(this.choices, change);
  }

  /** Reads the preview again; `changed` is called when it begins and when it is there. */
  read(engine: IngestEngine, target: TargetSchema | undefined, changed: () => void): Promise<void> {
    this.#reading?.abort();
    const controller = new AbortController();
    this.#reading = controller;
    this.#done = this.#read(engine, target, controller, changed);
    changed();
    return this.#done;
  }

  /** Settles when no preview is under way. */
  async settled(): Promise<void> {
    for (let done: Promise<void> | undefined; done !== this.#done; ) {
      done = this.#done;
      await done;
    }
  }

  /** Looks at the file again. Returns whether it has changed. Rejects with a FileProblem. */
  async refresh(): Promise<boolean> {
    const { size, modified } = this.source;
    this.source = (await this.input.reopen?.()) ?? this.source;
    return this.source.size !== size || this.source.modified !== modified;
  }

  cancelReading(): void {
    this.#reading?.abort();
    this.#reading = undefined;
  }

  async #read(
    engine: IngestEngine,
    target: TargetSchema | undefined,
    controller: AbortController,
    changed: () => void,
  ): Promise<void> {
    const { signal } = controller;
    try {
      await this.refresh();
      const preview = await engine.preview(this.source, this.choices, target, signal);
      if (signal.aborted) return;
      this.preview = shiftPreview(preview, this.#linesBefore);
      this.problem = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error instanceof FileProblem ? error : new FileProblem(readProblem(error));
    }
    this.#reading = undefined;
    changed();
  }

  item(): FileItem {
    const { source, preview, reading, problem } = this;
    const { folder, link } = this.input;
    return {
      id: this.id,
      name: source.name,
      ...(folder !== undefined && { folder }),
      ...(link !== undefined && { link }),
      size: source.size,
      included: this.included,
      state: problem ? 'problem' : preview ? 'ready' : reading ? 'reading' : 'waiting',
      ...(preview && { format: preview.settings.format }),
      events: preview?.events.length ?? 0,
      broken: preview?.broken.length ?? 0,
    };
  }

  view(current: RangeInEffect): FileView {
    const { uri } = this.input;
    const { source, problem, preview, choices } = this;
    const outside = preview && outsideOf(preview, current);
    return {
      id: this.id,
      name: source.name,
      ...(uri !== undefined && { path: source.path ?? uri }),
      size: source.size,
      reading: this.reading,
      ...(problem && {
        problem: {
          message: problem.message,
          ...(problem.line !== undefined && { line: problem.line }),
        },
      }),
      read: this.#readView(),
      labels: choices.labels ?? {},
      broken: choices.broken ?? preview?.settings.broken ?? 'skip',
      ...(preview && !problem && { preview: shortPreview(preview), ...(outside && { outside }) }),
      hasLines: this.hasLines,
    };
  }

  /** The settings of the preview, or the chosen ones while it is read again and after it could not be read. */
  #readView(): ReadView {
    const { choices, preview } = this;
    const isStale = this.reading || this.problem !== undefined;
    const settings = { ...preview?.settings, ...(isStale && choices) };
    const csv = { ...preview?.settings.csv, ...(isStale && choices.csv) };
    const { format, compression, encoding, time } = settings;
    return {
      ...(format && { format }),
      ...(compression && { compression }),
      ...(encoding && { encoding }),
      ...(settings.csv && { csv: { delimiter: csv.delimiter ?? ',', header: csv.header ?? true } }),
      ...(time && { time }),
    };
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'The file does not exist any more. Check whether it was moved or deleted.',
  EACCES: 'You do not have permission to read the file. Change its permissions, or copy it.',
  EPERM: 'You do not have permission to read the file. Change its permissions, or copy it.',
  EISDIR: 'This is a folder. Select the files in it.',
  ELOOP: 'The symbolic link leads back to itself. Select the file itself.',
};

export function readProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? `Cannot read the file: ${message ?? String(error)}`;
}
