/**
 * Charts of the results page against the drawing library's own minimal example with the same data, the frames
 * of a pointer over many points, and what a page with charts loads more.
 */
import { pageMeasures } from './charts/page.ts';
import { sizeMeasures } from './charts/sizes.ts';
import type { Bench } from './measure.ts';

export const charts: Bench = {
  name: 'charts',
  summary: 'charts in the results page, against the drawing library alone and a limit for frames',
  async run(progress) {
    const measures = await pageMeasures(progress);
    progress('sizes of the bundles');
    return [...measures, ...(await sizeMeasures())];
  },
};
