/**
 * How the local deployment's time, memory and bytes on disk grow with events, fields and datasets. Each figure is
 * compared with its work: what grows faster is marked.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/host/build.ts';
import { root } from '../house/sources.ts';
import { selected } from './engines/parts.ts';
import { growthTable, steps } from './growth/steps.ts';
import { allRows, grow } from './growth/sweep.ts';
import { sweeps } from './growth/sweeps.ts';
import type { Bench, Measure } from './measure.ts';
import { printTable } from './table.ts';

const parts = sweeps.map((sweep) => ({
  name: sweep.name,
  sweep,
  rows: allRows(sweep).map(({ name }) => name),
}));

export const growth: Bench = {
  name: 'growth',
  summary:
    'the local deployment at rising sizes: --events in millions, 1,3,10,30 unless said, --fields, 20,200,2000, and --datasets, 1,100,1000; with any of them only those; --only TEXT measures the rows whose names contain it',
  onlyByName: true,
  printsTables: true,
  async run(progress, { sizes = {}, only }) {
    const named = parts.filter(({ name }) => name in sizes);
    const wanted = selected(named.length > 0 ? named : parts, only);
    await ensureBuilt();
    const folder = join(root, '.bench', 'growth');
    mkdirSync(folder, { recursive: true });
    const found: Measure[] = [];
    try {
      for (const { part, rows } of wanted) {
        const measured = sizes[part.name] ?? part.sweep.sizes;
        const grown = await grow(part.sweep, measured, rows, { folder, progress });
        printTable(growthTable(part.name, measured, grown));
        found.push(...grown.flatMap((each) => steps(part.name, measured, each)));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return found;
  },
};
