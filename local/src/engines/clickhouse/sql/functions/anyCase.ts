/** Searches a column for a constant in any case. Most strings are ASCII, which ClickHouse needn't convert to lowercase. */
import type { FunctionRow } from '../context.ts';
import type { Node } from '../tree.ts';
import { quotedText, scalar } from '../value.ts';
import { lower, lowerUtf8 } from './lowercase.ts';

interface Search {
  readonly column: Node & { readonly kind: 'name' };
  readonly needle: string;
}

/** Returns the parts of `contains(lower(column), lower('needle'))`. */
function searchOf(node: Pick<Node & { kind: 'call' }, 'name' | 'args'>): Search | undefined {
  const [column, needle] = node.args.map((arg) =>
    arg.kind === 'call' && arg.name === 'lower' ? arg.args[0] : undefined,
  );
  return node.name === 'contains' && column?.kind === 'name' && needle?.kind === 'string'
    ? { column, needle: needle.value }
    : undefined;
}

// Of the characters beyond ASCII, only these become ASCII in lowercase.
const BECOMES_ASCII = /[\u0130\u212a]/;
const ASCII = /^[\0-\x7f]*$/;

/** Returns a translator of `contains` that uses `otherwise` for other searches. */
export function containsInAnyCase(otherwise: FunctionRow): FunctionRow {
  return (call) => {
    const search = searchOf({ name: call.name, args: call.nodes });
    const of = search && call.translate(search.column, call.context);
    if (of?.type.kind !== 'string' || BECOMES_ASCII.test(search!.needle)) return otherwise(call);
    const needle = quotedText(search!.needle);
    const found = `position(${lowerUtf8(of.sql)}, ${lower(needle)}) > 0`;
    const sql = ASCII.test(search!.needle)
      ? `if(isASCII(${of.sql}), positionCaseInsensitive(${of.sql}, ${needle}) > 0, ${found})`
      : `(NOT isASCII(${of.sql}) AND ${found})`;
    return scalar(sql, 'bool', { present: of.present === true });
  };
}

/** Returns whether a condition is only a faster test in DuckDB for a letter of a following search in any case. */
export function isLetterTest(test: Node, next: Node): boolean {
  const following = next.kind === 'call' ? searchOf(next) : undefined;
  if (following === undefined || test.kind !== 'binary' || test.operator !== 'OR') return false;
  return [test.left, test.right].every((side) => {
    if (side.kind !== 'call' || side.name !== 'contains') return false;
    const [column, letter] = side.args;
    return (
      JSON.stringify(column) === JSON.stringify(following.column) &&
      letter?.kind === 'string' &&
      /^[a-z]$/i.test(letter.value) &&
      following.needle.toLowerCase().includes(letter.value.toLowerCase())
    );
  });
}
