// The reducer of a session of the ingest page: the next state and the effects of an event in a state.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IngestInput } from '../../../client/src/ingest/host/engine.ts';
import {
  blockedBy,
  datasetOf,
  type FileState,
  initialState,
  isIncluded,
  reduce,
  resumeOf,
  type SessionEffect,
  type SessionEvent,
  type SessionState,
} from '../../../client/src/ingest/host/sessionState.ts';
import { FileProblem } from '../../../ingest/src/contract.ts';
import { completeReport, cutReport, emptySource, logs, weather } from './recorded.ts';

const input = (name: string, more: Partial<IngestInput> = {}): IngestInput => ({
  source: emptySource(name, 100),
  included: true,
  ...more,
});

const inputs = [input('a.csv'), input('b.ndjson'), input('c.csv', { included: false })];
const problem = new FileProblem('a.csv is empty.');
const run = { mode: 'ingest', dataset: 'data', files: [0, 1], from: 10, to: 10 } as const;
const schema = { fields: [], mapFields: ['labels'] };

/** Returns the state after these events. */
function stateAfter(...events: readonly SessionEvent[]): SessionState {
  return events.reduce((state, event) => reduce(state, event).state, initialState(inputs));
}

const previewed: readonly SessionEvent[] = [
  { type: 'listed', datasets: ['data'] },
  { type: 'reading', file: 0 },
  { type: 'previewed', file: 0, preview: weather() },
  { type: 'reading', file: 1 },
  { type: 'previewed', file: 1, preview: logs() },
  { type: 'setDataset', dataset: 'data' },
];
const running: readonly SessionEvent[] = [
  ...previewed,
  { type: 'start', mode: 'ingest' },
  { type: 'started', run },
];
const stopped: readonly SessionEvent[] = [
  ...running,
  { type: 'ran', file: 0, report: cutReport, settings: weather().settings },
  { type: 'ended', at: 20 },
];

const file = (state: SessionState, id = 0) => state.files[id] as FileState;
const read = (...files: readonly number[]): SessionEffect => ({ type: 'read', files });
const describeNow: SessionEffect = { type: 'describe', isTyping: false };

interface Row {
  readonly name: string;
  readonly given: readonly SessionEvent[];
  readonly event: SessionEvent;
  readonly effects?: readonly SessionEffect[];
  /** Returns pairs of actual and expected values of the next state. */
  readonly expected?: (state: SessionState) => readonly (readonly [unknown, unknown])[];
}

const rows: readonly Row[] = [
  {
    name: 'reads a file when it is first shown',
    given: [],
    event: { type: 'show', file: 2 },
    effects: [read(2)],
    expected: ({ shown }) => [[shown, 2]],
  },
  {
    name: "doesn't read a file again when it is shown another time",
    given: previewed,
    event: { type: 'show', file: 1 },
    expected: ({ shown }) => [[shown, 1]],
  },
  {
    name: 'ignores a request to show a file that does not exist',
    given: [],
    event: { type: 'show', file: 9 },
  },
  {
    name: 'reads a file when it is first included',
    given: previewed,
    event: { type: 'include', file: 2, included: true },
    effects: [read(2)],
    expected: (state) => [[isIncluded(file(state, 2)), true]],
  },
  {
    name: "doesn't include files during a run",
    given: running,
    event: { type: 'include', file: 2, included: true },
    expected: (state) => [[isIncluded(file(state, 2)), false]],
  },
  {
    name: 'reads a file again after a setting is chosen',
    given: previewed,
    event: { type: 'choose', file: 0, choices: { format: 'lines' } },
    effects: [read(0)],
    expected: (state) => [[file(state).choices, { format: 'lines' }]],
  },
  {
    name: 'ignores chosen settings while a report is shown',
    given: stopped,
    event: { type: 'choose', file: 0, choices: { format: 'lines' } },
    expected: (state) => [[file(state).choices, {}]],
  },
  {
    name: "applies a file's settings except compression to the other included files",
    given: [
      ...previewed,
      { type: 'choose', file: 0, choices: { compression: 'gzip', labels: { region: 'eu' } } },
      { type: 'choose', file: 1, choices: { compression: 'zstd' } },
    ],
    event: { type: 'applyToAll', file: 0 },
    effects: [read(1)],
    expected: (state) => [
      [file(state, 1).choices, { labels: { region: 'eu' }, format: 'csv', compression: 'zstd' }],
      [file(state, 2).choices, {}],
    ],
  },
  {
    name: 'requests the schema of the dataset whose name is being typed',
    given: [],
    event: { type: 'setDataset', dataset: 'logs' },
    effects: [{ type: 'describe', isTyping: true }],
    expected: (state) => [[datasetOf(state), 'logs']],
  },
  {
    name: 'requests the schema of the dataset once the datasets are listed',
    given: [],
    event: { type: 'listed', datasets: ['a'] },
    effects: [describeNow],
    expected: ({ datasets }) => [[datasets, ['a']]],
  },
  {
    name: 'reads previews again if the dataset has another schema',
    given: previewed,
    event: { type: 'described', dataset: 'data', schema },
    effects: [read(0), read(1)],
    expected: ({ target }) => [[target, { dataset: 'data', schema }]],
  },
  {
    name: "doesn't read previews again if the schema is unchanged",
    given: [...previewed, { type: 'described', dataset: 'data', schema }],
    event: { type: 'described', dataset: 'data', schema: { ...schema } },
  },
  {
    name: 'ignores the schema of a dataset that is no longer the target',
    given: previewed,
    event: { type: 'described', dataset: 'former', schema },
    expected: ({ target }) => [[target, undefined]],
  },
  {
    name: 'names the dataset after the next file if the first one is unreadable',
    given: [{ type: 'described', dataset: 'a', schema: undefined }],
    event: { type: 'unreadable', file: 0, problem },
    effects: [describeNow],
    expected: (state) => [
      [datasetOf(state), 'b'],
      [isIncluded(file(state)), false],
    ],
  },
  {
    name: 'includes a file again once it can be read',
    given: [{ type: 'unreadable', file: 0, problem }],
    event: { type: 'previewed', file: 0, preview: weather() },
    expected: (state) => [
      [isIncluded(file(state)), true],
      [file(state).isReading, false],
    ],
  },
  {
    name: 'starts a run of the included files',
    given: previewed,
    event: { type: 'start', mode: 'ingest' },
    effects: [{ type: 'run', mode: 'ingest', files: [0, 1] }],
    expected: ({ isConnecting, phase }) => [
      [isConnecting, true],
      [phase, 'preview'],
    ],
  },
  {
    name: "doesn't start a second run while connecting",
    given: [...previewed, { type: 'start', mode: 'ingest' }],
    event: { type: 'start', mode: 'ingest' },
  },
  {
    name: "doesn't start a second run during a run",
    given: running,
    event: { type: 'start', mode: 'check' },
  },
  {
    name: "doesn't start a run if the dataset name is invalid",
    given: [...previewed, { type: 'setDataset', dataset: '-' }],
    event: { type: 'start', mode: 'ingest' },
  },
  {
    name: 'stays on the preview if the connection is declined',
    given: [...previewed, { type: 'start', mode: 'ingest' }],
    event: { type: 'declined' },
    expected: ({ isConnecting, phase }) => [
      [isConnecting, false],
      [phase, 'preview'],
    ],
  },
  {
    name: 'keeps the name of the dataset during a run, even if its file becomes unreadable',
    given: [
      { type: 'start', mode: 'ingest' },
      { type: 'started', run },
    ],
    event: { type: 'unreadable', file: 0, problem },
    expected: (state) => [[datasetOf(state), 'a']],
  },
  {
    name: 'stores the report and settings of a sent file, and drops its saved run',
    given: running,
    event: { type: 'ran', file: 0, report: completeReport, settings: weather().settings },
    expected: (state) => [
      [file(state).report, completeReport],
      [file(state).ranWith, weather().settings],
      [file(state).saved, undefined],
    ],
  },
  {
    name: 'adds the problem to the report of a run that could not be resumed',
    given: stopped,
    event: { type: 'failed', file: 0, problem: 'The run is already in progress.' },
    expected: (state) => [
      [file(state).report, { ...cutReport, problem: 'The run is already in progress.' }],
    ],
  },
  {
    name: 'reports a file that failed before it was sent',
    given: running,
    event: { type: 'failed', file: 1, problem: 'No.' },
    expected: (state) => [
      [file(state, 1).report?.outcome, 'stopped'],
      [file(state, 1).report?.problem, 'No.'],
      [file(state, 1).report?.dataset, 'data'],
    ],
  },
  {
    name: 'adds the time span of all files to reports without one',
    given: stopped,
    event: { type: 'spanned', files: [0, 1], span: { first: '2026-01-01', last: '2026-01-02' } },
    expected: (state) => [
      [file(state).report?.lastTime, '2026-01-02'],
      [file(state, 1).report, undefined],
    ],
  },
  {
    name: 'shows the report when a run ends',
    given: [
      ...running,
      {
        type: 'progressed',
        progress: {
          state: 'running',
          file: 'a.csv',
          index: 1,
          files: 2,
          bytes: 0,
          totalBytes: 200,
          events: 0,
          eventsPerSecond: 0,
        },
      },
    ],
    event: { type: 'ended', at: 30 },
    expected: ({ phase, progress, run: ended }) => [
      [phase, 'report'],
      [progress, undefined],
      [ended, { ...run, to: 30 }],
    ],
  },
  {
    name: 'resumes the run of a file from its report',
    given: stopped,
    event: { type: 'resumeRun', file: 0 },
    effects: [{ type: 'run', mode: 'ingest', files: [0] }],
  },
  {
    name: "doesn't resume a run twice while connecting",
    given: [...stopped, { type: 'resumeRun', file: 0 }],
    event: { type: 'resumeRun', file: 0 },
  },
  {
    name: "doesn't resume a file without a resumable run",
    given: stopped,
    event: { type: 'resumeRun', file: 1 },
  },
  {
    name: 'goes back from a report to the preview',
    given: stopped,
    event: { type: 'back' },
    expected: ({ phase }) => [[phase, 'preview']],
  },
  {
    name: "doesn't go back to the preview during a run",
    given: running,
    event: { type: 'back' },
    expected: ({ phase }) => [[phase, 'running']],
  },
];

describe('the reducer of an ingest session', () => {
  for (const { name, given, event, effects = [], expected } of rows) {
    it(name, () => {
      const before = stateAfter(...given);
      const step = reduce(before, event);
      assert.deepEqual(step.effects, effects);
      if (expected === undefined && effects.length === 0 && event.type !== 'described')
        assert.equal(step.state, before);
      for (const [actual, wanted] of expected?.(step.state) ?? []) assert.deepEqual(actual, wanted);
    });
  }

  it('numbers the lines of a selection as in its document', () => {
    const selection = [input('a.ndjson', { linesBefore: 10 })];
    const events: readonly SessionEvent[] = [
      { type: 'previewed', file: 0, preview: logs() },
      { type: 'started', run: { ...run, files: [0] } },
      { type: 'ran', file: 0, report: cutReport },
      { type: 'failed', file: 0, problem: 'Again.' },
    ];
    const state = events.reduce((now, event) => reduce(now, event).state, initialState(selection));
    assert.equal(file(state).preview?.events[0]?.line, 11);
    assert.equal(file(state).report?.resumeLine, 30_011);
  });

  it('states why a run cannot start', () => {
    const unreadable = inputs.map(
      (_, id): SessionEvent => ({ type: 'unreadable', file: id, problem }),
    );
    for (const [events, reason] of [
      [[], undefined],
      [unreadable, 'None of the files can be read.'],
      [
        [
          { type: 'include', file: 0, included: false },
          { type: 'include', file: 1, included: false },
        ],
        'Select at least one file.',
      ],
      [[{ type: 'setDataset', dataset: '' }], 'Enter a name.'],
    ] as const)
      assert.equal(blockedBy(stateAfter(...events)), reason);
  });

  it('resumes a saved run only into its own dataset, and only before a new report', () => {
    const saved = { path: 'a.run', dataset: 'data', settings: weather().settings };
    const resumed = file(initialState([input('a.csv', { resume: saved })]));
    assert.equal(resumeOf(resumed, 'data'), 'a.run');
    assert.equal(resumeOf(resumed, 'other'), undefined);
    assert.equal(resumeOf({ ...resumed, report: completeReport }, 'data'), undefined);
  });
});
