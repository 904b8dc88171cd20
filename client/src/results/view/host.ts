/** The way to the extension host, typed. */
import type { FromView } from '../messages.ts';

/** What the page keeps while it is hidden: which table is open, and widths set by hand. */
export interface KeptState {
  readonly id: number;
  readonly table: number;
  /** In pixels, by column; the one set last is last. */
  readonly widths: Readonly<Record<string, number>>;
}

const mostWidths = 500;

interface VsCodeApi {
  postMessage(message: FromView): void;
  getState(): KeptState | undefined;
  setState(state: KeptState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

export function post(message: FromView): void {
  api.postMessage(message);
}

export function keptState(): KeptState {
  return { id: 0, table: 0, widths: {}, ...api.getState() };
}

export function keepState(changes: Partial<KeptState>): void {
  api.setState({ ...keptState(), ...changes });
}

/** Keeps the width of a column for the results to come. */
export function keepWidth(key: string, width: number): void {
  const { [key]: _, ...others } = keptState().widths;
  const widths = [...Object.entries(others), [key, width] as const].slice(-mostWidths);
  keepState({ widths: Object.fromEntries(widths) });
}
