// Finds members of a document that its schema lacks. A service may know more members than the schema, and saving keeps
// them. Only members the user wrote are reported: misspelled ones and, in a new document, all.
import { namesIn, type Span } from './jsonText.ts';
import { isMembers, type Members, membersOf, type Path } from './value.ts';

export interface UnknownMember extends Span {
  readonly name: string;
  /** The schema member that was most likely meant. */
  readonly suggestion?: string;
  /** Whether the object already has that member. */
  readonly hasSuggestion: boolean;
}

export interface Origin {
  /** The original document. */
  readonly base: Members;
  /** Whether it doesn't exist on the deployment yet. */
  readonly isNew: boolean;
  /** The members that the service sets. */
  readonly setByService: readonly string[];
}

/** Returns the unknown members of a text, in order, with the offsets of the names between their quotes. */
export function unknownMembers(
  text: string,
  schema: Members,
  { base, isNew, setByService }: Origin,
): UnknownMember[] {
  const names = namesIn(text);
  const written = new Set(names.map(({ path }) => JSON.stringify(path)));
  const given = new Set(patternsIn(base));
  return names.flatMap(({ path, start, end }) => {
    const parent = path.slice(0, -1);
    const name = String(path.at(-1));
    const known = namesOf(schemaAt(schema, parent));
    if (known === undefined || known.includes(name) || given.has(patternOf(path))) return [];
    if (parent.length === 0 && setByService.includes(name)) return [];
    const suggestion = nearest(name, known);
    if (suggestion === undefined && !isNew) return [];
    const hasSuggestion =
      suggestion !== undefined && written.has(JSON.stringify([...parent, suggestion]));
    return [{ name, start, end, hasSuggestion, ...(suggestion !== undefined && { suggestion }) }];
  });
}

/** Returns the schema at a path; undefined if unspecified. */
function schemaAt(schema: Members, path: Path): Members | undefined {
  let at: unknown = schema;
  for (const step of path) {
    if (!isMembers(at)) return undefined;
    const { properties, items } = at;
    if (typeof step === 'number') at = items;
    else at = isMembers(properties) && Object.hasOwn(properties, step) && properties[step];
  }
  return isMembers(at) ? at : undefined;
}

/** Returns the member names an object may have; undefined if any are allowed. */
function namesOf(schema: Members | undefined): string[] | undefined {
  if (!isMembers(schema?.properties) || isMembers(schema.additionalProperties)) return undefined;
  return Object.keys(schema.properties);
}

/** Returns the paths of all members of a value, with one step for all items of an array. */
function patternsIn(value: unknown, before: Path = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => patternsIn(item, [...before, 0]));
  return Object.entries(isMembers(value) ? membersOf(value) : {}).flatMap(([name, member]) => {
    const path = [...before, name];
    return [patternOf(path), ...patternsIn(member, path)];
  });
}

function patternOf(path: Path): string {
  return JSON.stringify(path.map((step) => (typeof step === 'number' ? 0 : step)));
}

/** Returns the name with the smallest edit distance, at most three and less for short names. Of equals, the first. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const allowed = name.length <= 2 ? 0 : name.length <= 4 ? 1 : name.length <= 8 ? 2 : 3;
  let found: { readonly candidate: string; readonly letters: number } | undefined;
  for (const candidate of candidates) {
    const letters = distance(name.toLowerCase(), candidate.toLowerCase());
    if (letters <= allowed && (found === undefined || letters < found.letters)) {
      found = { candidate, letters };
    }
  }
  return found?.candidate;
}

/** Returns the number of letters added, removed, changed, or swapped with the next one. */
function distance(a: string, b: string): number {
  // Stops early, because the distance would exceed the maximum.
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
