/** Column names for formats that don't allow duplicates. */
import type { RowSource } from '../rowSource.ts';
import type { Output } from './output.ts';

/** Returns the names in order. A repeated name gets the first unused number, as in `name_2`. */
export function uniqueNames({ columns }: RowSource, { notices }: Output): string[] {
  const names = columns.map(({ name }) => name);
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free) || (free !== name && given.has(free)); count++)
      free = `${name}_${count}`;
    if (free !== name) notices.add('renamedColumns');
    taken.add(free);
    return free;
  });
}
