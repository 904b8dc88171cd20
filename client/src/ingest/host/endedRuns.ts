// Remembers the runs whose reports were shown, and asks before a file is sent again from the start.
import type { Memento } from 'vscode';
import { counted } from '../../../../formats/src/counts.ts';
import { describeResumePosition, type SavedRun } from '../../../../ingest/src/send/savedRuns.ts';
import { sum } from '../amounts.ts';

const KEY = 'ingest.seenRuns';

/** The journals of runs whose reports were shown. */
export class SeenRuns {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  has(path: string): boolean {
    return this.#paths.includes(path);
  }

  async add(path: string, existing: readonly string[]): Promise<void> {
    const kept = this.#paths.filter((one) => existing.includes(one));
    await this.#memory.update(KEY, [...new Set([...kept, path])]);
  }

  get #paths(): readonly string[] {
    const stored = this.#memory.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : [];
  }
}

interface FreshFiles {
  readonly paths: readonly string[];
  readonly dataset: string;
  readonly deployment: string;
}

/** Returns a question if earlier runs stored events of the same files. */
export function doubledQuestion(
  runs: readonly SavedRun[],
  { paths, dataset, deployment }: FreshFiles,
): { readonly message: string; readonly detail: string } | undefined {
  const earlier = runs.filter(
    ({ header, stored, doubt }) =>
      header.file.path !== undefined &&
      paths.includes(header.file.path) &&
      header.dataset === dataset &&
      header.deployment === deployment &&
      stored + doubt.length > 0,
  );
  const [first] = earlier;
  if (first === undefined) return undefined;
  const stored = sum(earlier, (run) => run.stored);
  const names = [...new Set(earlier.map(({ header }) => header.file.name))];
  const more = names.length === 1 ? '' : ` and ${counted(names.length - 1, 'other file')}`;
  return {
    message: `Send ${names[0]}${more} from the start?`,
    detail: `An earlier ingest into '${dataset}' ended at ${describeResumePosition(first)} after storing ${counted(stored, 'event')}, which would be stored twice. To continue it, cancel and run the command Resume Ingest….`,
  };
}
