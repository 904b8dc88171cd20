// Applies a JSON merge patch (RFC 7396): members replace those of the document, null removes one.
import { isMembers } from '../../resources/src/value.ts';

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch;
  const result = new Map(isMembers(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  return Object.fromEntries(result);
}
