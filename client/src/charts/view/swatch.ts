/** Creates a series' swatch, which looks the same in the legend and in tooltips. */
import { element } from '../../webview/page/dom.ts';
import type { Swatch } from './kinds/drawn.ts';

export function swatchElement({ color, dash }: Swatch): HTMLElement {
  const swatch = element('span', { class: dash ? 'swatch rigid dashed' : 'swatch rigid' });
  swatch.style.setProperty('--swatch', color);
  return swatch;
}
