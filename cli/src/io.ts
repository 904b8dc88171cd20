/** The parts of the process that commands use. */
import type { ProblemCode } from '../../language/src/index.ts';

export interface Io {
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes an error or a warning to standard error. */
  complain(message: string): void;
  /** Writes what is good to know to standard error. */
  note(message: string): void;
  /** Whether standard output supports colors. */
  readonly colour: boolean;
  /** The version of the package. */
  version(): string;
  /** The page that explains a problem, as Markdown; undefined if the package does not contain it. */
  page(code: ProblemCode): string | undefined;
}
