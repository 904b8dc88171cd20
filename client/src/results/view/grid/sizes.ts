/** Reports changes in the size or the font of the grid's container. */
import { element } from '../../../webview/page/dom.ts';

export function watchSizes(
  container: HTMLElement,
  onSize: () => void,
  onFont: () => void,
): { dispose(): void } {
  const probe = element('span', {
    class: 'measure',
    text: '0',
    attributes: { 'aria-hidden': 'true' },
  });
  container.append(probe);
  let fontWidth = probe.getBoundingClientRect().width;
  const observer = new ResizeObserver(() => {
    const { width } = probe.getBoundingClientRect();
    if (width === fontWidth) return onSize();
    fontWidth = width;
    onFont();
  });
  observer.observe(container);
  observer.observe(probe);
  return {
    dispose: () => {
      observer.disconnect();
      probe.remove();
    },
  };
}
