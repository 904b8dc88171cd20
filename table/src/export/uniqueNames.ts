/** Names of columns for a format that does not allow the same one twice. */
import type { RowSource } from '../rowSource.ts';
import type { Output } from './output.ts';

/** The names in order; a repeated one gets the first free number, as in `name_2`. */
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
