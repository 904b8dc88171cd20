/** Renaming: the edits that belong to a name, and the refusals with their reasons. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renamed } from './marked.ts';

/**
 * Asserts that a rename at the cursor produces `expected`, or is refused with a matching reason.
 */
function check(marked: string, name: string, expected: string | RegExp): void {
  const result = renamed(marked, name);
  if (typeof expected === 'string') return assert.equal(result, expected);
  assert.match(result, /^refused: /, `${marked} was renamed: ${result}`);
  assert.match(result, expected);
  assert.doesNotMatch(result, /undefined|\bnull\b|\[object/);
}

describe('renaming a column that the query defines', () => {
  it('can start at its definition or at a use', () => {
    const expected = 'logs | extend y = 1 | where y > 1 | sort by y';
    check('logs | extend x$0 = 1 | where x > 1 | sort by x', 'y', expected);
    check('logs | extend x = 1 | where x > 1 | sort by $0x', 'y', expected);
  });

  it('is supported in every operator that creates a column', () => {
    check(
      'logs | summarize n$0 = count() | where n > 1',
      'm',
      'logs | summarize m = count() | where m > 1',
    );
    check(
      "logs | parse method with 'a' n$0 'b' | where n == ''",
      'm',
      "logs | parse method with 'a' m 'b' | where m == ''",
    );
    check(
      'logs | mv-expand with_itemindex=n$0 tags | where n > 1',
      'm',
      'logs | mv-expand with_itemindex=m tags | where m > 1',
    );
    check('datatable (n$0:long) [1] | where n == 1', 'm', 'datatable (m:long) [1] | where m == 1');
    check(
      'union withsource=n$0 logs, users | where n == 1',
      'm',
      'union withsource=m logs, users | where m == 1',
    );
    check(
      'logs | project n$0 = status, ok | where n == 1',
      'm',
      'logs | project m = status, ok | where m == 1',
    );
    check(
      'logs | project-rename n$0 = status | where n == 1',
      'm',
      'logs | project-rename m = status | where m == 1',
    );
    check('print n$0 = 1 | where n == 1', 'm', 'print m = 1 | where m == 1');
  });

  it('ends at the stage that drops the column or reuses its name', () => {
    check(
      'logs | extend x$0 = 1 | summarize x = max(x) by ok | where x > 1',
      'y',
      'logs | extend y = 1 | summarize x = max(y) by ok | where x > 1',
    );
    check(
      'logs | extend x = 1 | project-rename y$0 = x | where y > 1',
      'z',
      'logs | extend x = 1 | project-rename z = x | where z > 1',
    );
  });

  it('also renames a later column that overwrites it if the result contains that column', () => {
    check(
      'logs | extend x$0 = 1 | extend x = x + 1 | where x > 1',
      'y',
      'logs | extend y = 1 | extend y = y + 1 | where y > 1',
    );
    check(
      'logs | extend x$0 = 1 | extend x = x + 1 | project z = x',
      'y',
      'logs | extend y = 1 | extend x = y + 1 | project z = x',
    );
  });

  it('quotes the new name if required and accepts a quoted name', () => {
    check(
      'logs | extend x$0 = 1 | where x > 1',
      'a b',
      "logs | extend ['a b'] = 1 | where ['a b'] > 1",
    );
    check(
      'logs | extend x$0 = 1 | where x > 1',
      "['a b']",
      "logs | extend ['a b'] = 1 | where ['a b'] > 1",
    );
    check(
      "logs | extend ['a b']$0 = 1 | where ['a b'] > 1",
      'x',
      'logs | extend x = 1 | where x > 1',
    );
    check(
      'logs | extend x$0 = 1 | where x > 1',
      'by',
      "logs | extend ['by'] = 1 | where ['by'] > 1",
    );
    check('logs | extend x$0 = 1', "it's", "logs | extend ['it\\'s'] = 1");
  });

  it("updates a string argument that contains the column's name", () => {
    check(
      "logs | extend x$0 = 1 | extend y = column_ifexists('x', 2)",
      'a b',
      "logs | extend ['a b'] = 1 | extend y = column_ifexists('a b', 2)",
    );
  });

  it('preserves the sort direction in project-reorder', () => {
    check(
      'logs | extend x$0 = 1 | project-reorder x asc, *',
      'y',
      'logs | extend y = 1 | project-reorder y asc, *',
    );
  });
});

describe('an unnamed column', () => {
  it('gets an explicit name when it is renamed', () => {
    check(
      'logs | summarize count() by ok | where count_$0 > 1',
      'hits',
      'logs | summarize hits = count() by ok | where hits > 1',
    );
    check(
      'logs | summarize count() by bin(_time, 1h) | sort by _ti$0me',
      'hour',
      'logs | summarize count() by hour = bin(_time, 1h) | sort by hour',
    );
    check('print 5 | where print_0$0 > 1', 'n', 'print n = 5 | where n > 1');
  });

  it('keeps its name when a column in its expression is renamed', () => {
    check(
      'logs | extend x$0 = status | summarize avg(x), max(x) by bin(x, 5) | where avg_x > 1',
      'y',
      'logs | extend y = status | summarize avg_x = avg(y), max_x = max(y) by x = bin(y, 5) | where avg_x > 1',
    );
    check(
      'logs | extend x$0 = attributes | project x.a.b, x',
      'y',
      'logs | extend y = attributes | project x_a_b = y.a.b, y',
    );
  });

  it("can't be renamed if it is the output of the count operator", () => {
    check('logs | count | where count$0 > 1', 'n', /summarize n = count\(\)/);
  });
});

describe('renaming a column of several tables', () => {
  it('changes both sides of a join on the column', () => {
    check(
      'logs | project id = status | join (users | project id) on $0id | project id',
      'key',
      'logs | project key = status | join (users | project id) on $left.key == $right.id | project key',
    );
    check(
      'logs | project k$0 = status | join (users | project k = id) on k | project k, k1',
      'key',
      'logs | project key = status | join (users | project key = id) on key | project key, key1',
    );
  });

  it('changes its name after $left and $right', () => {
    check(
      'logs | extend a$0 = 1 | join (users | extend b = 2) on $left.a == $right.b',
      'x y',
      "logs | extend ['x y'] = 1 | join (users | extend b = 2) on $left['x y'] == $right.b".replace(
        "$left['x y']",
        "$left.['x y']",
      ),
    );
    check(
      "logs | extend a = 1 | join (users | extend b$0 = 2) on $left.a == $right['b']",
      'c',
      "logs | extend a = 1 | join (users | extend c = 2) on $left.a == $right['c']",
    );
  });

  it('drops the numeric suffix added by a join if the new name is unique', () => {
    check(
      'logs | project status | join (users | project status$0 = id) on status | project status, status1',
      'other',
      'logs | project status | join (users | project other = id) on $left.status == $right.other | project status, other',
    );
  });

  it('changes every table of a union', () => {
    check(
      'union (logs | extend n$0 = 1), (users | extend n = 2) | where n > 1',
      'm',
      'union (logs | extend m = 1), (users | extend m = 2) | where m > 1',
    );
  });

  it('follows a table declared by a let', () => {
    check(
      'let T = logs | extend n = 1; T | where n > 1 | join (T) on n$0',
      'm',
      'let T = logs | extend m = 1; T | where m > 1 | join (T) on m',
    );
  });

  it('is refused if one table of the union stores the column as a field', () => {
    check(
      'union (logs | extend name$0 = 1), users | where name > 1',
      'm',
      /another table of the union/,
    );
  });
});

describe('renaming a let or a parameter', () => {
  it('changes all its uses', () => {
    check(
      'let n$0 = 5; let m = n; logs | where status > n | project k = n + m',
      'limit1',
      'let limit1 = 5; let m = limit1; logs | where status > limit1 | project k = limit1 + m',
    );
    check(
      'declare query_parameters (n:long); logs | where status > $0n',
      'm',
      'declare query_parameters (m:long); logs | where status > m',
    );
    check(
      "let T$0 = logs; union T, users | join (T | where ok) on ok | where ok in (table('T') | project ok)",
      'a b',
      "let ['a b'] = logs; union ['a b'], users | join (['a b'] | where ok) on ok | where ok in (table('a b') | project ok)",
    );
  });

  it('keeps the name of an output column that was named after it', () => {
    check('let n$0 = 5; logs | project n', 'm', 'let m = 5; logs | project n = m');
  });
});

describe('an invalid rename', () => {
  it("is refused if the query doesn't define the name, with the reason", () => {
    check('logs | where stat$0us > 1', 'x', /field of 'logs'.*project-rename/);
    check('logs | where strl$0en(method) > 1', 'x', /strlen\(\) is a built-in function/);
    check('lo$0gs | where ok', 'x', /'logs' is a dataset/);
    check('logs | whe$0re ok', 'x', /'where' is a keyword/);
    check('logs | where ok a$0nd ok', 'x', /'and' is a keyword/);
    check('logs | where nope$0 > 1', 'x', /not defined in this query/);
    check('nowhere$0 | count', 'x', /'nowhere' is a dataset/);
    check('logs | where nofunc$0(ok)', 'x', /nofunc\(\) is a function/);
    check('logs | where status > 1$0', 'x', /There is no name here/);
    check('logs // stat$0us', 'x', /There is no name here/);
  });

  it('is refused if parse-kv or externaldata matches the name against data', () => {
    check('logs | parse-kv method as (user$0, took2:long)', 'x', /parse-kv looks up 'user'/);
    check(
      "externaldata (id$0:long) ['https://a/b.json'] with (format='json')",
      'x',
      /externaldata looks up 'id'/,
    );
    check(
      "externaldata (id$0:long) ['https://a/b.csv'] with (format='csv') | where id > 1",
      'x',
      "externaldata (x:long) ['https://a/b.csv'] with (format='csv') | where x > 1",
    );
  });

  it('is refused if the new name is already taken by a column or a let', () => {
    check('logs | extend x$0 = 1 | where x > 1', 'status', /column 'status' already exists/);
    check('let a$0 = 1; let b = 2; print a + b', 'b', /'b' is already declared/);
    check('let a$0 = 1; logs | where status > a', 'status', /"where status > status"/);
    check(
      'let a = 1; logs | extend x$0 = 2 | where status > a and x > 1',
      'a',
      /refer to something else/,
    );
  });

  it('is refused if the new name is blank', () => {
    check('logs | extend x$0 = 1', '  ', /cannot be empty/);
  });

  it('is refused if a wildcard would match different columns afterwards', () => {
    check(
      'logs | extend ab$0 = 1 | project-keep a*, status',
      'cd',
      /columns of the result would change|refer to something else/,
    );
    check(
      'logs | extend ab$0 = 1 | project-away c*',
      'cd',
      /columns of the result would change|refer to something else/,
    );
  });

  it('is refused if the let is declared twice', () => {
    check('let n$0 = 1; let n = 2; print n', 'm', /more than once/);
  });

  it('is refused if a join generated the name, such as k1', () => {
    check(
      'logs | project k = status | join (users | project k = id) on k | project k1$0',
      'm',
      /A join renames 'k' to 'k1'/,
    );
  });
});

describe('a rename in a broken query', () => {
  it('changes every use, even in a stage with syntax errors', () => {
    check(
      'logs | extend x$0 = 1 | where x == == | sort by x',
      'y',
      'logs | extend y = 1 | where y == == | sort by y',
    );
  });
});
