/** Notes at line ends that show the row counts of a query's stages. */
import { grouped } from '../../../formats/src/counts.ts';

export interface CountedStage {
  readonly line: number;
  readonly title: string;
  /** The number of rows after the stage; absent while unknown. */
  readonly rows?: number;
  readonly problem?: string;
}

interface LineNote {
  readonly line: number;
  /** Row counts: `1,799` for the source, `1,799 → 120` after a stage, `1,799 → 120 → 12` for two stages in one line. */
  readonly text: string;
  readonly hover?: readonly string[];
}

const UNKNOWN = '…';

/** Returns a note for each line, with the row counts before its first stage and after each of its stages. */
export function countNotes(stages: readonly CountedStage[]): LineNote[] {
  let before: readonly CountedStage[] = [];
  return [...Map.groupBy(stages, ({ line }) => line)].flatMap(([line, own]) => {
    const text = [...before, ...own].map(countText).join(' → ');
    before = own.slice(-1);
    // Skip a line until one of its own row counts is known.
    if (own.every(({ rows, problem }) => rows === undefined && problem === undefined)) return [];
    const hover = own.flatMap(({ title, problem }) => (problem ? [`${title}: ${problem}`] : []));
    return [{ line, text, ...(hover.length > 0 && { hover }) }];
  });
}

function countText({ rows, problem }: CountedStage): string {
  if (rows !== undefined) return grouped(rows);
  return problem === undefined ? UNKNOWN : 'not counted';
}
