/** The contract between the ingest page and the host. */
import {
  boolean,
  type Checked,
  either,
  integer,
  list,
  literal,
  nothing,
  object,
  oneOf,
  record,
  text,
} from '../../webview/checks.ts';
import { contract } from '../../webview/pageContract.ts';
import type { FileView, ProgressView, ReportView, Screen } from './pageFacts.ts';

const maxFiles = 10_000;
const maxName = 10_000;
const maxColumns = 100_000;

const file = integer(0, maxFiles);
const name = text(maxName);
const line = integer(1, Number.MAX_SAFE_INTEGER);

const timeFormat = either(
  object({ kind: literal('rfc3339') }),
  object({ kind: literal('epoch'), unit: oneOf('s', 'ms', 'us', 'ns') }),
  object({ kind: literal('layout'), layout: text(200) }),
);

const choices = object(
  {},
  {
    format: oneOf('json', 'ndjson', 'csv', 'logfmt', 'lines'),
    compression: oneOf('none', 'gzip', 'zstd'),
    encoding: oneOf('utf-8', 'utf-16le', 'utf-16be'),
    csv: object(
      {},
      {
        delimiter: text(1),
        header: boolean,
        names: list(name, maxColumns),
        types: record(oneOf('string', 'integer', 'number', 'boolean'), maxColumns),
      },
    ),
    time: either(literal(null), object({ field: name, format: timeFormat, zone: text(100) })),
    labels: record(text(10_000), 100),
    broken: oneOf('skip', 'stop'),
  },
);

/** The state of unsent files on disk, which restores the page after a window reload. */
export const keptPage = object({
  deployment: name,
  dataset: text(1_000),
  files: list(
    object({ uri: name, included: boolean, choices }, { folder: name, within: name }),
    maxFiles,
  ),
});

export type KeptPage = Checked<typeof keptPage>;

export const ingestContract = contract<{
  screen: Screen;
  file: FileView;
  progress: ProgressView;
  report: ReportView;
  /** The state to keep for a reload; null if the page can't be restored. */
  keep: KeptPage | null;
}>()({
  requests: {},
  fromPage: {
    ready: nothing,
    show: object({ file }),
    include: object({ file, included: boolean }),
    choose: object({ file, choices }),
    applyToAll: object({ file }),
    setDataset: object({ dataset: text(1_000) }),
    setTimeRange: object({ file }),
    start: object({ mode: oneOf('ingest', 'check') }),
    pause: nothing,
    resume: nothing,
    /** Cancels the run; closes the page if there is no run. */
    cancel: nothing,
    /** Returns from the report to the preview. */
    back: nothing,
    openLine: object({ file, line }),
    openFailed: object({ file }),
    queryArrived: nothing,
    queryDoubt: object({ file }),
    resumeRun: object({ file }),
    /** The clicked button of a report or a problem. */
    action: object({ command: text(200) }),
    close: nothing,
  },
});

export type IngestContract = typeof ingestContract;
