/** Icons as outlines in a 16 by 16 square, drawn in the text color. */
import { drawing } from './dom.ts';

export const iconPaths = {
  close: 'M4 4 12 12M12 4 4 12',
  pin: 'M6 2.5h4M6.7 2.5v4.2L4.6 9.3h6.8L9.3 6.7V2.5M8 9.3V14',
  filter: 'M2.5 3.5h11L9.3 8.6v4.6l-2.6-1.4V8.6Z',
  up: 'M8 13V3.5M4 7.3 8 3.3l4 4',
  down: 'M8 3v9.5M4 8.7l4 4 4-4',
  find: 'M6.8 11.2a4.4 4.4 0 1 0 0-8.8 4.4 4.4 0 0 0 0 8.8M10 10l3.8 3.8',
  detail: 'M2 3h12v10H2ZM9.5 3v10',
  columns: 'M2 3h12v10H2ZM6 3v10M10 3v10',
  wrap: 'M2 4h12M2 8h9.2a2 2 0 0 1 0 4.4H8M9.8 10.6 8 12.4l1.8 1.8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  copy: 'M5.5 5.5h7v8h-7ZM10.5 5.5v-3h-7v8h2',
  copyPath: 'M5.5 5.5h7v8h-7ZM10.5 5.5v-3h-7v8h2M7.7 11.5 10.3 7.5',
  link: 'M9.5 2.5h4v4M13.3 2.7 7.5 8.5M11 9v4H3V5h4',
  more: 'M3.5 6 8 10.5 12.5 6',
  right: 'M6 3.5 10.5 8 6 12.5',
  warning: 'M8 2.2 14.4 13.5H1.6ZM8 6.2v3.6M8 11.2v.9',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 7v4.4M8 4.7v.9',
  done: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M5.2 8.2l2 2 3.6-4.2',
  refresh: 'M13.2 8a5.2 5.2 0 1 1-1.6-3.8L13.3 6M13.3 2.5V6H9.8',
  bookmark: 'M4.5 2.5h7v11L8 10.6l-3.5 2.9Z',
  bell: 'M8 2a3.7 3.7 0 0 0-3.7 3.7c0 3.1-1.3 4.3-1.3 5.3h10c0-1-1.3-2.2-1.3-5.3A3.7 3.7 0 0 0 8 2M6.7 13a1.4 1.4 0 0 0 2.6 0',
  bellSlash:
    'M8 2a3.7 3.7 0 0 0-3.7 3.7c0 3.1-1.3 4.3-1.3 5.3h10c0-1-1.3-2.2-1.3-5.3A3.7 3.7 0 0 0 8 2M6.7 13a1.4 1.4 0 0 0 2.6 0M2.5 2.5l11 11.5',
  code: 'M5.2 4.2 1.5 8l3.7 3.8M10.8 4.2 14.5 8l-3.7 3.8',
  tree: 'M3 3h4M5 3v9.5h3M5 7.5h3M9.5 7.5H14M9.5 12.5H14',
} as const;

export type IconName = keyof typeof iconPaths;

export function icon(name: IconName): SVGElement {
  return drawing('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': 'true' }, [
    drawing('path', { d: iconPaths[name] }),
  ]);
}
