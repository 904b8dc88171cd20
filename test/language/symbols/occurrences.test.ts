/** Occurrences and definitions of a name, matched by meaning and not by spelling. */
import { describe, it } from 'node:test';
import { checkDefinition, checkOccurrences } from './marked.ts';

describe('occurrences of a column', () => {
  it('include its definition and its uses', () => {
    checkOccurrences(`
logs | extend x$0 = 1 | where x > 1 and status > 2
              ~~~             ^
`);
  });

  it('are found from a use if the cursor is inside or next to the word', () => {
    for (const use of ['$0took2', 'took2$0', 'to$0ok2']) {
      const marks = use.replace(/[^ ]/g, '^');
      checkOccurrences(`
logs | extend took2 = took | where ${use} > 1s
              ~~~~~                ${marks}
`);
    }
  });

  it('end at the stage that creates a new column with the same name', () => {
    checkOccurrences(`
logs | extend x$0 = 1 | summarize x = max(x) by ok | where x > 1
              ~~~                         ^
`);
    checkOccurrences(`
logs | extend x = 1 | summarize x = max(x) by ok | where x$0 > 1
                                ~                        ^^^
`);
  });

  it('end at the stage that renames or overwrites a stored field', () => {
    checkOccurrences(`
logs | where stat$0us > 1 | project-rename code2 = status | where code2 > 1
             ^^^^^^^^                              ^^^^^^
`);
    checkOccurrences(`
logs | where stat$0us > 1 | extend status = tostring(status) | where status == '1'
             ^^^^^^^^                                ^^^^^^
`);
  });

  it('continue through project, distinct, sort and patterns', () => {
    checkOccurrences(`
logs | extend n$0 = 1 | project n, ok | distinct n | project-reorder n asc, * | sort by n
              ~~~               ^                ^                   ^                  ^
`);
  });

  it('include the expression that names an unnamed column', () => {
    checkOccurrences(`
logs | summarize count() by method | where count_$0 > 1 | project count_
                 ~~~~~~~                   ^^^^^^^^               ^^^^^^
`);
  });

  it("include quoted names and a function's string argument", () => {
    checkOccurrences(`
logs | extend ['a b']$0 = 1 | extend c = column_ifexists('a b', 0) + ['a b']
              ~~~~~~~~~                                  ^^^^^       ^^^^^^^
`);
  });
});

describe('occurrences of a column across tables', () => {
  it('exclude a column of the same name on the opposite side of a join', () => {
    checkOccurrences(`
logs | extend n$0 = 1 | join (users | extend n = 2 | project id, m = n) on $left.n == $right.m
              ~~~                                                                ^
`);
    checkOccurrences(`
logs | extend n = 1 | join (users | extend n$0 = 2 | project id, m = n) on $left.n == $right.m
                                           ~~~                       ^
`);
  });

  it('include the numbered name that a join gives to a column of its right side', () => {
    checkOccurrences(`
logs | project status | join (users | where stat$0us == 'a') on $left.status == $right.name | where status1 == 'b'
                                            ^^^^^^^^                                                ^^^^^^^
`);
  });

  it('include a join key on both sides', () => {
    checkOccurrences(`
logs | project key = status | join (users | project key = id) on key$0
               ~~~                                  ~~~          ^^^^^
`);
  });

  it('include a column in all tables of a union', () => {
    checkOccurrences(`
union (logs | extend n = 1), (users | extend n = 2) | where n$0 > 1
                     ~                       ~              ^^^
`);
  });

  it('continue through a table declared by a let', () => {
    checkOccurrences(`
let T = logs | extend n = 1;
                      ~
T | where n$0 > 1 | where ok in (T | where n > 2 | project ok)
          ^^^                              ^
`);
  });

  it('stay within the subquery that defines the column', () => {
    checkOccurrences(`
logs | where status in (users | extend status = id | project stat$0us) | where status > 1
                                       ~~~~~~                ^^^^^^^^
`);
  });
});

describe('occurrences', () => {
  it('include the declaration and uses of a let or a parameter', () => {
    checkOccurrences(`
let n = 5; let m = n$0 + 1;
    ~              ^^^
logs | where status > n | extend s = n
                      ^              ^
`);
    checkOccurrences(`
declare query_parameters (lo$0west:long = 5);
                          ~~~~~~~~
logs | where status > lowest
                      ^^^^^^
`);
  });

  it('exclude a let with the same name as a column', () => {
    checkOccurrences(`
let status = 5; logs | where stat$0us > 1
                             ^^^^^^^^
`);
  });

  it('include all uses of a dataset or a function in the query', () => {
    checkOccurrences(`
lo$0gs | join (logs | project ok) on ok
^^^^^^         ^^^^
`);
    checkOccurrences(`
logs | where strl$0en(method) > strlen('a')
             ^^^^^^^^           ^^^^^^
`);
  });

  it("exclude a joined table's field with the same name as a field missing from the schema", () => {
    checkOccurrences(
      `
logs | where lev$0el == 1 | join (users | where level == 2) on id | project level | sort by level
             ^^^^^^^                                                        ^^^^^           ^^^^^
`,
      { datasets: [] },
    );
  });

  it('are not found in a string, a comment or an operator', () => {
    checkOccurrences("logs | where method == 'stat$0us'");
    checkOccurrences('logs // stat$0us');
    checkOccurrences('logs | whe$0re ok');
  });
});

describe('go to definition', () => {
  it('finds the item that creates the column, in every operator', () => {
    checkDefinition(`
logs | extend x = 1 | where x$0 > 1
              ~
`);
    checkDefinition(`
logs | summarize n = count() by method | where n$0 > 1
                 ~
`);
    checkDefinition(`
logs | summarize avg(status) by method | where avg_status$0 > 1
                 ~~~~~~~~~~~
`);
    checkDefinition(`
logs | parse method with * '=' value:long ' ' * | where valu$0e > 1
                               ~~~~~
`);
    checkDefinition(`
logs | parse-kv method as (user, took2:long) | where us$0er == 'a'
                           ~~~~
`);
    checkDefinition(`
logs | mv-expand with_itemindex=i tag = tags | where $0i > 1
                                ~
`);
    checkDefinition(`
datatable (a:long, b:string) [1, 'x'] | where b$0 == 'x'
                   ~
`);
    checkDefinition(`
union withsource=src logs, users | where sr$0c == 'logs'
                 ~~~
`);
  });

  it('finds the stage that creates a column, not the stages that keep the column', () => {
    checkDefinition(`
logs | extend x = 1 | project x, ok | distinct x | where x$0 > 1
              ~
`);
  });

  it('finds the new name in project-rename, or the original definition from the old name', () => {
    checkDefinition(`
logs | extend x = 1 | project-rename y = x | where y$0 > 1
                                     ~
`);
    checkDefinition(`
logs | extend x = 1 | project-rename y = x$0 | where y > 1
              ~
`);
  });

  it('finds the column in every table of a union', () => {
    checkDefinition(`
union (logs | extend n = 1), (users | extend n = 2) | where n$0 > 1
                     ~                       ~
`);
  });

  it('finds a let, or from inside a redeclared let, the previous let of the same name', () => {
    checkDefinition(`
let T = logs | take 5; let U = T | take 4; U | join (T$0) on ok
    ~
`);
    checkDefinition(`
let n = 5; let n = n$0 + 1; print n
    ~
`);
  });

  it('finds nothing for stored fields, datasets and functions', () => {
    checkDefinition('logs | where stat$0us > 1');
    checkDefinition('lo$0gs | where status > 1');
    checkDefinition('logs | where strl$0en(method) > 1');
  });
});
