/** Types shared by pages and the chart bundle. Pages import only types, because they load the bundle on demand. */

import type {
  ChartChoice,
  ChartData,
  ChartPoint,
  ChartRequest,
  ChartShape,
  MarkOrigin,
} from '../../../../table/src/chart/chart.ts';
import type { DrawnWindow } from '../../answers/protocol.ts';
import type { ChartState, PictureFormat } from '../host/chartEffects.ts';
import type { ChartMarks, EarlierOffset } from '../marks.ts';

export interface ChartColumn {
  readonly name: string;
  readonly unit?: string;
}

export interface ChartContent extends Pick<ChartState, 'canSelectRange' | 'canGoBack' | 'earlier'> {
  readonly shape: ChartShape;
  readonly choice: ChartChoice;
  readonly columns: readonly ChartColumn[];
  readonly title: string;
  readonly rangeLabel: string;
  /** The time range in milliseconds since 1970; absent if unknown. */
  readonly range?: { readonly from: number; readonly to: number };
  readonly timeZone: 'utc' | 'local';
  readonly localZone: string;
  /** Whether the query is in a document, so that a filter can be added to it. */
  readonly editable: boolean;
}

/** A chart's requests. A promise rejects if there is no answer. */
export interface ChartSource {
  data(request: ChartRequest, signal: AbortSignal): Promise<ChartData>;
  earlierData(request: ChartRequest, signal: AbortSignal): Promise<ChartData>;
  point(request: ChartRequest, time: number, signal: AbortSignal): Promise<ChartPoint>;
  rows(
    from: number,
    to: number,
    columns: readonly number[],
    signal: AbortSignal,
  ): Promise<DrawnWindow>;
  /** Requests annotations and thresholds. The service may take a while to answer. */
  marks(signal: AbortSignal): Promise<ChartMarks>;
}

export interface ChartEvents {
  choose(choice: ChartChoice): void;
  /** Selects a range in milliseconds since 1970. */
  selectRange(from: number, to: number): void;
  back(): void;
  annotate(from: number, to: number): void;
  filter(origin: MarkOrigin, exclude: boolean): void;
  /** Compares with an earlier span. A null offset ends the comparison. */
  compare(offset: EarlierOffset | null): void;
  /** Saves a picture. `content` is base64 for PNG and text for SVG. */
  savePicture(format: PictureFormat, content: string): void;
  say(message: string): void;
}

/** Stores the colors of a tab's series: palette slots by series key, in the order of assignment. */
export interface ColorMemory {
  read(): readonly (readonly [key: string, slot: number])[];
  write(slots: readonly (readonly [key: string, slot: number])[]): void;
}

export interface ChartParts {
  /** Constant while the chart exists. */
  readonly rowCount: number;
  readonly colors: ColorMemory;
  readonly source: ChartSource;
  readonly events: ChartEvents;
}

export interface Chart {
  readonly element: HTMLElement;
  /** Draws the chart if the content changed. The element must be in the document. Requests data only if it may differ. */
  update(content: ChartContent): void;
  marksChanged(): void;
  focus(): void;
  dispose(): void;
}

/** The value that the bundle assigns to `globalThis.aplombCharts`. */
export interface ChartModule {
  create(parts: ChartParts, content: ChartContent): Chart;
}
