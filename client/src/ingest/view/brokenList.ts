/** Events that are not stored: the line as a link, the reason, and what the line has. */
import { button, element } from '../../webview/page/dom.ts';
import type { ViewBroken } from '../host/messages.ts';
import { channel } from './channel.ts';

export function brokenList(
  file: number,
  hasLines: boolean,
  broken: readonly ViewBroken[],
): HTMLElement {
  return element(
    'ul',
    { class: 'broken' },
    broken.map(({ line, place, reason, text }) =>
      element('li', {}, [
        lineLink(file, hasLines, line, place),
        element('span', { class: 'reason', text: reason }),
        element('code', { text, title: text }),
      ]),
    ),
  );
}

/** A place in a file: a link where an editor can show it. */
export function lineLink(
  file: number,
  hasLines: boolean,
  line: number,
  place: string,
): HTMLElement {
  const text = `${place.charAt(0).toUpperCase()}${place.slice(1)}`;
  return hasLines
    ? button({ class: 'link', text, onClick: () => channel.send('openLine', { file, line }) })
    : element('span', { text });
}
