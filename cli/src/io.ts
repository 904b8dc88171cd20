/** Defines the functions that commands use for output. */
import type { ProblemCode } from '../../language/src/index.ts';

export interface Io {
  /** Writes to standard output, with control characters escaped. */
  write(text: string): void;
  /** Writes text to standard output unchanged. Escape it first if it may be shown on a terminal. */
  writeExact(text: string): void;
  /** Writes an error or a warning to standard error, with control characters escaped. */
  error(message: string): void;
  /** Writes information to standard error, with control characters escaped. */
  note(message: string): void;
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  version(): string;
  /** Returns the Markdown page that explains a problem, if the package includes it. */
  page(code: ProblemCode): string | undefined;
}
