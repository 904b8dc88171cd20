/** Matches names against patterns in which `*` matches any string. */

/** Returns a function that matches names, in time proportional to the number of stars times the name's length. */
export function wildcard(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*');
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (parts.length === 1) return (name) => name === pattern;
  return (name) => {
    if (name.length < first.length + last.length) return false;
    if (!name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (let i = 1; i < parts.length - 1; i++) {
      const part = parts[i] as string;
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
