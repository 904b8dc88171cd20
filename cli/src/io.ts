/** The parts of the process that commands use. */
import type { ProblemCode } from '../../language/src/index.ts';

export interface Io {
  /** Writes lines to standard output, with control characters escaped. */
  write(text: string): void;
  /** Writes text to standard output unchanged: already escaped, or not for a terminal. */
  writeExact(text: string): void;
  /** Writes an error or a warning to standard error, with control characters escaped. */
  error(message: string): void;
  /** Writes information to standard error, with control characters escaped. */
  note(message: string): void;
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  version(): string;
  /** Returns the page that explains a problem, as Markdown; undefined if the package lacks it. */
  page(code: ProblemCode): string | undefined;
}
