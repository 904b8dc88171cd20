/** Lints for regular expressions: errors, missing groups, needless patterns, and patterns passed as character sets. */
import type { BoundExpression, BoundOperator } from '../binding/bound.ts';
import { functionNamed } from '../catalog/index.ts';
import { replace } from '../edits.ts';
import { getOrCreate } from '../maps.ts';
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

/** Reports a `matches regex` that a faster string operator can replace, as the performance documentation advises. */
export function lintMatches(linter: Linter, node: Binary): void {
  const { operator, right } = node;
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
  const edits = [replace(operatorSpan(linter, node), better), replace(right, quoteText(text))];
  report(linter, 'needless-regex', node, { instead }, { title: `Use ${instead}`, edits });
}

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
  const better = plainFunctions.get(call.name);
  const rewrites = better === 'replace_string';
  const rewrite = rewrites ? call.arguments[1] : undefined;
  if (isText(rewrite) && lintRewrite(linter, rewrite, rewrite.value)) return;
  if (better === undefined || !isText(pattern)) return;
  if (rewrites && (!isText(rewrite) || /[$\\]/.test(rewrite.value))) return;
  const plain = plainPattern(pattern.value);
  // Report only patterns that match a plain string, without anchors, `(?i)` or `.*` at either end.
  if (plain === undefined || plain.atStart || plain.atEnd || plain.caseless) return;
  if (pattern.value.startsWith('.*') || pattern.value.endsWith('.*')) return;
  const edits = plain.text === pattern.value ? [] : [replace(pattern, quoteText(plain.text))];
  const values = { instead: `${better}()` };
  report(linter, 'needless-regex', pattern, values, renamedCall(linter, call, better, edits));
}

/** Reports a call of `extract` or `extract_all` that requests a capture group missing from the pattern. */
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

/** Reports group references written as `\1`, as in Kusto. APL uses `$1`. */
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

/** Returns the index of a function's regular expression parameter, or -1 if the function has none. */
function regexParameter(name: string): number {
  return getOrCreate(parameterPlaces, name, () => {
    const parameters = functionNamed(name)?.signatures[0]?.parameters ?? [];
    return parameters.findIndex((parameter) => parameter.name === 'regex');
  });
}

export function lintRegexOperator(linter: Linter, operator: BoundOperator): void {
  if (operator.kind === 'redact')
    for (const pattern of operator.patterns) lintPattern(linter, pattern);
  if (operator.kind !== 'parse' || operator.mode !== 'regex') return;
  for (const part of operator.pattern) {
    const fault = part.kind === 'text' ? regexFault(part.text) : undefined;
    // Report only unsupported syntax. Other errors may be false, because a group can span several parts of the pattern.
    if (fault?.code === 'regex-unsupported') report(linter, fault.code, part, { what: fault.what });
  }
}

/**
 * Reports a regular expression or word passed to `trim()` and similar functions, which expect a set of characters in
 * APL. Reports a word only if it repeats a character, because a set needs each character once.
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
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const edits = pattern ? [] : [replace(cutset, quoteText(escaped))];
  report(linter, 'trim-cutset', cutset, values, renamedCall(linter, call, instead, edits));
}

/** The maximum length of a checked argument. A longer argument was probably not written by hand. */
const longestCutset = 200;

const cutsetFunctions: ReadonlyMap<string, string> = new Map([
  ['trim', 'trim_regex'],
  ['trim_end', 'trim_end_regex'],
  ['trim_start', 'trim_start_regex'],
]);
