/** Notices when the grid's container or its font has another size. */
import { element } from '../../../webview/page/dom.ts';

interface SizeActions {
  readonly onSize: () => void;
  readonly onFont: () => void;
}

export function watchSizes(container: HTMLElement, actions: SizeActions): { dispose(): void } {
  const probe = element('span', {
    class: 'measure',
    text: '0',
    attributes: { 'aria-hidden': 'true' },
  });
  container.append(probe);
  let fontWidth = probe.getBoundingClientRect().width;
  const observer = new ResizeObserver(() => {
    const { width } = probe.getBoundingClientRect();
    if (width === fontWidth) return actions.onSize();
    fontWidth = width;
    actions.onFont();
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
