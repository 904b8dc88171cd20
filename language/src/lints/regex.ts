/** Regular expressions: what RE2 refuses, how groups are called, and patterns that are plain texts. */
import type { BoundExpression, BoundOperator } from '../binding/bound.ts';
import { functionNamed } from '../catalog/index.ts';
import { quoteText } from '../names.ts';
import type { Span } from '../text.ts';
import {
  type Binary,
  type Call,
  isText,
  type Linter,
  numberOf,
  operatorSpan,
  renamedCall,
  report,
  written,
} from './linter.ts';
import { plainPattern, regexFault, regexGroupNames } from './regexText.ts';

function lintPattern(linter: Linter, pattern: BoundExpression | undefined): boolean {
  if (!isText(pattern)) return false;
  const fault = regexFault(pattern.value);
  if (fault === undefined) return false;
  report(linter, fault.code, pattern, { what: fault.what });
  return true;
}

/** `matches regex`: an operator on plain texts is named by the page on performance as the faster one. */
export function lintMatches(linter: Linter, node: Binary): void {
  const { operator, right } = node;
  if (operator !== 'matches regex' && operator !== '!matches regex') return;
  if (lintPattern(linter, right) || !isText(right)) return;
  const plain = plainPattern(right.value);
  if (plain === undefined) return;
  const { text, atStart, atEnd, caseless } = plain;
  const not = operator.startsWith('!') ? '!' : '';
  const cs = caseless ? '' : '_cs';
  let better: string;
  if (atStart && atEnd) better = caseless ? (not ? '!~' : '=~') : not ? '!=' : '==';
  else better = `${not}${atStart ? 'startswith' : atEnd ? 'endswith' : 'contains'}${cs}`;
  const instead = `${better} ${quoteText(text)}`;
  report(
    linter,
    'needless-regex',
    node,
    { instead },
    {
      title: `Use ${instead}`,
      edits: [
        { ...operatorSpan(linter, node), text: better },
        { start: right.start, end: right.end, text: quoteText(text) },
      ],
    },
  );
}

/** Functions of regular expressions, with those that do the same for plain texts. */
const plainFunctions: ReadonlyMap<string, string> = new Map([
  ['countof_regex', 'countof'],
  ['replace', 'replace_string'],
  ['replace_regex', 'replace_string'],
]);

export function lintRegexCall(linter: Linter, call: Call): void {
  const at = regexParameter(call.name);
  if (at < 0) return;
  const pattern = call.arguments[at];
  if (lintPattern(linter, pattern)) return;
  if (lintGroups(linter, call, pattern)) return;
  const rewrites = plainFunctions.get(call.name) === 'replace_string';
  const rewrite = rewrites ? call.arguments[1] : undefined;
  if (isText(rewrite) && lintRewrite(linter, rewrite, rewrite.value)) return;
  const better = plainFunctions.get(call.name);
  if (better === undefined || !isText(pattern)) return;
  if (rewrites && (!isText(rewrite) || /[$\\]/.test(rewrite.value))) return;
  const plain = plainPattern(pattern.value);
  // Only a pattern that is its own text; one with anchors or dots at its ends says more.
  if (plain === undefined || plain.atStart || plain.atEnd || plain.caseless) return;
  if (pattern.value.startsWith('.*') || pattern.value.endsWith('.*')) return;
  const { start, end } = pattern;
  const edits = plain.text === pattern.value ? [] : [{ start, end, text: quoteText(plain.text) }];
  const values = { instead: `${better}()` };
  report(linter, 'needless-regex', pattern, values, renamedCall(linter, call, better, edits));
}

/** Groups of `extract` and `extract_all` that the pattern does not have. */
function lintGroups(linter: Linter, call: Call, pattern: BoundExpression | undefined): boolean {
  const [, wanted, text] = call.arguments;
  const takesGroups = call.name === 'extract' || call.name === 'extract_all';
  if (!takesGroups || !isText(pattern) || text === undefined) return false;
  const names = regexGroupNames(pattern.value);
  const missing = groupsIn(wanted).find((group) =>
    typeof group === 'string' ? !names.includes(group) : group < 0 || group > names.length,
  );
  if (wanted === undefined || missing === undefined) return false;
  const count =
    names.length === 0 ? 'no groups' : names.length === 1 ? '1 group' : `${names.length} groups`;
  report(linter, 'missing-group', wanted, { count, group: String(missing) });
  return true;
}

/** The groups that an argument names, as far as they are constant. */
function groupsIn(argument: BoundExpression | undefined): readonly (number | string)[] {
  if (argument?.kind !== 'dynamic') {
    const group = numberOf(argument);
    return group === undefined ? [] : [group];
  }
  const items: readonly unknown[] = Array.isArray(argument.value) ? argument.value : [];
  return items.flatMap((item): (number | string)[] => {
    if (typeof item === 'string') return [item];
    return typeof item === 'bigint' || typeof item === 'number' ? [Number(item)] : [];
  });
}

/** Kusto calls the groups of a match `\1`; APL calls them `$1`. */
function lintRewrite(linter: Linter, span: Span, text: string): boolean {
  const found = /\\(\d)/.exec(text);
  if (found === null) return false;
  const rewritten = written(linter, span).replace(
    /\\{1,2}(\d)/g,
    (_, digit: string) => `$${digit}`,
  );
  const values = { group: `$${found[1]}`, found: `\\${found[1]}` };
  report(linter, 'rewrite-reference', span, values, rewritten);
  return true;
}

const parameterPlaces = new Map<string, number>();

/** The place of the argument that is a regular expression, or -1. */
export function regexParameter(name: string): number {
  let place = parameterPlaces.get(name);
  if (place === undefined) {
    const parameters = functionNamed(name)?.signatures[0]?.parameters ?? [];
    place = parameters.findIndex((parameter) => parameter.name === 'regex');
    parameterPlaces.set(name, place);
  }
  return place;
}

/** The patterns of `parse kind=regex` and `redact`. */
export function lintRegexOperator(linter: Linter, operator: BoundOperator): void {
  if (operator.kind === 'redact')
    for (const pattern of operator.patterns) lintPattern(linter, pattern);
  if (operator.kind !== 'parse' || operator.mode !== 'regex') return;
  for (const part of operator.pattern) {
    const fault = part.kind === 'text' ? regexFault(part.text) : undefined;
    // A part may open what a later one closes, so only what RE2 lacks is told.
    if (fault?.code === 'regex-unsupported') report(linter, fault.code, part, { what: fault.what });
  }
}

/**
 * `trim()` and its kin take a set of characters where Kusto's take a regular expression. Told for what is
 * plainly a pattern, and for a text that names a letter twice, which no set does.
 */
export function lintTrim(linter: Linter, call: Call): void {
  const instead = cutsetFunctions.get(call.name);
  const [cutset] = call.arguments;
  if (instead === undefined || !isText(cutset)) return;
  const { value } = cutset;
  if (value.length > longestCutset) return;
  const pattern =
    /\\[sSwWdDb]|\[\^|\[[^\]]*\w-\w[^\]]*\]|\.[*+]|[\])][*+?]|\{\d+,?\d*\}|\(\?|^\^.|\w\$$/.test(
      value,
    );
  const letters = value.replace(/[^\p{L}\p{N}]/gu, '');
  const text = !pattern && value.length > 2 && new Set(value).size < value.length && letters !== '';
  if (!pattern && !text) return;
  const values = {
    name: `${call.name}()`,
    meant: pattern ? 'pattern' : 'word',
    instead: `${instead}()`,
  };
  const { start, end } = cutset;
  const edits = pattern ? [] : [{ start, end, text: quoteText(escaped(value)) }];
  report(linter, 'trim-cutset', cutset, values, renamedCall(linter, call, instead, edits));
}

/** A text so long is neither a set nor a pattern that somebody wrote. */
const longestCutset = 200;

const cutsetFunctions: ReadonlyMap<string, string> = new Map([
  ['trim', 'trim_regex'],
  ['trim_end', 'trim_end_regex'],
  ['trim_start', 'trim_start_regex'],
]);

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
