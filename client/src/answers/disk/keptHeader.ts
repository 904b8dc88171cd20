/** A stored answer's versioned header. It is validated when read, because the file may contain anything. */
import type { AnswerAbout, AnswerArrival } from '../../../../table/src/answer.ts';
import { type AnswerViewState, initialViewState } from '../../../../table/src/viewState.ts';
import type { KeptAnswer } from '../protocol.ts';

/** Increment when a new format makes headers or bodies unreadable for older versions. */
const version = 1;

export interface KeptHeader extends Omit<KeptAnswer, 'file' | 'bytes'> {
  readonly version: number;
  readonly bodyBytes: number;
}

export function newHeader(
  about: AnswerAbout,
  arrival: AnswerArrival,
  rowCount: number,
  bodyBytes: number,
): KeptHeader {
  const viewState = initialViewState;
  return { version, about, arrival, pinned: false, viewState, rowCount, bodyBytes };
}

const aboutTexts = ['title', 'query', 'deployment', 'startTime', 'endTime', 'rangeLabel'] as const;

export function readHeader(value: unknown): KeptHeader | undefined {
  if (!isObject(value) || value['version'] !== version) return undefined;
  const { about, arrival, viewState, rowCount, bodyBytes } = value;
  if (!isObject(about) || !isObject(arrival)) return undefined;
  if (aboutTexts.some((name) => typeof about[name] !== 'string')) return undefined;
  if (typeof about['askedAt'] !== 'number') return undefined;
  if (typeof rowCount !== 'number' || typeof bodyBytes !== 'number') return undefined;
  const isState = isObject(viewState) && Array.isArray(viewState['tables']);
  return {
    version,
    about: about as unknown as AnswerAbout,
    arrival: arrival as unknown as AnswerArrival,
    pinned: value['pinned'] === true,
    viewState: isState ? (viewState as unknown as AnswerViewState) : initialViewState,
    rowCount,
    bodyBytes,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
