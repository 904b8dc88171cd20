/** Rewrites of a stage or a condition into an equivalent form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refactored, refused } from './marked.ts';

describe('converting project operators', () => {
  it('converts between project and project-keep if all items are plain columns', () => {
    assert.equal(
      refactored('logs | pro$0ject status, method', 'project-keep'),
      'logs | project-keep status, method',
    );
    assert.equal(
      refactored("logs | project-keep ['geo.city'], $0method", 'Convert to project'),
      "logs | project ['geo.city'], method",
    );
    refused('logs | project status, le$0ngth = strlen(method)', 'project-keep');
    refused('logs | project status, ca$0lled = method', 'project-keep');
  });

  it('replaces patterns in project-keep with the matching columns if all columns are known', () => {
    assert.equal(
      refactored('logs | project-keep geo$0*', 'Convert to project'),
      "logs | project ['geo.city'], ['geo.country']",
    );
    refused("['github-push-event'] | project-keep re$0po*", 'explicit columns');
  });

  it('converts project-away to project-keep with the remaining columns', () => {
    assert.equal(
      refactored('users | project-away $0id', 'keep'),
      'users | project-keep name, status',
    );
  });
});

describe('a where stage', () => {
  it('is split at `and` into several stages, on separate lines if the stage starts a line', () => {
    assert.equal(
      refactored('logs\n| where ok and st$0atus > 400 and (method == "GET" or ok)', 'Split'),
      'logs\n| where ok\n| where status > 400\n| where (method == "GET" or ok)',
    );
    assert.equal(refactored('logs | where o$0k and ok', 'Split'), 'logs | where ok | where ok');
  });

  it('keeps its lines and comments when it is split', () => {
    assert.equal(
      refactored('logs\n| where o$0k // good\n  and status > 400', 'Split into 2'),
      'logs\n| where ok // good\n  | where status > 400',
    );
  });

  it('is not split at `or`', () => {
    refused('logs | where o$0k or status > 400', 'Split');
  });

  it('is merged with an adjacent where, and a condition with `or` gets parentheses', () => {
    assert.equal(
      refactored(
        'logs\n| where o$0k or status > 1\n| where status > 400\n| count',
        'following where',
      ),
      'logs\n| where (ok or status > 1) and status > 400\n| count',
    );
    assert.equal(
      refactored('logs | where ok // yes\n| where st$0atus > 4 or ok', 'preceding where'),
      'logs | where ok // yes\nand (status > 4 or ok)',
    );
    refused('logs | where o$0k | extend x = 1 | where ok', 'Merge');
  });
});

describe('comparisons', () => {
  it('become case-insensitive if one side is a lowercased or uppercased value', () => {
    assert.equal(
      refactored("logs | where tolower(method) =$0= 'get'", '=~'),
      "logs | where method =~ 'get'",
    );
    assert.equal(
      refactored("logs | where toupper(met$0hod) != 'GET'", '!~'),
      "logs | where method !~ 'GET'",
    );
    assert.equal(
      refactored("logs | where tolower(met$0hod) in ('get', 'put')", 'in~'),
      "logs | where method in~ ('get', 'put')",
    );
  });

  it("aren't changed if a lowercased value is compared with anything but a lowercase constant", () => {
    refused("logs | where tolower(meth$0od) == 'GET'", 'Compare');
    refused('logs | where tolower(meth$0od) == method', 'Compare');
  });

  it('become between if a column has a lower and an upper bound', () => {
    assert.equal(
      refactored('logs | where status >= 400 a$0nd status <= 499', 'between'),
      'logs | where status between (400 .. 499)',
    );
    assert.equal(
      refactored('logs | where status <= 499 a$0nd status >= 400', 'between'),
      'logs | where status between (400 .. 499)',
    );
    refused('logs | where status > 400 a$0nd status <= 499', 'between');
    refused('logs | where status >= 400 a$0nd duration <= 499', 'between');
  });
});

describe('sorting', () => {
  it('inserts a sort by a computed column after the stage that creates the column', () => {
    assert.equal(
      refactored('logs\n| summarize n = co$0unt() by method', 'Sort by n'),
      'logs\n| summarize n = count() by method\n| sort by n desc',
    );
    assert.equal(
      refactored('logs | summarize cou$0nt() by method | take 3', 'Sort by count_'),
      'logs | summarize count() by method | sort by count_ desc | take 3',
    );
    assert.equal(
      refactored("logs | where ['geo.c$0ity'] != '' // somewhere\n| take 3", 'Sort by'),
      "logs | where ['geo.city'] != '' // somewhere\n| sort by ['geo.city'] desc\n| take 3",
    );
    refused('logs | summarize fo$0o(wait) by method', 'Sort by');
    assert.match(refactored('logs | summarize x = fo$0o(wait) by method', 'Sort by'), /by x desc$/);
  });

  it("isn't offered if a later stage sorts or discards the order", () => {
    refused('logs | where st$0atus > 1 | count', 'Sort by');
    refused('logs | where st$0atus > 1 | sort by method', 'Sort by');
  });

  it('converts sort and take to top, and top to sort and take', () => {
    assert.equal(
      refactored('logs\n| sort by sta$0tus desc, method asc\n| take 5', 'top'),
      'logs\n| top 5 by status desc, method asc',
    );
    assert.equal(
      refactored('logs\n| t$0op 5 by status', 'sort and take'),
      'logs\n| sort by status\n| take 5',
    );
    refused('logs | sort by sta$0tus // worst\n| take 5', 'top');
  });
});

describe('an unquoted dotted name', () => {
  it('is quoted unless it accesses a property of an existing column', () => {
    assert.equal(
      refactored("['github-push-event'] | where geo.ci$0ty.name == 'Lisbon'", 'Name the column'),
      "['github-push-event'] | where ['geo.city.name'] == 'Lisbon'",
    );
    refused('logs | where attributes.us$0er == 1', 'Name the column');
    refused('logs | summarize count() by method | where geo.ci$0ty == 1', 'Name the column');
    refused('let bag = dynamic({"a": 1});\nlogs | extend x = bag.$0a', 'Name the column');
  });
});
