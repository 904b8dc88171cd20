/** Defines the functions that commands use for output and for reading problem pages. */
import type { ProblemCode } from '../../language/src/index.ts';

export interface Io {
  /** Writes lines to standard output, with control characters escaped. */
  write(text: string): void;
  /** Writes text to standard output unchanged, because it is already escaped or isn't for a terminal. */
  writeExact(text: string): void;
  /** Writes an error or a warning to standard error, with control characters escaped. */
  error(message: string): void;
  /** Writes information to standard error, with control characters escaped. */
  note(message: string): void;
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  version(): string;
  /** Returns the Markdown page that explains a problem. Returns undefined if the package doesn't include it. */
  page(code: ProblemCode): string | undefined;
}
