/** What a page with charts loads more than one with tables alone: the bundles as they are packaged. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from '../../../scripts/host/build.ts';
import { type Measure, measure } from '../measure.ts';

export async function sizeMeasures(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aplomb-charts-'));
  try {
    await build(['--production', `--outdir=${folder}`]);
    const read = (name: string) => readFileSync(join(folder, 'view', name));
    const page = [read('results.js'), read('results.css')];
    const charts = read('charts.js');
    if (page.some((file) => file.includes('zrender')))
      throw new Error('The page of tables has code of the drawing library.');
    const kilobytes = (sizes: readonly number[]) =>
      sizes.reduce((sum, size) => sum + size, 0) / 1e3;
    const plain = kilobytes(page.map(({ length }) => length));
    const zipped = kilobytes(page.map((file) => gzipSync(file).length));
    return [
      measure(
        'charts',
        'size of the page with charts, against tables alone',
        'kB',
        plain + charts.length / 1e3,
        plain,
      ),
      measure('charts', 'the same, gzipped', 'kB', zipped + gzipSync(charts).length / 1e3, zipped),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
