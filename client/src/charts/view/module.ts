/**
 * What a page gives to a chart and gets from the bundle that draws charts. The bundle is loaded with the
 * first chart, so pages import these types only.
 */

import type {
  ChartChoice,
  ChartData,
  ChartPoint,
  ChartRequest,
  ChartShape,
  MarkOrigin,
} from '../../../../table/src/chart/chart.ts';
import type { DrawnWindow } from '../../answers/protocol.ts';
import type { EarlierAnswer, PictureFormat } from '../host/chartEffects.ts';
import type { ChartMarks, EarlierOffset } from '../marks.ts';

export interface ChartColumn {
  readonly name: string;
  readonly unit?: string;
}

/** A chart's content, other than the data that it requests. */
export interface ChartContent {
  readonly shape: ChartShape;
  readonly choice: ChartChoice;
  readonly columns: readonly ChartColumn[];
  readonly title: string;
  readonly rangeLabel: string;
  /** The time range in milliseconds since 1970, where it is known. */
  readonly range?: { readonly from: number; readonly to: number };
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
  /** Whether the query is in a document, so that a filter can be added to it. */
  readonly editable: boolean;
  /** Whether the query can be run again over a range chosen in the chart. */
  readonly canSelectRange: boolean;
  readonly canGoBack: boolean;
  readonly earlier?: EarlierAnswer;
}

/** Requests of a chart; they reject where there is no answer. */
export interface ChartSource {
  data(request: ChartRequest, signal: AbortSignal): Promise<ChartData>;
  /** Of the earlier answer. */
  earlierData(request: ChartRequest, signal: AbortSignal): Promise<ChartData>;
  point(request: ChartRequest, time: number, signal: AbortSignal): Promise<ChartPoint>;
  rows(
    from: number,
    to: number,
    columns: readonly number[],
    signal: AbortSignal,
  ): Promise<DrawnWindow>;
  /** Annotations and thresholds; may take as long as the service does. */
  marks(signal: AbortSignal): Promise<ChartMarks>;
}

export interface ChartEvents {
  choose(choice: ChartChoice): void;
  /** Milliseconds since 1970. */
  selectRange(from: number, to: number): void;
  back(): void;
  annotate(from: number, to: number): void;
  filter(origin: MarkOrigin, exclude: boolean): void;
  /** Compares with an earlier span; null ends the comparison. */
  compare(offset: EarlierOffset | null): void;
  /** A picture to be saved: bytes of a PNG in base64, or the text of an SVG. */
  savePicture(format: PictureFormat, content: string): void;
  say(message: string): void;
}

/** The colors of series over the charts of a tab: slots of the palette by key, the one assigned first first. */
export interface ColorMemory {
  read(): readonly (readonly [key: string, slot: number])[];
  write(slots: readonly (readonly [key: string, slot: number])[]): void;
}

export interface ChartParts {
  /** Stays the same for the life of the chart. */
  readonly rowCount: number;
  readonly colors: ColorMemory;
  readonly source: ChartSource;
  readonly events: ChartEvents;
}

export interface Chart {
  readonly element: HTMLElement;
  /** Draws the chart; the element must be in the page. Requests data again only where it may differ. */
  update(content: ChartContent): void;
  /** Annotations or thresholds may have changed. */
  marksChanged(): void;
  focus(): void;
  dispose(): void;
}

/** The value that the bundle assigns to `globalThis.aplombCharts`. */
export interface ChartModule {
  create(parts: ChartParts, content: ChartContent): Chart;
}
