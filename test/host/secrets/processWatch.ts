// Watches the arguments and environments of all processes that may be read, for secrets in them. On Linux alone,
// which has them as files.
import { readdirSync, readFileSync } from 'node:fs';
import type { Marked } from './forms.ts';
import { type Hit, searchBytes } from './search.ts';

const INTERVAL_MS = 50;

export class ProcessWatch {
  /** Those that get a token in their environment, since that is how they take it; their arguments are read. */
  readonly given = new Set<number>();
  readonly #secrets: () => readonly Marked[];
  readonly #hits = new Map<string, Hit>();
  readonly #seen = new Set<string>();
  /** The arguments of each process that was searched; neither they nor its environment change, but by its own will. */
  readonly #searched = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(secrets: () => readonly Marked[]) {
    this.#secrets = secrets;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
  }

  /** Ends with a look at all that still runs, since some secrets came after the processes. */
  stop(): void {
    clearInterval(this.#timer);
    this.#searched.clear();
    this.#look();
  }

  get hits(): readonly Hit[] {
    return [...this.#hits.values()];
  }

  /** The programs that were seen, by the last parts of their first two arguments. */
  get programs(): readonly string[] {
    return [...this.#seen].sort();
  }

  #look(): void {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const commandLine = readOrNothing(`/proc/${name}/cmdline`);
      const text = commandLine.toString('latin1');
      if (this.#searched.get(name) === text) continue;
      this.#searched.set(name, text);
      const words = text.split('\0').slice(0, 2);
      const program = words.map((word) => word.split('/').at(-1)).join(' ');
      this.#seen.add(program);
      this.#search(`arguments of ${program}`, commandLine);
      if (this.given.has(Number(name))) continue;
      this.#search(`environment of ${program}`, readOrNothing(`/proc/${name}/environ`));
    }
  }

  #search(place: string, bytes: Buffer): void {
    for (const hit of searchBytes(place, bytes, this.#secrets())) {
      this.#hits.set(`${hit.place}: ${hit.secret}`, hit);
    }
  }
}

/** A process may end at any moment, and those of other users cannot be read. */
function readOrNothing(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
