// Asks for the kind, amount, time span and dataset of a sample. Enter accepts the default of each step.
import * as vscode from 'vscode';
import { counted, grouped } from '../../../../formats/src/counts.ts';
import { type SampleChoice, sampleChoices } from '../../../../ingest/src/samples/kinds.ts';
import { SAMPLE_EVENTS_MAX } from '../../../../ingest/src/samples/settings.ts';
import {
  answerOf,
  createQuickPick,
  type PickItem,
  showInputBox,
  showQuickPick,
} from '../../ui/inputs.ts';
import { datasetNameProblem } from '../datasetName.ts';
import { amountIn } from './amount.ts';

export interface SampleWish {
  readonly choice: SampleChoice;
  readonly events: number;
  readonly spanMs: number;
  readonly dataset: string;
  readonly existing: 'append' | 'replace';
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The first amount and the first time span are the defaults. */
const amounts = [100_000, 10_000, 1_000_000, 10_000_000];
const spans = [
  { label: 'Last 24 hours', spanMs: DAY_MS },
  { label: 'Last hour', spanMs: HOUR_MS },
  { label: 'Last 7 days', spanMs: 7 * DAY_MS },
  { label: 'Last 30 days', spanMs: 30 * DAY_MS },
  { label: 'Last 90 days', spanMs: 90 * DAY_MS },
];
const STEPS = 4;

function titled(step: number): string {
  return `Load Sample Data (${step} of ${STEPS})`;
}

/** Returns `bundled` for the samples in the extension, or undefined if the user cancels. */
export async function askSample(
  datasets: readonly string[],
): Promise<SampleWish | 'bundled' | undefined> {
  const choice = await askKind();
  if (choice === undefined || choice === 'bundled') return choice;
  const events = await askAmount();
  if (events === undefined) return undefined;
  const span = await showQuickPick(spans, {
    title: titled(3),
    placeHolder: 'Select the time range of the events, up to now',
  });
  if (span === undefined) return undefined;
  const dataset = await askDataset(choice, datasets);
  if (dataset === undefined) return undefined;
  const existing = datasets.includes(dataset) ? await askExisting(dataset) : 'append';
  return existing && { choice, events, spanMs: span.spanMs, dataset, existing };
}

async function askKind(): Promise<SampleChoice | 'bundled' | undefined> {
  const items = [
    ...sampleChoices.map((choice) => ({ label: choice.label, detail: choice.detail, choice })),
    { label: '', kind: vscode.QuickPickItemKind.Separator, choice: undefined },
    {
      label: 'Bundled samples with queries',
      detail: 'A few thousand HTTP logs, traces and application logs, and welcome.apl',
      choice: 'bundled' as const,
    },
  ];
  const chosen = await showQuickPick(items, {
    title: titled(1),
    placeHolder: 'Select the kind of events',
    matchOnDetail: true,
  });
  return chosen?.choice;
}

/** Asks for a number of events. If the user types a number, it is the only choice. */
function askAmount(): Promise<number | undefined> {
  const pick = createQuickPick<PickItem & { readonly events?: number }>();
  const listed = amounts.map((events) => ({ label: counted(events, 'event'), events }));
  pick.title = titled(2);
  pick.placeholder = 'Select the number of events, or type another';
  pick.items = listed;
  pick.onDidChangeValue((text) => {
    const typed = text.trim();
    const events = amountIn(typed);
    if (typed === '') pick.items = listed;
    else if (events === undefined) {
      const label = `Enter a number from 1 to ${grouped(SAMPLE_EVENTS_MAX)}`;
      pick.items = [{ label, alwaysShow: true }];
    } else pick.items = [{ label: counted(events, 'event'), alwaysShow: true, events }];
  });
  return answerOf(pick, (done) => {
    const events = pick.activeItems[0]?.events;
    if (events !== undefined) done(events);
  });
}

async function askDataset(
  { dataset }: SampleChoice,
  datasets: readonly string[],
): Promise<string | undefined> {
  const typed = await showInputBox({
    title: titled(4),
    prompt: 'Dataset to load into',
    value: dataset,
    validateInput: (text) => {
      const name = text.trim();
      const message = datasetNameProblem(name);
      if (message !== undefined) return message;
      if (!datasets.includes(name)) return undefined;
      const severity = vscode.InputBoxValidationSeverity.Info;
      return {
        message: `The dataset '${name}' exists. You can append to it or replace it.`,
        severity,
      };
    },
  });
  return typed?.trim() || undefined;
}

async function askExisting(dataset: string): Promise<'append' | 'replace' | undefined> {
  const chosen = await showQuickPick(
    [
      {
        label: 'Append',
        detail: `Keep the existing events of '${dataset}'`,
        existing: 'append' as const,
      },
      {
        label: 'Replace',
        detail: `Delete '${dataset}' with all its events, and create it again`,
        existing: 'replace' as const,
      },
    ],
    {
      title: `The Dataset '${dataset}' Exists`,
      placeHolder: 'Append to the existing events, or replace them',
    },
  );
  return chosen?.existing;
}
