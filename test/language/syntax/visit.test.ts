/** Walking a tree: children in order, the path at an offset, and every node visited. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from '../../../language/src/syntax/parser.ts';
import { children, nodeAt, pathAt, walk } from '../../../language/src/syntax/visit.ts';

/**
 * Returns the node kinds at `$0` from the outside in, followed by the text of the innermost node.
 */
function path(marked: string): string {
  const offset = marked.indexOf('$0');
  const text = marked.replace('$0', '');
  const tree = parseQuery(text);
  const nodes = pathAt(tree, offset);
  const last = nodes.at(-1);
  assert.equal(nodeAt(tree, offset), last);
  return `${nodes.map((node) => node.kind).join(' ')} ${JSON.stringify(text.slice(last?.start, last?.end))}`;
}

describe('tree traversal', () => {
  it('returns the path of nodes from the statement to the word at the offset', () => {
    assert.equal(
      path('logs | where st$0atus == 200'),
      'QueryStatement Pipeline Stage WhereOperator Binary NameReference "status"',
    );
  });

  it('prefers the node that starts at an offset to the node that ends there', () => {
    assert.equal(
      path('logs | where $0status==200'),
      'QueryStatement Pipeline Stage WhereOperator Binary NameReference "status"',
    );
    assert.equal(
      path('logs | where status==$0200'),
      'QueryStatement Pipeline Stage WhereOperator Binary Literal "200"',
    );
  });

  it('includes the word that ends at the cursor', () => {
    assert.equal(
      path('logs | where status == 200 | project a$0'),
      'QueryStatement Pipeline Stage ProjectOperator Assignment NameReference "a"',
    );
  });

  it('includes expressions inside dynamic(…)', () => {
    assert.equal(
      path('print dynamic({"a": [1, $0x]})'),
      'QueryStatement Pipeline PrintSource Assignment DynamicLiteral NameReference "x"',
    );
  });

  it('returns an empty path outside statements', () => {
    assert.equal(pathAt(parseQuery('  logs'), 0).length, 0);
    assert.equal(nodeAt(parseQuery(''), 0), undefined);
  });

  it('visits children in text order, whatever the order of the clauses', () => {
    const texts = [
      'logs | make-series count() step 1h from a to b on t by c',
      'logs | extend (a, b) = f(c)',
      'logs | union withsource=x kind=outer y',
      'logs | mv-expand with_itemindex=i kind=bag a',
    ];
    for (const text of texts) {
      walk(parseQuery(text).statements, (node) => {
        const found = children(node);
        for (const [i, child] of found.entries()) {
          assert.ok(i === 0 || child.start >= (found[i - 1]?.end ?? 0), text);
        }
      });
    }
  });

  it('visits every name, but skips the children of a node if the visitor returns false', () => {
    const names = (leaveOut?: string) => {
      const found: string[] = [];
      walk(parseQuery('a | join (b | where c) on d | extend e = f(g)').statements, (node) => {
        if ('name' in node && typeof node.name === 'string') found.push(node.name);
        return node.kind !== leaveOut;
      });
      return found.join(' ');
    };
    assert.equal(names(), 'a b c d e f g');
    assert.equal(names('ParenthesizedSource'), 'a d e f g');
  });
});
