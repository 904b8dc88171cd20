// Locates the APL in a resource: the queries of monitors, views, saved queries and charts, and the expressions of
// virtual fields. Works on values, to open and change the APL, and on text, to check and complete it.
import { type StringLiteral, stringsIn } from './jsonText.ts';
import { type AplPattern, type KindName, kinds } from './kinds.ts';
import { isMembers, type Members, type Path, textAt, valueAt } from './value.ts';

/** One piece of APL in a resource. */
export interface AplLocation {
  readonly path: Path;
  /**
   * Identifies the APL within its resource, independent of order: empty if there is only one piece; in a dashboard, the
   * chart's identifier, or its index if it has none.
   */
  readonly key: string;
  readonly noun: string;
  /** The name of its owner, such as a chart; empty if that is the resource. */
  readonly owner: string;
  readonly language: AplPattern['language'];
  readonly apl: string;
}

/** Returns the pieces of APL in a document or record, in order. Skips members that aren't text. */
export function aplLocations(kind: KindName, document: Members): AplLocation[] {
  return kinds[kind].apl.flatMap((pattern) =>
    pathsOf(document, pattern.path, []).flatMap((path) => {
      const apl = valueAt(document, path);
      return typeof apl === 'string' ? [locationAt(document, pattern, path, apl)] : [];
    }),
  );
}

/** Returns the piece of APL with a key; undefined if there is none or several. */
export function aplLocation(
  kind: KindName,
  document: Members,
  key: string,
): AplLocation | undefined {
  const found = aplLocations(kind, document).filter((location) => location.key === key);
  return found.length === 1 ? found[0] : undefined;
}

/** A string literal that contains APL. */
export interface AplLiteral extends StringLiteral {
  readonly language: AplPattern['language'];
}

/** Returns the literals that contain APL, in order. The text need not be valid JSON. */
export function aplLiterals(kind: KindName, text: string): AplLiteral[] {
  const patterns = kinds[kind].apl;
  if (patterns.length === 0) return [];
  return stringsIn(text).flatMap((literal) => {
    const pattern = patterns.find(({ path }) => matches(literal.path, path));
    return pattern === undefined ? [] : [{ ...literal, language: pattern.language }];
  });
}

function matches(path: Path, pattern: readonly string[]): boolean {
  return (
    path.length === pattern.length &&
    pattern.every((step, index) =>
      step === '*' ? typeof path[index] === 'number' : path[index] === step,
    )
  );
}

function pathsOf(value: unknown, pattern: readonly string[], before: Path): Path[] {
  const [step, ...rest] = pattern;
  if (step === undefined) return [before];
  if (step === '*') {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => pathsOf(item, rest, [...before, index]));
  }
  if (!isMembers(value) || !Object.hasOwn(value, step)) return [];
  return pathsOf(value[step], rest, [...before, step]);
}

function locationAt(document: Members, pattern: AplPattern, path: Path, apl: string): AplLocation {
  const { noun, language } = pattern;
  const star = pattern.path.indexOf('*');
  if (star < 0) return { path, key: '', noun, owner: '', language, apl };
  const item = valueAt(document, path.slice(0, star + 1));
  const key = textAt(item, ['id']) ?? String(path[star]);
  return { path, key, noun, owner: textAt(item, ['name']) ?? key, language, apl };
}
