/** The way to the extension host, typed. */
import type { FromView } from '../messages.ts';

/** What the page keeps while it is hidden: which table is open. */
export interface KeptState {
  readonly id: number;
  readonly table: number;
}

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

export function keptState(): KeptState | undefined {
  return api.getState();
}

export function keepState(state: KeptState): void {
  api.setState(state);
}
