/** The arithmetic of growth: how much faster than its work a figure grows from one size to the next. */
import { type Measure, measure } from '../measure.ts';
import { figure } from '../table.ts';

/** The work that a figure may grow with. */
export interface Work {
  readonly label: string;
  readonly of: (size: number) => number;
}

export const constant: Work = { label: 'constant', of: () => 1 };

export const perSize = (label: string): Work => ({ label, of: (size) => size });

/** Units, each with the excess that is noise. */
const noise = { ms: 5, s: 0.5, MiB: 32, MB: 1, KB: 1 } as const;

export interface GrowthRow {
  readonly name: string;
  readonly unit: keyof typeof noise;
  readonly work: Work;
}

/** A row with its figure at each size. */
export interface Grown {
  readonly row: GrowthRow;
  readonly figures: readonly number[];
}

const BAR = 1.3;

/** Compares each figure with the previous one times the growth of the work. */
export function steps(
  sweep: string,
  sizes: readonly number[],
  { row: { name, unit, work }, figures }: Grown,
): Measure[] {
  return sizes.slice(1).map((size, step) => {
    const smaller = sizes[step]!;
    const expected = (figures[step]! * work.of(size)) / work.of(smaller);
    const found = figures[step + 1]!;
    const label = `${sweep} ${grouped(smaller)} to ${grouped(size)}: ${name}`;
    const compared = measure('growth', label, unit, found, expected, BAR);
    return { ...compared, holds: compared.holds === true || found - expected <= noise[unit] };
  });
}

/** Returns the table of a sweep: a figure per size, each followed by its ratio, marked with `!` if it exceeds the bar. */
export function growthTable(
  sweep: string,
  sizes: readonly number[],
  grown: readonly Grown[],
): string[][] {
  const between = <T>(first: T, others: readonly T[], ratios: readonly T[]): T[] => [
    first,
    ...others.flatMap((other, step) => [other, ratios[step]!]),
  ];
  const [first, ...others] = sizes.map(grouped);
  return [
    [
      sweep,
      'unit',
      'work',
      ...between(
        first!,
        others,
        sizes
          .slice(1)
          .fill(0)
          .map(() => 'growth/work'),
      ),
    ],
    ...grown.map((each) => {
      const [figure0, ...figures] = each.figures.map(figure);
      const ratios = steps(sweep, sizes, each).map(
        ({ ratio, holds }) => `${ratio.toFixed(2)}${holds ? '' : ' !'}`,
      );
      return [
        each.row.name,
        each.row.unit,
        each.row.work.label,
        ...between(figure0!, figures, ratios),
      ];
    }),
  ];
}

function grouped(size: number): string {
  return size.toLocaleString('en-US');
}
