/** The text of a chart with its positions, as the library draws it without a browser. */
import { init } from '../../../client/src/charts/view/echarts.ts';
import type { Drawing, Option } from '../../../client/src/charts/view/options/drawing.ts';
import type { Theme } from '../../../client/src/charts/view/theme.ts';

const theme: Theme = {
  brightness: 'light',
  background: '#ffffff',
  text: '#000000',
  dim: '#666666',
  line: '#cccccc',
  font: 'sans-serif',
  fontSize: 13,
  highContrast: false,
};

/** Returns the settings of a drawing of this size, in pixels. */
export const drawingOf = (
  width: number,
  height: number,
  changed: Partial<Drawing> = {},
): Drawing => ({
  width,
  height,
  theme,
  timeZone: 'utc',
  slots: new Map(),
  annotations: [],
  thresholds: [],
  ...changed,
});

export interface DrawnText {
  readonly text: string;
  readonly anchor: string;
  /** The position of the anchor, in pixels. */
  readonly x: number;
  readonly y: number;
}

export function drawnText(option: Option, { width, height }: Drawing): DrawnText[] {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(
    ([, attributes = '', text = '']) => {
      const number = (pattern: RegExp) => Number(pattern.exec(attributes)?.[1] ?? 0);
      return {
        text,
        anchor: /text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start',
        x: number(/ x="([-\d.]+)"/) + number(/translate\(([-\d.]+)/),
        y: number(/ y="([-\d.]+)"/) + number(/translate\([-\d.]+ ([-\d.]+)/),
      };
    },
  );
}
