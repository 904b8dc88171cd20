/** What the suite in the extension host has measured, as it reports it; times in milliseconds. */
import type { Block } from './longestBlock.ts';

/** How long an extension takes to activate. */
export interface Activation {
  /** Processor time of the thread of the extension host. */
  readonly activated: number;
  /** By the clock, until its language server runs. */
  readonly running: number;
}

/** From Shift+Enter to the rows of a short answer on the screen. */
export interface KeyToRows {
  readonly total: number;
  /** From the key to the request. */
  readonly before: number;
  readonly server: number;
  readonly http: number;
  readonly decode: number;
  readonly paint: number;
}

/** From Run to the rows of a longer answer on the screen, and a plain client that reads the same answer. */
export interface RunToRows {
  /** Until all rows have arrived and those in view are on the screen. */
  readonly ours: number;
  /** Until the store has the answer. */
  readonly held: number;
  /** From the first bytes of the answer to its first rows on the screen. */
  readonly afterFirstBytes: number;
  /** The same of an answer of 1,000 rows. */
  readonly afterFirstBytesOfFew: number;
  readonly theirs: number;
}

export interface Figures {
  readonly ours: Activation;
  readonly theirs: Activation;
  /** Of the window that measures more than activation. */
  readonly work?: {
    readonly keyToRows: readonly KeyToRows[];
    readonly runToRows: readonly RunToRows[];
    readonly blocks: Readonly<
      Record<'idle' | 'arriving' | 'ordered' | 'filtered' | 'exported', Block>
    >;
  };
}

/** Set for the suite: what it measures, and where it writes its figures. */
export interface SuiteOptions {
  readonly figures: string;
  readonly oursFirst: boolean;
  /** Absent where only activation is measured. */
  readonly work?: { readonly rows: number; readonly exportTo: string };
}
