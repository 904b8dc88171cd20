/** What commands share of the process around them. */
import type { ProblemCode } from '../../language/src/index.ts';

export interface Io {
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes a line to standard error: what could not be done, or is worth knowing. */
  complain(message: string): void;
  /** Whether standard output shows colours. */
  readonly colour: boolean;
  /** The version of the package. */
  version(): string;
  /** The page that explains a problem, as Markdown; undefined when the package has none. */
  page(code: ProblemCode): string | undefined;
}
