/** What is wrong is told once, where it is, and leaves the rest of the query whole. */
import { describe, it } from 'node:test';
import { checkProblems } from './check.ts';

describe('broken queries', () => {
  it('a bracket without its end costs its own stage', () => {
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

  it('a clause behind an open bracket is still a clause', () => {
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

  it('an open list ends at the next pipe', () => {
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

  it('an open bracket inside a join leaves the join and what follows whole', () => {
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

  it('a join without its closing bracket ends where the lines are no deeper than it', () => {
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

  it('one bracket too many is one problem', () => {
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

  it('another closing bracket than the one that is open', () => {
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

  it('a string ends with its line', () => {
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

  it('a string that swallows a bracket is one problem', () => {
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

  it('a quoted name without its end', () => {
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

  it('a quoted name that lacks its quote', () => {
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

  it('a comma is missing', () => {
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

  it('a comma too many, and one at the end', () => {
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

  it(`a pipe is missing at a line's start`, () => {
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

  it('a pipe is missing within a line', () => {
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

  it('a pipe is doubled', () => {
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

  it('a pipe at the end', () => {
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

  it('an unknown word between two operands', () => {
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

  it('a misspelt operator that touches its bracket, as a function does', () => {
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

  it('an operator without its left side, and without its right', () => {
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

  it('= for ==', () => {
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

  it('a name behind the last value of a summarize without groups is its name too', () => {
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

  it('a name behind its value, as SQL has it, is the name all the same', () => {
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

  it('operators of other languages', () => {
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

  it('names that need their brackets', () => {
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

  it('a dataset in quotes without its brackets', () => {
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

  it('no source', () => {
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

  it('no source but a pipe', () => {
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

  it('a name in quotes alone', () => {
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

  it('a number with more than one point', () => {
    checkProblems(`
      print f(192.168.1.1)
              ^^^^^^^^^^^ bad-number
    `);
  });

  it('text behind a dataset', () => {
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

  it('text that an operator cannot use', () => {
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

  it('words that an operator needs', () => {
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

  it('parts that an operator needs', () => {
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

  it('an aggregate series without its axis', () => {
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

  it('the word of another clause in the place of one', () => {
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

  it('an operator with a wrong letter is read as the one that is meant', () => {
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

  it('names and types that are missing', () => {
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

  it('datatable and externaldata without their brackets', () => {
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

  it('a typed literal whose text lacks a quote', () => {
    checkProblems(
      `
        logs | where _time > datetime('2022-12-02) and a == 1 | count
                                      ^^^^^^^^^^^ missing-quote
      `,
    );
  });

  it('a pattern of columns that goes on as a condition', () => {
    checkProblems(
      `
        logs | project-keep method == 'GET' | project-away a, b > 1 | count
                            ^^^^^^^^^ unexpected-text
                                                              ^^^ unexpected-text
      `,
    );
  });

  it('between without brackets, and without an end', () => {
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

  it('arrays and objects without dynamic', () => {
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

  it('an object with a broken entry', () => {
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

  it('a let without its end', () => {
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

  it('a let without its end before a quoted dataset', () => {
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

  it('a let without its name or value', () => {
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

  it(`a function of one's own`, () => {
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

  it('a semicolon before a pipe', () => {
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

  it('malformed numbers, timespans and times', () => {
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

  it('characters that mean nothing, and curly quotes', () => {
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

  it('a value where a query should be', () => {
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

  it('a property with a dash or a number', () => {
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

  it('a missing second word', () => {
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

  it('a search operator in where', () => {
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

  it('a bracket too many inside of a list leaves the rest of it', () => {
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

  it('a quoted name that lacks its first bracket', () => {
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

  it('a string that lacks its first quote', () => {
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

  it('a string that lacks its last quote, with others behind it on the line', () => {
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

  it('a text without its end ends before the next stage of its line', () => {
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

  it('a name that lacks one of its quotes is still that name', () => {
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

  it('an array in dynamic that lacks its first bracket', () => {
    checkProblems(
      `
        print dynamic('a', 'b']), 1
                      ^^^ missing-opening
      `,
      '(print (dynamic ["a", "b"]) 1)',
    );
  });

  it('a text in brackets behind a blank lacks a comma before it', () => {
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

  it('a string without its end in a let leaves the query behind it whole', () => {
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

  it('a let without its semicolon before a dataset in brackets', () => {
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
