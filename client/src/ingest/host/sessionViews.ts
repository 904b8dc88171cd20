// Derives the data for the page from a session's state.

import type { FinishedReport } from './engine.ts';
import type { KeptPage } from './ingestContract.ts';
import type { FileItem, FileView, ReadView, ReportView, Screen, ViewAction } from './pageFacts.ts';
import { outsideOf, type RangeInEffect, shortEvent, shortPreview } from './previewView.ts';
import {
  blockedBy,
  datasetOf,
  datasetProblem,
  type FileState,
  isIncluded,
  type SessionState,
} from './sessionState.ts';

/** The maximum numbers of failures and failure reasons in a report for the page. */
const FAILURES_MAX = 200;
const REASONS_MAX = 20;

export type PageFacts = Pick<Screen, 'deployment' | 'production' | 'notice'>;

export function screenOf(
  state: SessionState,
  { deployment, production, notice }: PageFacts,
): Screen {
  const { phase, run, files, shown, datasets } = state;
  const problem = datasetProblem(state);
  const blocked = blockedBy(state);
  return {
    phase,
    mode: run?.mode ?? 'ingest',
    deployment,
    production,
    files: files.map(itemOf),
    shown,
    target: {
      dataset: datasetOf(state),
      ...(problem !== undefined && { problem }),
      ...(datasets && { datasets }),
    },
    ...(blocked !== undefined && { blocked }),
    ...(notice !== undefined && { notice }),
  };
}

export function itemOf(file: FileState): FileItem {
  const { id, source, preview, problem, isReading } = file;
  const { folder, link } = file.input;
  return {
    id,
    name: source.name,
    ...(folder !== undefined && { folder }),
    ...(link !== undefined && { link }),
    size: source.size,
    included: isIncluded(file),
    state: problem ? 'problem' : preview ? 'ready' : isReading ? 'reading' : 'waiting',
    ...(preview && { format: preview.settings.format }),
    events: preview?.events.length ?? 0,
    broken: preview?.broken.length ?? 0,
  };
}

export function fileViewOf(file: FileState, current: RangeInEffect): FileView {
  const { id, source, problem, preview, choices, isReading } = file;
  const { uri } = file.input;
  const outside = preview && outsideOf(preview, current);
  return {
    id,
    name: source.name,
    ...(uri !== undefined && { path: source.path ?? uri }),
    size: source.size,
    reading: isReading,
    ...(problem && {
      problem: {
        message: problem.message,
        ...(problem.line !== undefined && { line: problem.line }),
      },
    }),
    read: readViewOf(file),
    labels: choices.labels ?? {},
    broken: choices.broken ?? preview?.settings.broken ?? 'skip',
    ...(preview && !problem && { preview: shortPreview(preview), ...(outside && { outside }) }),
    hasLines: hasLines(file),
  };
}

/** Whether an editor can open the file's lines. False for compressed files. */
function hasLines({ input, preview }: FileState): boolean {
  return input.uri !== undefined && (preview?.settings.compression ?? 'none') === 'none';
}

/** Returns the preview's settings. The choices override them while a preview is being read or if reading fails. */
function readViewOf({ choices, preview, isReading, problem }: FileState): ReadView {
  const isStale = isReading || problem !== undefined;
  const settings = { ...preview?.settings, ...(isStale && choices) };
  const { delimiter = ',', header = true } = {
    ...preview?.settings.csv,
    ...(isStale && choices.csv),
  };
  const types = { ...preview?.settings.csv?.types, ...(isStale && choices.csv?.types) };
  const { format, compression, encoding, time } = settings;
  return {
    ...(format && { format }),
    ...(compression && { compression }),
    ...(encoding && { encoding }),
    ...(settings.csv && { csv: { delimiter, header, types } }),
    ...(time && { time }),
  };
}

/**
 * Returns the state that restores the page after a reload, or null. A run is resumed from its journal instead, and text
 * from an editor or the clipboard can't be restored, because it isn't stored.
 */
export function keptPageOf(state: SessionState, deployment: string): KeptPage | null {
  if (state.phase !== 'preview') return null;
  const files = state.files.flatMap((file) => {
    const { source, uri, folder, within, link, linesBefore, resume } = file.input;
    const isOnDisk = source.path !== undefined || link?.isOutside === true;
    if (!isOnDisk || linesBefore || resume !== undefined || uri === undefined) return [];
    const { choices } = file;
    const included = isIncluded(file);
    return [{ uri, included, choices, ...(folder && { folder }), ...(within && { within }) }];
  });
  if (files.length < state.files.length) return null;
  return { deployment, dataset: datasetOf(state), files };
}

/** Returns the latest run's report; undefined until the run has ended. */
export function reportViewOf(
  { phase, run, files }: SessionState,
  actionsFor: (report: FinishedReport) => readonly ViewAction[],
): ReportView | undefined {
  if (phase !== 'report' || run === undefined) return undefined;
  const ran = run.files.flatMap((id) => files[id] ?? []);
  return {
    mode: run.mode,
    files: ran.map((file) => ({
      id: file.id,
      name: file.source.name,
      hasLines: hasLines(file),
      ...(file.report && { report: shortReport(file.report) }),
      actions: (file.report ? actionsFor(file.report) : []).map(({ label, command }) => ({
        label,
        command,
      })),
    })),
  };
}

/** Shortens a report, so that the message to the page stays small. Only the host uses the advice. */
function shortReport({ advice: _, failures, reasons, ...report }: FinishedReport): FinishedReport {
  return {
    ...report,
    failures: failures.slice(0, FAILURES_MAX).map(shortEvent),
    reasons: reasons.slice(0, REASONS_MAX),
  };
}
