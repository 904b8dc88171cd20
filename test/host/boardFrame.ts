// The frame of a dashboard's or a monitor's page in a window.
import type { Frame, Page } from 'playwright-core';
import { until } from './editing.ts';

/** A frame of the window that can be seen and in which a selector is found. */
export function boardFrame(page: Page, selector: string): Promise<Frame> {
  return until(`A page with ${selector}`, async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .evaluate((text) => innerWidth > 0 && document.querySelector(text) !== null, selector)
        .catch(() => false);
      if (found) return frame;
    }
    return undefined;
  });
}
