// One queue for all test files: the longest first, those that start VS Code ahead of the others.
import type { TestKind } from '../testFiles.ts';

export interface Task {
  readonly file: string;
  readonly kind: TestKind;
  /** Seconds that it is expected to take. */
  readonly weight: number;
}

export interface Width {
  readonly windows: number;
  /** Of all kinds together. */
  readonly files: number;
}

/** Calls `run` for each task and resolves when all have ended. `lane` is below `width.files` and used by one at a time. */
export async function runQueue(
  tasks: readonly Task[],
  width: Width,
  run: (task: Task, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks].sort((a, b) => b.weight - a.weight || a.file.localeCompare(b.file));
  let windows = 0;
  const wake = new Set<() => void>();
  const take = (): Task | undefined => {
    const isWindow = ({ kind }: Task) => kind === 'window';
    const next = windows < width.windows ? waiting.findIndex(isWindow) : -1;
    const index = next >= 0 ? next : waiting.findIndex((task) => !isWindow(task));
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  const lane = async (index: number): Promise<void> => {
    while (waiting.length > 0) {
      const task = take();
      if (task === undefined) {
        await new Promise<void>((resolve) => wake.add(resolve));
        continue;
      }
      if (task.kind === 'window') windows += 1;
      try {
        await run(task, index);
      } finally {
        if (task.kind === 'window') windows -= 1;
        for (const resolve of wake) resolve();
        wake.clear();
      }
    }
  };
  await Promise.all(Array.from({ length: width.files }, (_, index) => lane(index)));
}
