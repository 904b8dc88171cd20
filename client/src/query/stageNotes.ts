/** What is written at the ends of lines for the rows that the stages of a query leave. */
import { grouped } from '../../../formats/src/counts.ts';

export interface CountedStage {
  /** The line in which the stage ends, from 0. */
  readonly line: number;
  readonly title: string;
  /** How many rows it leaves; absent while that is not known. */
  readonly rows?: number;
  readonly problem?: string;
}

interface LineNote {
  readonly line: number;
  /** `1,799` after the source, `1,799 → 120` after a stage, `1,799 → 120 → 12` after two in one line. */
  readonly text: string;
  readonly hover?: readonly string[];
}

const UNKNOWN = '…';

/** One note for each line, with what flows into its first stage and out of each of its stages. */
export function countNotes(stages: readonly CountedStage[]): LineNote[] {
  let before: readonly CountedStage[] = [];
  return [...Map.groupBy(stages, ({ line }) => line)].flatMap(([line, own]) => {
    const text = [...before, ...own].map(countText).join(' → ');
    before = own.slice(-1);
    // Until one of its own is known, the line says nothing.
    if (own.every(({ rows, problem }) => rows === undefined && problem === undefined)) return [];
    const hover = own.flatMap(({ title, problem }) => (problem ? [`${title}: ${problem}`] : []));
    return [{ line, text, ...(hover.length > 0 && { hover }) }];
  });
}

function countText({ rows, problem }: CountedStage): string {
  if (rows !== undefined) return grouped(rows);
  return problem === undefined ? UNKNOWN : 'not counted';
}
