// Ends a process with everything that it and its children started and that still runs below them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Pairs of a process and its parent. Linux is read without `ps`, which small images lack. */
function parents(): (readonly [pid: number, parent: number])[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    return stdout
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
}

function parentOf(pid: string): number {
  try {
    // The name, in parentheses, may have spaces. The state and the parent follow it.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}

/** Ids of a process and its descendants, parents first. */
function treeOf(pid: number): readonly number[] {
  const rows = parents();
  const tree = [pid];
  for (const each of tree)
    tree.push(...rows.filter(([, parent]) => parent === each).map(([child]) => child));
  return tree;
}

export function killTree(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  for (const each of treeOf(pid))
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
}
