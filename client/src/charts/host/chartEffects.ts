/** What a chart may cause beyond its page: other ranges, annotations, an earlier answer, files. Free of vscode. */
import type { HeldAnswer } from '../../answers/heldAnswer.ts';
import type { AnswerId } from '../../answers/protocol.ts';
import type { ResultTab } from '../../answers/tabs.ts';
import type { ChartMarks, EarlierOffset } from '../marks.ts';

/** The answer of the same query over an earlier span, as it is sent to the page. */
export interface EarlierAnswer {
  /** Such as `1 day earlier`. */
  readonly label: string;
  readonly offset: EarlierOffset;
  /** By how much its times are shifted to lie over those of the answer. */
  readonly offsetMilliseconds: number;
  /** Running, why it failed, or the answer itself. */
  readonly state:
    | { readonly kind: 'running' }
    | { readonly kind: 'failed'; readonly message: string }
    | { readonly kind: 'ready'; readonly answer: AnswerId };
}

/** The actions of an answer's chart, other than drawing. */
export interface ChartState {
  /** Whether the query can be run again over a range chosen in the chart. */
  readonly canSelectRange: boolean;
  /** Whether there is a range or a query without a filter to go back to. */
  readonly canGoBack: boolean;
  /** The filter that going back removes, such as `host == 'web-1'`. */
  readonly filter?: string;
  readonly earlier?: EarlierAnswer;
}

export type PictureFormat = 'png' | 'svg';

export interface ChartEffects {
  state(tab: ResultTab, answer: HeldAnswer): ChartState;
  /** Sets the range of the query to a span in milliseconds since 1970, and runs it again. */
  selectRange(tab: ResultTab, from: number, to: number): Promise<void>;
  /** Undoes the last span or filter, and runs the query again. */
  back(tab: ResultTab): Promise<void>;
  /** Asks what happened in a span, and stores an annotation of it for the datasets of the answer. */
  annotate(answer: HeldAnswer, from: number, to: number): Promise<void>;
  /** Asks the query over an earlier span; null ends the comparison. */
  compare(tab: ResultTab, answer: HeldAnswer, offset: EarlierOffset | null): void;
  /** Annotations and thresholds for the charts of an answer. Never rejects for want of a capability. */
  marks(answer: HeldAnswer, signal: AbortSignal): Promise<ChartMarks>;
  /** Saves a picture: bytes in base64 for PNG, text for SVG. */
  savePicture(tab: ResultTab, format: PictureFormat, content: string): Promise<void>;
  /** The state of charts, or their annotations, have changed. */
  onDidChange(listener: () => void): { dispose(): void };
}
