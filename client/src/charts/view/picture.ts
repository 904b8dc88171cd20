/** Draws a chart as a picture for documents, with title, range and legend, in the current theme or on white. */
import { shortened, visibleMarkup } from '../../../../table/src/visibleText.ts';
import { drawText, element } from '../../webview/page/dom.ts';
import { init } from './echarts.ts';
import type { Drawn, LegendRow } from './kinds/drawn.ts';
import type { DrawingPlace } from './options/drawing.ts';

const legendLine = 18;
const maxLegendRows = 30;
const titleHeight = 46;
const pixelRatio = 2;

export interface PictureParts extends DrawingPlace {
  readonly title: string;
  /** The range and the time zone, such as `2026-01-31 08:30 – 09:30, UTC`. */
  readonly subtitle: string;
  readonly draw: (place: DrawingPlace) => Drawn;
}

export function svgPicture(parts: PictureParts): string {
  const { theme, width } = parts;
  const { option, height, legend, full } = layout(parts);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(option);
    const inner = wellFormed(chart.renderToSVGString());
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${full}" viewBox="0 0 ${width} ${full}" font-family="${visibleMarkup(theme.font)}">`,
      `<rect width="100%" height="100%" fill="${theme.background}"/>`,
      `<text x="12" y="20" font-size="15" font-weight="600" fill="${theme.text}">${visibleMarkup(parts.title)}</text>`,
      `<text x="12" y="37" font-size="12" fill="${theme.dim}">${visibleMarkup(parts.subtitle)}</text>`,
      `<g transform="translate(0 ${titleHeight})">${inner}</g>`,
      ...legend.map(
        ({ color, text }, index) =>
          `<g transform="translate(12 ${titleHeight + height + index * legendLine})"><rect y="4" width="10" height="10" fill="${color}"/><text x="16" y="13" font-size="12" fill="${theme.text}">${visibleMarkup(text)}</text></g>`,
      ),
      '</svg>',
    ].join('\n');
  } finally {
    chart.dispose();
  }
}

/** Draws a canvas at double resolution for high-density screens. */
export function canvasPicture(parts: PictureParts): HTMLCanvasElement {
  const { theme, width } = parts;
  const { option, height, legend, full } = layout(parts);
  const chart = init(element('div'), null, { width, height, devicePixelRatio: pixelRatio });
  try {
    chart.setOption(option);
    const plot = chart.renderToCanvas({ pixelRatio });
    const canvas = element('canvas');
    canvas.width = width * pixelRatio;
    canvas.height = full * pixelRatio;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The picture could not be drawn.');
    context.scale(pixelRatio, pixelRatio);
    context.fillStyle = theme.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const write = (text: string, x: number, y: number, font: string, color: string) => {
      context.font = `${font} ${theme.font}`;
      context.fillStyle = color;
      drawText(context, text, [x, y], width - x - 8);
    };
    write(parts.title, 12, 20, '600 15px', theme.text);
    write(parts.subtitle, 12, 37, '12px', theme.dim);
    context.drawImage(plot, 0, titleHeight, width, height);
    legend.forEach(({ color, text }, index) => {
      const y = titleHeight + height + index * legendLine;
      context.fillStyle = color;
      context.fillRect(12, y + 4, 10, 10);
      write(text, 28, y + 13, '12px', theme.text);
    });
    return canvas;
  } finally {
    chart.dispose();
  }
}

/** Lays out a picture. `height` is the plot's height in pixels, and `full` the picture's. */
function layout({ draw, theme, width, height: least }: PictureParts) {
  const first = draw({ theme, width, height: least });
  const height = Math.max(least, first.height ?? 0);
  const drawn = height === least ? first : draw({ theme, width, height });
  const legend = legendOf(drawn);
  return {
    option: { ...drawn.option, backgroundColor: theme.background },
    height,
    legend,
    full: titleHeight + height + legend.length * legendLine + 8,
  };
}

function legendOf({ legend }: Drawn): { readonly color: string; readonly text: string }[] {
  if (legend === undefined) return [];
  const rows = legend.rows.slice(0, maxLegendRows);
  const more = legend.rows.length - rows.length;
  const words = ({ name, cells, color }: LegendRow) => {
    const figures = cells.flatMap(({ text }, at) =>
      text === '' ? [] : `${legend.columns[at]?.toLowerCase()} ${text}`,
    );
    return { color, text: `${shortened(name, 60)}  ${figures.join('  ')}` };
  };
  return [
    ...rows.map(words),
    ...(more > 0 ? [{ color: 'transparent', text: `and ${more} more` }] : []),
  ];
}

/** Converts ECharts' SVG to well-formed XML by removing attributes without values. */
function wellFormed(svg: string): string {
  return svg
    .replace(/^<svg[^>]*>|<\/svg>\s*$/g, '')
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      tag.replace(/("[^"]*")|\s[\w:-]+(?=[\s/>])/g, (_, quoted = '') => quoted),
    );
}
