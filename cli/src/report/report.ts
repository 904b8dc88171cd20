/** Defines the result of a check for all output formats. */
import { certainFix } from '../../../language/src/editing.ts';
import {
  LineTable,
  type Problem,
  type ProblemCode,
  type Severity,
  type Span,
} from '../../../language/src/index.ts';

/** A position in a text. Offsets and columns count UTF-16 units. Lines and columns start at 1. */
interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly (Range & { readonly text: string })[];
}

export interface Finding extends Range {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: Fix;
}

export interface CheckedFile {
  readonly path: string;
  readonly findings: readonly Finding[];
}

export interface Report {
  readonly files: readonly CheckedFile[];
  /** Messages about unreadable files. */
  readonly errors: readonly string[];
}

export type Counts = Readonly<Record<Severity, number>>;

/** Converts problems to findings, in text order. */
export function findingsIn(text: string, problems: readonly Problem[]): Finding[] {
  const lines = new LineTable(text);
  const positionAt = (offset: number): Position => {
    const { line, character } = lines.positionAt(offset);
    return { offset, line: line + 1, column: character + 1 };
  };
  const rangeOf = ({ start, end }: Span): Range => ({
    start: positionAt(start),
    end: positionAt(end),
  });
  return problems.map((problem) => {
    const { code, severity, message } = problem;
    const fix = certainFix(problem);
    const edits = fix?.edits.map((edit) => ({ ...rangeOf(edit), text: edit.text }));
    return {
      code,
      severity,
      message,
      ...rangeOf(problem),
      ...(fix && edits ? { fix: { title: fix.title, edits } } : {}),
    };
  });
}

export function countsOf(files: readonly CheckedFile[]): Counts {
  const counts = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { findings } of files) for (const { severity } of findings) counts[severity]++;
  return counts;
}
