/**
 * Error recovery: each error is reported once, at its position, and the rest of the query stays intact.
 */
import { describe, it } from 'node:test';
import { checkProblems } from './check.ts';

describe('the parser', () => {
  it('confines an unclosed parenthesis to its stage', () => {
    checkProblems(
      `
        logs
        | where strlen(uri > 10 and status == 200
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected-closing
        | project a
      `,
      `
        logs
        | (where strlen((and (> uri 10) (== status 200)))
        | (project a)
      `,
    );
  });

  it('reads the by clause after an unclosed call', () => {
    checkProblems(
      `
        logs
        | summarize count( by status
                         ^ expected-closing
        | project status
      `,
      `
        logs
        | (summarize count( (by status))
        | (project status)
      `,
    );
  });

  it('ends an unclosed list at the next pipe', () => {
    checkProblems(
      `
        logs | where x in ('a', 'b' | project x
                          ^^^^^^^^^ expected-closing
      `,
      `
        logs
        | (where (in x ["a", "b"]))
        | (project x)
      `,
    );
  });

  it('confines an unclosed parenthesis within a join to its stage', () => {
    checkProblems(
      `
        logs
        | join kind=inner (
            other
            | where f(x == 1
                     ^^^^^^^ expected-closing
            | project b
          ) on id
        | project a
      `,
      `
        logs
        | (join kind=inner {{other | (where f((== x 1)) | (project b)}} id)
        | (project a)
      `,
    );
  });

  it("ends an unclosed join at the first line that isn't indented deeper", () => {
    checkProblems(
      `
        logs
        | join kind=inner (
                          ^ expected-closing
            other
            | where x == 1
        | project a
      `,
      `
        logs
        | (join kind=inner {{other | (where (== x 1))}})
        | (project a)
      `,
    );
  });

  it('reports an extra closing parenthesis once', () => {
    checkProblems(
      `
        logs
        | where f(a)) == 1
                ^^^^^ unmatched-closing
        | project b
      `,
      `
        logs
        | (where f(a))
        | (project b)
      `,
    );
  });

  it("reports a closing bracket that doesn't match the opening bracket", () => {
    checkProblems(
      `
        logs | extend d = dynamic([1,2,3), e = 1 | project x
                                  ^^^^^^ expected-closing
      `,
      `
        logs
        | (extend (= d (dynamic [1, 2, 3])) (= e 1))
        | (project x)
      `,
    );
  });

  it('ends an unclosed string at the end of its line', () => {
    checkProblems(
      `
        logs
        | where a == "x
                     ^^ unterminated-string
        | project b
      `,
      `
        logs
        | (where (== a "x"))
        | (project b)
      `,
    );
  });

  it('reports an unclosed string before a closing parenthesis as a missing quote', () => {
    checkProblems(
      `
        logs
        | where f(a, "x)
                     ^^ missing-quote
        | project b
      `,
      `
        logs
        | (where f(a, "x"))
        | (project b)
      `,
    );
  });

  it('reports a quoted name without its closing bracket', () => {
    checkProblems(
      `
        logs | extend a = ['geo.city' == 1 | project x
                          ^^^^^^^^^^^ expected-closing
      `,
      `
        logs
        | (extend (= a (== ['geo.city'] 1)))
        | (project x)
      `,
    );
  });

  it('reports a quoted name without its closing quote', () => {
    checkProblems(
      `
        logs
        | extend a = ['geo.city == 1, b = 2
                      ^^^^^^^^^^^^^^^^^^^^^ unterminated-string
        | project x
      `,
      `
        logs
        | (extend (= a ['geo.city == 1, b = 2']))
        | (project x)
      `,
    );
  });

  it('reports a missing comma', () => {
    checkProblems(
      `
        logs | project a b c | count
                         ^ expected-comma
      `,
      `
        logs
        | (project a b c)
        | (count)
      `,
    );
  });

  it('reports a duplicate comma and a trailing comma', () => {
    checkProblems(
      `
        logs | project a, , b | extend c = 1, | count
                          ^ expected-expression
                                             ! expected-expression
      `,
      `
        logs
        | (project a _ b)
        | (extend (= c 1))
        | (count)
      `,
    );
  });

  it(`reports a missing pipe at the start of a line`, () => {
    checkProblems(
      `
        logs
        where a == 1
        ^^^^^ missing-pipe
        | extend b = 2
        project c
        ^^^^^^^ missing-pipe
      `,
      `
        logs
        | (where (== a 1))
        | (extend (= b 2))
        | (project c)
      `,
    );
  });

  it('reports a missing pipe within a line', () => {
    checkProblems(
      `
        logs | where a == 1 project c | count
                            ^^^^^^^ missing-pipe
      `,
      `
        logs
        | (where (== a 1))
        | (project c)
        | (count)
      `,
    );
  });

  it('reports a doubled pipe', () => {
    checkProblems(
      `
        logs | | where x || count
              ! double-pipe
                          ! double-pipe
      `,
      `
        logs
        | (unknown _)
        | (where x)
        | (unknown _)
        | (count)
      `,
    );
  });

  it('reports a trailing pipe', () => {
    checkProblems(
      `
        logs | where x |
                        ! missing-operator
      `,
      `
        logs
        | (where x)
        | (unknown _)
      `,
    );
  });

  it('reports an unknown word between two operands', () => {
    checkProblems(
      `
        logs | where method startwith "G" and b | count
                            ^^^^^^^^^ unknown-scalar-operator
      `,
      `
        logs
        | (where (and (startswith method "G") b))
        | (count)
      `,
    );
  });

  it('reports a misspelled operator directly followed by a parenthesis', () => {
    checkProblems(
      `
        logs | where method has_prefix("G") and b | count
                            ^^^^^^^^^^ unknown-scalar-operator
      `,
      `
        logs
        | (where (and (hasprefix method (() "G")) b))
        | (count)
      `,
    );
    checkProblems(
      `
        logs | project method hash(b)
                              ^^^^ expected-comma
      `,
      `
        logs
        | (project method hash(b))
      `,
    );
  });

  it('reports an operator without a left or right operand', () => {
    checkProblems(
      `
        logs | where and x == 1 | where y == | where == 2 or z
                     ^^^ expected-expression
                                            ! expected-expression
                                                     ^^ expected-expression
      `,
      `
        logs
        | (where (and _ (== x 1)))
        | (where (== y _))
        | (where (or (== _ 2) z))
      `,
    );
  });

  it('reports = in a condition and reads it as ==', () => {
    checkProblems(
      `
        logs | where a = 1 and b = 2 | count
                       ^ single-equals
                                 ^ single-equals
      `,
      `
        logs
        | (where (and (== a 1) (== b 2)))
        | (count)
      `,
    );
  });

  it("reports `as name` after the last aggregate and reads it as the aggregate's name", () => {
    checkProblems(
      `
        logs
        | summarize count(), max(load) as highest
                                       ^^^^^^^^^^ name-behind
        | where highest > 1
      `,
      `
        logs
        | (summarize count() (= highest max(load)))
        | (where (> highest 1))
      `,
    );
  });

  it('reports SQL-style `value as name` and reads it as an assignment', () => {
    checkProblems(
      `
        logs
        | summarize count() as requests by status as code
                            ^^^^^^^^^^^ name-behind
                                                  ^^^^^^^ name-behind
        | extend requests / 2 as half, third = 3
                              ^^^^^^^ name-behind
        | project code as a, half
                       ^^^^ name-behind
      `,
      `
        logs
        | (summarize (= requests count()) (by (= code status)))
        | (extend (= half (/ requests 2)) (= third 3))
        | (project (= a code) half)
      `,
    );
  });

  it('reports operators of other languages', () => {
    checkProblems(
      `
        logs | where a == 1 && !isnull(y) and not b | count
                            ^^ foreign-operator
                               ^ foreign-operator
                                              ^^^ bare-not
      `,
      `
        logs
        | (where (and (and (== a 1) (not isnull(y))) (not b)))
        | (count)
      `,
    );
  });

  it('reports dataset and column names that need quotes and brackets', () => {
    checkProblems(
      `
        http-logs | extend geo.city = 1, a-b = 2 | union my-logs
        ^^^^^^^^^ quote-name
                           ^^^^^^^^ quote-name
                                         ^^^ quote-name
                                                         ^^^^^^^ quote-name
      `,
      `
        http-logs
        | (extend (= geo.city 1) (= a-b 2))
        | (union my-logs)
      `,
    );
  });

  it('reports a dataset name in quotes without brackets', () => {
    checkProblems(
      `
        'logs' | take 5
        ^^^^^^ quote-name
      `,
      `
        ['logs']
        | (take 5)
      `,
    );
  });

  it('reports a query that starts with an operator', () => {
    checkProblems(
      `
        where x == 1 | count
        ^^^^^ expected-source
      `,
      `
        _
        | (where (== x 1))
        | (count)
      `,
    );
  });

  it('reports a query that starts with a pipe', () => {
    checkProblems(
      `
        // what to count
        | where x == 1
        ^ expected-source
      `,
      `
        _
        | (where (== x 1))
      `,
    );
  });

  it('reads a string in front of = as a column name', () => {
    checkProblems(
      `
        logs | project "p50 (ms)" = p50, b = "x" == y
                       ^^^^^^^^^^ text-as-name
      `,
      `
        logs
        | (project (= ['p50 (ms)'] p50) (= b (== "x" y)))
      `,
    );
  });

  it('reports a number with several decimal points', () => {
    checkProblems(`
      print f(192.168.1.1)
              ^^^^^^^^^^^ bad-number
    `);
  });

  it('reports text after a dataset', () => {
    checkProblems(
      `
        logs extra words | count
             ^^^^^ unexpected-text
      `,
      `
        logs
        | (count)
      `,
    );
  });

  it("reports text that an operator doesn't accept", () => {
    checkProblems(
      `
        logs | count by x | where a ) b | getschema
                     ^^ unexpected-text
                                  ^^^ unmatched-closing
      `,
      `
        logs
        | (count)
        | (where a)
        | (getschema)
      `,
    );
  });

  it('reports missing keywords, such as `by` in sort', () => {
    checkProblems(
      `
        logs | sort status desc | top 5 status | parse uri 'x' | parse-kv y | join other | lookup T | count
                    ^^^^^^ expected-word
                                        ^^^^^^ expected-word
                                                           ^^^ expected-word
                                                                 ^^^^^^^^ expected-word
                                                                              ^^^^ expected-word
                                                                                           ^^^^^^ expected-word
      `,
      `
        logs
        | (sort (status desc))
        | (top 5 status)
        | (parse uri)
        | (parse-kv y ())
        | (join {other})
        | (lookup {T})
        | (count)
      `,
    );
  });

  it('reports missing operands, tables and patterns of operators', () => {
    checkProblems(
      `
        logs | where | extend | limit | summarize | join on id | parse uri with | mv-expand | count
                    ! expected-expression
                             ! expected-expression
                                     ! expected-expression
                                                 ! expected-expression
                                                         ^^ expected-table
                                                                               ! expected-pattern
                                                                                           ! expected-expression
      `,
      `
        logs
        | (where _)
        | (extend _)
        | (limit _)
        | (summarize _)
        | (join {_} id)
        | (parse uri)
        | (mv-expand _)
        | (count)
      `,
    );
  });

  it('reports make-series without `on`', () => {
    checkProblems(
      `
        logs | make-series count() step 1m | count
                                   ^^^^ expected-word
      `,
      `
        logs
        | (make-series count() (step timespan:60000000000))
        | (count)
      `,
    );
  });

  it("reports a keyword that the operator doesn't accept, such as `by` in join", () => {
    checkProblems(
      `
        logs | join (other | project b) by b | summarize n = count() on c | parse c as 'x' d | sort with d
                                        ^^ expected-word
                                                                     ^^ expected-word
                                                                                    ^^ expected-word
                                                                                                    ^^^^ expected-word
      `,
      `
        logs
        | (join {{other | (project b)}} b)
        | (summarize (= n count()) (by c))
        | (parse c "x" d)
        | (sort d)
      `,
    );
  });

  it('reports a misspelled `and` even inside a misspelled where', () => {
    checkProblems(
      `
        logs | summrize count() by a | wher a ad b | count
                                              ^^ unknown-scalar-operator
      `,
      `
        logs
        | (summrize count() (by a))
        | (wher (and a b))
        | (count)
      `,
    );
  });

  it('reports missing names and types in datatable, project-away and project-rename', () => {
    checkProblems(
      `
        datatable (a:, :long) [1] | project-away a, ,b | project-rename = c | count
                     ^ expected-type
                       ^ expected-name
                                                    ^ expected-name
                                                                        ^ expected-expression
      `,
      `
        (datatable (a) [1])
        | (project-away a b)
        | (project-rename (== _ c))
        | (count)
      `,
    );
  });

  it('reports datatable with a missing opening parenthesis', () => {
    checkProblems(
      `
        datatable a:string [1]
                  ^ expected-opening
      `,
      '(datatable (a:string) [1])',
    );
    checkProblems(
      `
        let t = datatable a:string, b:long) ['x', 1]; t | count
                          ^ expected-opening
      `,
      `
        (let t (datatable (a:string b:long) ["x", 1]))
        t
        | (count)
      `,
    );
  });

  it('reports a datetime string without its closing quote', () => {
    checkProblems(
      `
        logs | where _time > datetime('2022-12-02) and a == 1 | count
                                      ^^^^^^^^^^^ missing-quote
      `,
    );
  });

  it('reports a condition in project-keep and project-away', () => {
    checkProblems(
      `
        logs | project-keep method == 'GET' | project-away a, b > 1 | count
                            ^^^^^^^^^ unexpected-text
                                                              ^^^ unexpected-text
      `,
    );
  });

  it('reports between without parentheses, without an upper bound, and without ..', () => {
    checkProblems(
      `
        logs | where x between 1 .. 2 and y between (1 .. ) and z between (1) | count
                               ^ expected-opening
                                                         ! expected-expression
                                                                            ! expected-word
      `,
      `
        logs
        | (where (and (and (between x 1 2) (between y 1 _)) (between z 1 _)))
        | (count)
      `,
    );
  });

  it('reports arrays and objects outside dynamic(…)', () => {
    checkProblems(
      `
        logs | extend x = {"a": 1}, y = [1, 2] | count
                          ^ bare-dynamic
                                        ^ bare-dynamic
      `,
      `
        logs
        | (extend (= x (dynamic {a: 1})) (= y (dynamic [1, 2])))
        | (count)
      `,
    );
  });

  it('reports broken entries of an object', () => {
    checkProblems(
      `
        print dynamic({a 1, "b": , 2: 3, +: 4}), 1
                         ^ expected-word
                                 ^ expected-expression
                                         ^ expected-key
      `,
      '(print (dynamic {a: 1, b: _, 2: 3, : _}) 1)',
    );
  });

  it('reports a missing semicolon after a let', () => {
    checkProblems(
      `
        let x = 5
        logs | where y == x
        ^^^^ expected-semicolon
      `,
      `
        (let x 5)
        logs
        | (where (== y x))
      `,
    );
  });

  it('reports a missing semicolon between a let and a quoted dataset', () => {
    checkProblems(
      `
        let t = dynamic([1])
        ['logs'] | take 5
        ^ expected-semicolon
      `,
      `
        (let t (dynamic [1]))
        ['logs']
        | (take 5)
      `,
    );
  });

  it('reports a let without a name or a value', () => {
    checkProblems(
      `
        let = 5; let b = ; let c; logs
            ^ expected-name
                        ! expected-expression
                                ! expected-word
      `,
      `
        (let _ 5)
        (let b _)
        (let c _)
        logs
      `,
    );
  });

  it(`reports a user-defined function`, () => {
    checkProblems(
      `
        let f = (x:long) { x + 1 }; logs
                ^ no-functions
      `,
      `
        (let f _)
        logs
      `,
    );
  });

  it('reports a semicolon before a pipe', () => {
    checkProblems(
      `
        ['logs'];
                ^ stray-semicolon
        | where x
      `,
      `
        ['logs']
        | (where x)
      `,
    );
  });

  it('reports malformed numbers, timespans and datetimes', () => {
    checkProblems(
      `
        print 10mn, 0x1G, datetime(2025-13-01), timespan(99:99:99), 99999999999999999999
              ^^^^ bad-number
                    ^^^^ bad-number
                                   ^^^^^^^^^^ bad-datetime
                                                         ^^^^^^^^ bad-timespan
                                                                    ^^^^^^^^^^^^^^^^^^^^ number-range
      `,
      '(print timespan:? long:? datetime:? timespan:? long:?)',
    );
  });

  it('reports invalid characters and curly quotes', () => {
    checkProblems(
      `
        logs | where a == “x” # b | where ‘y’ | count
                          ^^^ curly-quotes
                              ^ bad-character
                                          ^^^ curly-quotes
      `,
      `
        logs
        | (where (== a "x"))
        | (where "y")
        | (count)
      `,
    );
  });

  it('reports a value as the source of a query', () => {
    checkProblems(
      `
        strlen("x") | count
        ^^^^^^^^^^^ lone-expression
      `,
      `
        strlen("x")
        | (count)
      `,
    );
  });

  it('reports a missing property name, or one that starts with a digit', () => {
    checkProblems(
      `
        logs | extend a = b.2, c = d. | count
                            ^ expected-name
                                     ! expected-name
      `,
      `
        logs
        | (extend (= a (. b _)) 2 (= c (. d _)))
        | (count)
      `,
    );
  });

  it('reports matches without regex', () => {
    checkProblems(
      `
        logs | where a matches "x" | count
                               ^^^ expected-word
      `,
      `
        logs
        | (where (matches regex a "x"))
        | (count)
      `,
    );
  });

  it('reports field:"x" in where, because only search supports it', () => {
    checkProblems(
      `
        logs | where a:"x" | count
                      ^ unexpected-text
      `,
      `
        logs
        | (where a)
        | (count)
      `,
    );
  });

  it('keeps the remaining items of a list with an unmatched closing parenthesis', () => {
    checkProblems(
      `
        logs
        | summarize countifid, status == 2), n = count() by bin_auto_time), actor
                    ^^^^^^^^^^^^^^^^^^^^^^^ unmatched-closing
                                                            ^^^^^^^^^^^^^^ unmatched-closing
        | project actor
      `,
      `
        logs
        | (summarize countifid (== status 2) (= n count()) (by bin_auto_time actor))
        | (project actor)
      `,
    );
  });

  it('reports a quoted name without its opening bracket', () => {
    checkProblems(
      `
        logs | where 'geo.city'] == "x" | project 'a b'], c
                     ^^^^^^^^^^^ missing-opening
                                                  ^^^^^^ missing-opening
      `,
      `
        logs
        | (where (== ['geo.city'] "x"))
        | (project ['a b'] c)
      `,
    );
  });

  it('reports a string without its opening quote', () => {
    checkProblems(
      `
        logs | where method == GET' | count
                               ^^^^ missing-quote
      `,
      `
        logs
        | (where (== method GET))
        | (count)
      `,
    );
  });

  it('reports a missing quote even if later strings on the line are closed', () => {
    checkProblems(
      `
        logs
        | extend a = f(['geo.city] == 'New York', 'b'), c = 'd'
                        ^^^^^^^^^ missing-quote
        | count
      `,
      `
        logs
        | (extend (= a f((== ['geo.city'] "New York"), "b")) (= c "d"))
        | (count)
      `,
    );
  });

  it('ends an unclosed string before the next stage on its line', () => {
    checkProblems(
      `
        logs | where a == 'x | project b = 'y', c | take 5
                          ^^ missing-quote
      `,
      `
        logs
        | (where (== a "x"))
        | (project (= b "y") c)
        | (take 5)
      `,
    );
  });

  it('keeps a bracketed name that lacks its opening or closing quote', () => {
    checkProblems(
      `
        ['http-logs] | where a == 'x' | count
         ^^^^^^^^^^ missing-quote
      `,
      `
        ['http-logs']
        | (where (== a "x"))
        | (count)
      `,
    );
    checkProblems(
      `
        logs | where [geo.city'] == 'x' | count
                     ^^^^^^^^^^ missing-quote
      `,
      `
        logs
        | (where (== ['geo.city'] "x"))
        | (count)
      `,
    );
  });

  it('reports an array in dynamic(…) without its opening bracket', () => {
    checkProblems(
      `
        print dynamic('a', 'b']), 1
                      ^^^ missing-opening
      `,
      '(print (dynamic ["a", "b"]) 1)',
    );
  });

  it('reports a missing comma between a name and a bracketed name after a space', () => {
    checkProblems(
      `
        logs | project status ['geo.city'], a[0], b ['c'] | count
                              ^ expected-comma
      `,
      `
        logs
        | (project status ['geo.city'] ([] a 0) b ['c'])
        | (count)
      `,
    );
  });

  it('keeps the query after a let with an unclosed string', () => {
    checkProblems(
      `
        let methods = dynamic(['get', 'post]);
                                      ^^^^^ missing-quote
        ['logs']
        | where method in~ (methods)
      `,
      `
        (let methods (dynamic ["get", "post"]))
        ['logs']
        | (where (in~ method [methods]))
      `,
    );
  });

  it('reports a missing semicolon between a let with a number and a quoted dataset', () => {
    checkProblems(
      `
        let x = 5
        ['logs'] | count
        ^ expected-semicolon
      `,
      `
        (let x 5)
        ['logs']
        | (count)
      `,
    );
  });
});
