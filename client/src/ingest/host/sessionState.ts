// An ingest page's state, and its reducer. An event produces the next state, and effects that the session carries out.
// The results of effects are dispatched as events.
import type {
  FileProblem,
  FileSource,
  Preview,
  TargetSchema,
} from '../../../../ingest/src/contract.ts';
import type { ReadSettings } from '../../../../ingest/src/settings.ts';
import { datasetNameProblem, suggestedName } from '../datasetName.ts';
import type { Span } from '../reportText.ts';
import { unsentReport } from '../unsentReport.ts';
import { type Choices, withChange } from './choices.ts';
import type { FinishedReport, IngestInput } from './engine.ts';
import type { Mode, Phase, ProgressView } from './pageFacts.ts';
import { shiftPreview, shiftReport } from './shiftLines.ts';

export interface FileState {
  readonly id: number;
  readonly input: IngestInput;
  /** The file's size and time at the last check. */
  readonly source: FileSource;
  readonly choices: Choices;
  readonly isSelected: boolean;
  readonly isReading: boolean;
  /** The latest preview. Its choices may be outdated while a newer preview is read. */
  readonly preview?: Preview;
  readonly problem?: FileProblem | undefined;
  readonly report?: FinishedReport | undefined;
  /** The interrupted run that the session's first run resumes. */
  readonly saved?: IngestInput['resume'];
  /** The settings of the last run, used again if it is resumed. */
  readonly ranWith?: ReadSettings;
}

/** The latest run, with times in milliseconds since 1970. */
export interface RunState {
  readonly mode: Mode;
  readonly dataset: string;
  readonly files: readonly number[];
  readonly from: number;
  readonly to: number;
}

export interface SessionState {
  readonly phase: Phase;
  readonly files: readonly FileState[];
  /** The ID of the previewed file. */
  readonly shown: number;
  /** The chosen or typed dataset name, or the dataset name of the run. */
  readonly named?: string | undefined;
  readonly datasets?: readonly string[] | undefined;
  /** The dataset whose schema the previews are compared with. */
  readonly target?: { readonly dataset: string; readonly schema: TargetSchema | undefined };
  readonly isConnecting: boolean;
  readonly run?: RunState;
  readonly progress?: ProgressView | undefined;
}

export type SessionEvent =
  | { readonly type: 'show'; readonly file: number }
  | { readonly type: 'include'; readonly file: number; readonly included: boolean }
  | { readonly type: 'choose'; readonly file: number; readonly choices: Choices }
  | { readonly type: 'applyToAll'; readonly file: number }
  | { readonly type: 'setDataset'; readonly dataset: string }
  | { readonly type: 'start'; readonly mode: Mode }
  | { readonly type: 'resumeRun'; readonly file: number }
  | { readonly type: 'back' }
  | { readonly type: 'listed'; readonly datasets: readonly string[] | undefined }
  | {
      readonly type: 'described';
      readonly dataset: string;
      readonly schema?: TargetSchema | undefined;
    }
  | { readonly type: 'reading'; readonly file: number }
  | { readonly type: 'reopened'; readonly file: number; readonly source: FileSource }
  | { readonly type: 'previewed'; readonly file: number; readonly preview: Preview }
  | { readonly type: 'unreadable'; readonly file: number; readonly problem: FileProblem }
  | { readonly type: 'declined' }
  | { readonly type: 'started'; readonly run: RunState }
  | { readonly type: 'progressed'; readonly progress: ProgressView }
  | {
      readonly type: 'ran';
      readonly file: number;
      readonly report: FinishedReport;
      /** The settings that the file was read with; absent if it was not sent. */
      readonly settings?: ReadSettings;
    }
  | { readonly type: 'failed'; readonly file: number; readonly problem: string }
  | { readonly type: 'spanned'; readonly files: readonly number[]; readonly span: Span }
  | { readonly type: 'ended'; readonly at: number };

export type SessionEffect =
  /** Reads previews one after another. */
  | { readonly type: 'read'; readonly files: readonly number[] }
  /** Requests the dataset's schema, after a delay if the name is being typed. */
  | { readonly type: 'describe'; readonly isTyping: boolean }
  | { readonly type: 'run'; readonly mode: Mode; readonly files: readonly number[] };

interface Step {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

export function initialState(inputs: readonly IngestInput[], dataset?: string): SessionState {
  const files = inputs.map(fileState);
  return {
    phase: 'preview',
    files,
    shown: Math.max(0, files.findIndex(isIncluded)),
    named: dataset,
    isConnecting: false,
  };
}

export function fileState(input: IngestInput, id = 0): FileState {
  return {
    id,
    input,
    source: input.source,
    choices: input.choices ?? {},
    isSelected: input.included,
    isReading: false,
    ...(input.resume && { saved: input.resume }),
  };
}

/** Whether a file is sent. An unreadable file is never sent. */
export function isIncluded({ isSelected, problem }: FileState): boolean {
  return isSelected && problem === undefined;
}

/** Whether a preview has been neither read nor requested. */
export function isUnread({ preview, problem, isReading }: FileState): boolean {
  return preview === undefined && problem === undefined && !isReading;
}

/** Returns the dataset name. By default, it is derived from `namedAfter` or the name of the first readable file. */
export function datasetOf({ named, files }: SessionState): string {
  const file = files.find(({ problem }) => problem === undefined) ?? files[0];
  return named ?? (file ? suggestedName(file.input.namedAfter ?? file.source.name) : '');
}

export function datasetProblem(state: SessionState): string | undefined {
  const dataset = datasetOf(state).trim();
  return state.datasets?.includes(dataset) ? undefined : datasetNameProblem(dataset);
}

/** Returns the reason why nothing can be sent, if any. */
export function blockedBy(state: SessionState): string | undefined {
  const { files } = state;
  if (files.every(({ problem }) => problem))
    return files.length === 1 ? 'The file cannot be read.' : 'None of the files can be read.';
  return files.some(isIncluded) ? datasetProblem(state) : 'Select at least one file.';
}

/** Returns the journal of the run that a file resumes; undefined if the run was into another dataset. */
export function resumeOf({ report, saved }: FileState, dataset: string): string | undefined {
  if (report !== undefined) return report.resumable;
  return saved?.dataset === dataset ? saved.path : undefined;
}

/** Returns the settings for reading a file, derived from its preview and the choices. */
export function settingsOf({ preview, problem, choices }: FileState): ReadSettings | undefined {
  if (preview === undefined || problem !== undefined) return undefined;
  return {
    ...preview.settings,
    labels: choices.labels ?? preview.settings.labels,
    broken: choices.broken ?? preview.settings.broken,
  };
}

export function reduce(state: SessionState, event: SessionEvent): Step {
  const step = (change: Partial<SessionState>, ...effects: readonly SessionEffect[]): Step => ({
    state: { ...state, ...change },
    effects,
  });
  const unchanged: Step = { state, effects: [] };
  const isPreview = state.phase === 'preview';
  const read = (...files: readonly number[]): SessionEffect => ({ type: 'read', files });
  const file = 'file' in event ? state.files[event.file] : undefined;
  const change = (part: Partial<FileState>): Pick<SessionState, 'files'> => ({
    files: state.files.map((one) => (one === file ? { ...one, ...part } : one)),
  });
  if ('file' in event && file === undefined) return unchanged;
  switch (event.type) {
    case 'show':
      return step({ shown: event.file }, ...(file && isUnread(file) ? [read(event.file)] : []));
    case 'include': {
      if (!isPreview) return unchanged;
      const isFirst = event.included && file !== undefined && isUnread(file);
      return step(change({ isSelected: event.included }), ...(isFirst ? [read(event.file)] : []));
    }
    case 'choose':
      if (!isPreview || file === undefined) return unchanged;
      return step(change({ choices: withChange(file.choices, event.choices) }), read(event.file));
    case 'applyToAll': {
      if (!isPreview || file === undefined) return unchanged;
      const others = state.files.filter((one) => one !== file && isIncluded(one));
      const files = state.files.map((one) =>
        others.includes(one) ? { ...one, choices: choicesLike(file, one) } : one,
      );
      return step({ files }, read(...others.map(({ id }) => id)));
    }
    case 'setDataset':
      if (!isPreview) return unchanged;
      return step({ named: event.dataset }, { type: 'describe', isTyping: true });
    case 'listed':
      return step({ datasets: event.datasets }, { type: 'describe', isTyping: false });
    case 'described':
      return described(state, event);
    case 'reading':
      return step(change({ isReading: true }));
    case 'reopened':
      return step(change({ source: event.source }));
    case 'previewed': {
      const preview = shiftPreview(event.preview, file?.input.linesBefore ?? 0);
      return withTarget(step(change({ preview, problem: undefined, isReading: false })));
    }
    case 'unreadable':
      return withTarget(step(change({ problem: event.problem, isReading: false })));
    case 'start': {
      const isBusy = state.phase === 'running' || state.isConnecting;
      if (isBusy || blockedBy(state) !== undefined) return unchanged;
      const included = state.files.filter(isIncluded);
      const files = state.files.map((one) =>
        included.includes(one) ? { ...one, report: undefined } : one,
      );
      return step(
        { files, ...connecting(state) },
        { type: 'run', mode: event.mode, files: included.map(({ id }) => id) },
      );
    }
    case 'resumeRun':
      if (state.phase !== 'report' || state.isConnecting) return unchanged;
      if (file?.report?.resumable === undefined) return unchanged;
      return step(connecting(state), { type: 'run', mode: 'ingest', files: [event.file] });
    case 'declined':
      return step({ isConnecting: false });
    case 'started':
      return step({ phase: 'running', isConnecting: false, run: event.run });
    case 'progressed':
      return step({ progress: event.progress });
    case 'ran': {
      const { settings } = event;
      const report = shiftReport(event.report, file?.input.linesBefore ?? 0);
      // Keep the saved run if there are no settings, because nothing was sent. A new run would store its events twice.
      return step(change({ report, ...(settings && { saved: undefined, ranWith: settings }) }));
    }
    case 'failed': {
      const { problem } = event;
      const report =
        file?.report ?? unsentReport(file?.source.name ?? '', state.run?.dataset ?? '', problem);
      return step(change({ report: { ...report, problem } }));
    }
    case 'spanned': {
      const { first: firstTime, last: lastTime } = event.span;
      const files = state.files.map((one) =>
        event.files.includes(one.id) && one.report
          ? { ...one, report: { ...one.report, firstTime, lastTime } }
          : one,
      );
      return step({ files });
    }
    case 'ended': {
      const { run } = state;
      return step({
        phase: 'report',
        progress: undefined,
        ...(run && { run: { ...run, to: event.at } }),
      });
    }
    case 'back':
      return state.phase === 'report' ? step({ phase: 'preview' }) : unchanged;
  }
}

/** Keeps the current dataset name, because reading the files again could change the default. */
function connecting(state: SessionState): Pick<SessionState, 'named' | 'isConnecting'> {
  return { named: datasetOf(state), isConnecting: true };
}

/** Returns one file's choices for use with another file, which keeps its compression. */
function choicesLike({ choices, preview }: FileState, other: FileState): Choices {
  const { compression: _, ...own } = choices;
  const { compression } = other.choices;
  const format = preview?.settings.format;
  return { ...own, ...(format && { format }), ...(compression && { compression }) };
}

/** Stores a schema. If it has changed, reads the previews again, because they list conflicts with the schema. */
function described(
  state: SessionState,
  { dataset, schema }: Extract<SessionEvent, { type: 'described' }>,
): Step {
  if (dataset !== datasetOf(state).trim()) return { state, effects: [] };
  const isSame = JSON.stringify(schema) === JSON.stringify(state.target?.schema);
  const previewed = isSame ? [] : state.files.filter(({ preview }) => preview);
  return {
    state: { ...state, target: { dataset, schema } },
    effects: previewed.map(({ id }) => ({ type: 'read', files: [id] })),
  };
}

/** Requests another schema if the default dataset name has changed. */
function withTarget({ state }: Step): Step {
  const isOther = state.target !== undefined && state.target.dataset !== datasetOf(state).trim();
  return { state, effects: isOther ? [{ type: 'describe', isTyping: false }] : [] };
}
