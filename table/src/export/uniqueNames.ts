/** Names of columns for a format that does not allow the same one twice. */

/** The names in order; a repeated one gets the first free number, as in `name_2`. */
export function uniqueNames(names: readonly string[]): { names: string[]; renamed: number } {
  const given = new Set(names);
  const taken = new Set<string>();
  let renamed = 0;
  const unique = names.map((name) => {
    let free = name;
    for (let count = 2; taken.has(free) || (free !== name && given.has(free)); count++)
      free = `${name}_${count}`;
    if (free !== name) renamed++;
    taken.add(free);
    return free;
  });
  return { names: unique, renamed };
}
