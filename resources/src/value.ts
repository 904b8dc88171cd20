// JSON values and paths into them. Integers beyond 2^53 are bigint, as `parseJson` returns them.

/** The members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** Member names and item indexes, outermost first. */
export type Path = readonly (string | number)[];

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the members of an object; none for anything else. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined;
    else at = isMembers(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return at;
}

/** Returns the nonempty text at a path; undefined if there is none. */
export function textAt(value: unknown, path: Path): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Returns a copy with another value at the path, whose parent must exist. */
export function withValueAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === step ? withValueAt(item, rest, replacement) : item,
    );
  }
  if (!isMembers(value)) throw new Error(`There is nothing at ${path.join('.')}.`);
  const has = Object.hasOwn(value, step);
  const members = Object.entries(value).map(
    ([name, member]) =>
      [name, name === step ? withValueAt(member, rest, replacement) : member] as const,
  );
  if (has) return Object.fromEntries(members);
  if (rest.length > 0) throw new Error(`There is nothing at ${path.join('.')}.`);
  return Object.fromEntries([...members, [String(step), replacement] as const]);
}

/** Returns a copy of an object without some members. */
export function without(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

/** Returns whether two values are equal as JSON, ignoring the order of members. */
export function equal(a: unknown, b: unknown): boolean {
  // Includes minus zero, which no service distinguishes from zero.
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
    );
  }
  if (!isMembers(a) || !isMembers(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  );
}
