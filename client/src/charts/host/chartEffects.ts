/** A chart's effects outside its page: changed ranges, annotations, comparisons and files. Does not import vscode. */
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import type { ResultTab } from '../../answers/tabs.ts';
import type { ChartMarks, EarlierOffset } from '../marks.ts';

/** The same query's answer over an earlier span, as sent to the page. */
export interface EarlierAnswer {
  /** The offset in words, such as `1 day earlier`. */
  readonly label: string;
  readonly offset: EarlierOffset;
  /** The shift that aligns the earlier answer's times with the current answer's times. */
  readonly offsetMilliseconds: number;
  readonly state:
    | { readonly kind: 'running' }
    | { readonly kind: 'failed'; readonly message: string }
    | { readonly kind: 'ready'; readonly answer: AnswerId };
}

export interface ChartState {
  /** Whether the query can be run again over a range that is chosen in the chart. */
  readonly canSelectRange: boolean;
  /** Whether a range or filter that was set in the chart can be undone. */
  readonly canGoBack: boolean;
  /** The filter that Back removes, such as `host == 'web-1'`. */
  readonly filter?: string;
  readonly earlier?: EarlierAnswer;
}

export type PictureFormat = 'png' | 'svg';

export interface ChartEffects {
  state(tab: ResultTab, answer: HeldAnswer): ChartState;
  /** Sets the query's range to a span in milliseconds since 1970, and runs the query again. */
  selectRange(tab: ResultTab, from: number, to: number): Promise<void>;
  /** Undoes the last range or filter, and runs the query again. */
  back(tab: ResultTab): Promise<void>;
  /** Prompts for a title, and stores an annotation of the span for the answer's datasets. */
  annotate(answer: HeldAnswer, from: number, to: number): Promise<void>;
  /** Runs the query over an earlier span. A null offset ends the comparison. */
  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void;
  /** Returns annotations and thresholds for an answer's charts. Doesn't reject if a permission is missing. */
  marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks>;
  /** Saves a picture. `content` is base64 for PNG and text for SVG. */
  savePicture(tab: ResultTab, format: PictureFormat, content: string): Promise<void>;
  onDidChange(listener: () => void): { dispose(): void };
}
