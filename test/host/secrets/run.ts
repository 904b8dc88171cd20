// What the suite tells the test that started it, in a file outside of all that is searched.
import type { Hit } from './search.ts';

export interface SecretsOfRun {
  /** The tokens by the names that reports have for them. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly decoy: string;
  readonly processHits: readonly Hit[];
  readonly programs: readonly string[];
  /** How many requests the service got that repeats tokens. */
  readonly echoedRequests: number;
}
