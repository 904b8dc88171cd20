/** Lints for string operators: unsupported wildcards, and `contains` that `has` can replace. */
import { replace } from '../edits.ts';
import { quoteText } from '../names.ts';
import { type Binary, isText, type Linter, operatorSpan, report, shown } from './linter.ts';

const form = /^(!?)(contains|endswith|has|hasprefix|hassuffix|startswith)(_cs)?$/;

/**
 * Reports wildcards, as in `contains "*error*"`. Requires a letter or digit next to each wildcard, and percent signs at
 * both ends, because strings such as `50%` are often intended.
 */
export function lintWildcard(linter: Linter, node: Binary): void {
  const { operator, right } = node;
  const match = form.exec(operator);
  if (match === null || !isText(right)) return;
  const [, not = '', base = '', cs = ''] = match;
  const { value } = right;
  const wildcard = value.includes('*') ? '*' : '%';
  const opens = value.startsWith(wildcard) && startsWord.test(value.slice(1, 3));
  const closes = value.endsWith(wildcard) && endsWord.test(value.slice(-3, -1));
  if (!(opens || closes) || (wildcard === '%' && !(opens && closes))) return;
  const inner = value.slice(opens ? 1 : 0, closes ? -1 : undefined);
  if (inner.includes('*') || inner.includes('%')) return;
  const values = { wildcard, literal: shown(linter, right), operator };
  const better = `${not}${withWildcards(base, opens, closes)}${cs}`;
  const edits = [replace(operatorSpan(linter, node), better), replace(right, quoteText(inner))];
  const title = `Use ${better} ${quoteText(inner)}`;
  report(linter, 'literal-wildcard', right, values, { title, edits });
}

const startsWord = /^[\p{L}\p{N}]/u;
const endsWord = /[\p{L}\p{N}]$/u;

/** Returns the operator equivalent to `base` with wildcards at the given ends. */
function withWildcards(base: string, opens: boolean, closes: boolean): string {
  switch (base) {
    case 'has':
      if (opens && closes) return 'contains';
      return closes ? 'hasprefix' : 'hassuffix';
    case 'startswith':
    case 'hasprefix':
      return opens ? 'contains' : base;
    case 'endswith':
    case 'hassuffix':
      return closes ? 'contains' : base;
    default:
      return base;
  }
}

/** Reports `contains` with a complete term, for which the guide of the service's CLI recommends `has`. */
export function lintContains(linter: Linter, node: Binary): void {
  const { operator, left, right } = node;
  if (!operator.includes('contains') || !isText(right)) return;
  // Don't report `*`, because `lintStar` does. Don't report calls, because `has` isn't faster for computed strings.
  if (left.kind === 'call' || left.kind === 'star') return;
  // Suggest `has` only for strings that can be complete terms, because `has` matches only complete terms.
  if (!/^[\p{L}\p{N}]{3,}$/u.test(right.value)) return;
  const instead = operator.replace('contains', 'has');
  const span = operatorSpan(linter, node);
  const fix = { title: `Match whole words with ${instead}`, edits: [replace(span, instead)] };
  report(linter, 'slow-contains', span, { operator, instead }, fix);
}
