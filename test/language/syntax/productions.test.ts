/** Sources, operators and statements, with at least one case each. */
import { describe, it } from 'node:test';
import { check } from './check.ts';

describe('source parsing accepts', () => {
  it('a plain dataset name', () => {
    check('logs', 'logs');
  });

  it('a dataset in single quotes', () => {
    check(
      `['my.logs'] | count`,
      `
        ['my.logs']
        | (count)
      `,
    );
  });

  it('a dataset in double quotes', () => {
    check(
      '["my logs"] | count',
      `
        ['my logs']
        | (count)
      `,
    );
  });

  it('a pipeline in parentheses', () => {
    check(
      '((logs | where a) | take 5) | count',
      `
        {{logs | (where a)} | (take 5)}
        | (count)
      `,
    );
  });

  it('print with named and unnamed values', () => {
    check(`print a = 1, strlen("x"), ['b c'] = 2`, `(print (= a 1) strlen("x") (= ['b c'] 2))`);
  });

  it('datatable with a trailing comma', () => {
    check(
      `datatable (a:string, ['b c']:long) ["x", 1, 'y', -2,] | count`,
      `
        (datatable (a:string ['b c']:long) ["x", 1, "y", (- 2)])
        | (count)
      `,
    );
  });

  it('datatable without values', () => {
    check('datatable(a:string)[]', '(datatable (a:string) [])');
  });

  it('externaldata with files and options', () => {
    check(
      'externaldata (a:string) [@"https://x", "y"] with (format="csv", ignoreFirstRecord=true) | count',
      `
        (externaldata (a:string) ["https://x", "y"] format="csv" ignoreFirstRecord=true)
        | (count)
      `,
    );
  });

  it('union with a wildcard', () => {
    check('union *', '(union ~*)');
  });

  it('union with an option before a table in parentheses', () => {
    check(
      'union withsource=src (logs | take 1), (metrics)',
      '(union withsource=src {{logs | (take 1)}} {{metrics}})',
    );
  });

  it('union with wildcards, quoted wildcards and pipelines', () => {
    check(
      `union withsource=dataset github*, ['a.b']*, (logs | where x) | count`,
      `
        (union withsource=dataset ~github* ~a.b* {{logs | (where x)}})
        | (count)
      `,
    );
  });

  it('search with terms, fields and a negated term', () => {
    check(
      'search "x" and ("a" or uri:"b*") and not "c"',
      '(search (and (and "x" (() (or "a" (: uri "b*")))) (not "c")))',
    );
  });

  it('search in datasets', () => {
    check(
      `search kind=case_sensitive in (github*, ['my.logs']) *`,
      '(search kind=case_sensitive (in ~github* my.logs) *)',
    );
  });

  it('search with a negated field term', () => {
    check(
      'search not field:"x" and f(a)[1:2] == 3',
      '(search (and (not (: field "x")) (== ([:] f(a) 1 2) 3)))',
    );
  });

  it('table(…)', () => {
    check(
      'table("logs") | count',
      `
        (table "logs")
        | (count)
      `,
    );
  });

  it(`Kusto's range as an unknown source, so that it can be reported`, () => {
    check(
      'range x from 1 to 5 step 1 | where x > 2',
      `
        (unknown range)
        | (where (> x 2))
      `,
    );
  });

  it('a source keyword as a dataset name', () => {
    check(
      'print | count',
      `
        print
        | (count)
      `,
    );
  });
});

describe('operator parsing accepts', () => {
  it('where', () => {
    check(
      'logs | where a and b',
      `
        logs
        | (where (and a b))
      `,
    );
  });

  it('named and unnamed items in extend, extend-valid and project', () => {
    check(
      `logs | extend a = 1, ['b c'] = x, strlen(y) | extend-valid z = a | project a, b = c`,
      `
        logs
        | (extend (= a 1) (= ['b c'] x) strlen(y))
        | (extend-valid (= z a))
        | (project a (= b c))
      `,
    );
  });

  it('a list of names for the outputs of one call', () => {
    check(
      'logs | extend (a, b) = f(c)',
      `
        logs
        | (extend (= (a b) f(c)))
      `,
    );
  });

  it('patterns in project-away, project-keep and project-reorder', () => {
    check(
      `logs | project-away a*, ['geo.']*, *_id, ['x y'] | project-keep a | project-reorder b*, c asc, d granny-desc, *`,
      `
        logs
        | (project-away ~a* ~geo.* ~*_id x y)
        | (project-keep a)
        | (project-reorder ~b* (c asc) (d granny-desc) ~*)
      `,
    );
  });

  it('project-rename', () => {
    check(
      `logs | project-rename a = b, ['c d'] = e`,
      `
        logs
        | (project-rename (= a b) (= ['c d'] e))
      `,
    );
  });

  it('summarize with and without aggregates and groups', () => {
    check(
      `logs | summarize count() | summarize by a | summarize n = count(), make_list(x)[0], arg_max(y, *) by bin(_time, 1h), ['k'] = z`,
      `
        logs
        | (summarize count())
        | (summarize (by a))
        | (summarize (= n count()) ([] make_list(x) 0) arg_max(y, *) (by bin(_time, timespan:3600000000000) (= ['k'] z)))
      `,
    );
  });

  it('make-series over a range', () => {
    check(
      'logs | make-series count() on t in range(1, 10, 2) by host',
      `
        logs
        | (make-series count() (on t) (from 1) (to 10) (step 2) (by host))
      `,
    );
  });

  it('make-series with its clauses in any order', () => {
    check(
      'logs | make-series s=avg(x) default=0.5, count() on _time from ago(1d) to now() step 1h by host, y=z | make-series kind=nonempty count() on t step 1m',
      `
        logs
        | (make-series ((= s avg(x)) default 0.5) count() (on _time) (from ago(timespan:86400000000000)) (to now()) (step timespan:3600000000000) (by host (= y z)))
        | (make-series kind=nonempty count() (on t) (step timespan:60000000000))
      `,
    );
  });

  it('sort and order with directions and nulls', () => {
    check(
      'logs | sort by a asc nulls first, b desc, c nulls last | order by d',
      `
        logs
        | (sort (a asc nulls-first) (b desc) (c nulls-last))
        | (order d)
      `,
    );
  });

  it('top', () => {
    check(
      'logs | top 10 by count_ desc, b',
      `
        logs
        | (top 10 (count_ desc) b)
      `,
    );
  });

  it('limit, take, sample, count, getschema', () => {
    check(
      'logs | take 5 | limit 10 * 2 | sample 0.1 | getschema | count',
      `
        logs
        | (take 5)
        | (limit (* 10 2))
        | (sample 0.1)
        | (getschema)
        | (count)
      `,
    );
  });

  it('distinct', () => {
    check(
      'logs | distinct * | distinct a, b',
      `
        logs
        | (distinct *)
        | (distinct a b)
      `,
    );
  });

  it('join with a table, a pipeline in parentheses and a kind', () => {
    check(
      `logs | join T on a | join kind=inner (['b'] | project x) on $left.a == $right.x, id | join kind=leftouter(c) on id`,
      `
        logs
        | (join {T} a)
        | (join kind=inner {{['b'] | (project x)}} (== (. $left a) (. $right x)) id)
        | (join kind=leftouter {{c}} id)
      `,
    );
  });

  it('lookup', () => {
    check(
      `logs | lookup T on a | lookup kind=inner (['t']) on $left.['x.y'] == $right.z`,
      `
        logs
        | (lookup {T} a)
        | (lookup kind=inner {{['t']}} (== (. $left ['x.y']) (. $right z)))
      `,
    );
  });

  it('union of names, wildcards and pipelines', () => {
    check(
      `logs | union withsource=src kind=outer b*, ['c'], (d | take 1), github-*, *`,
      `
        logs
        | (union withsource=src kind=outer ~b* c {{d | (take 1)}} ~github-* ~*)
      `,
    );
  });

  it('search in a stage', () => {
    check(
      'logs | search status == 200 and method matches regex "G.T" or not (uri has "x")',
      `
        logs
        | (search (or (and (== status 200) (matches regex method "G.T")) not((has uri "x"))))
      `,
    );
  });

  it('mv-expand', () => {
    check(
      'logs | mv-expand a | mv-expand kind=bag with_itemindex=i a, b = c to typeof(long), d limit 5 | mv-expand kind',
      `
        logs
        | (mv-expand a)
        | (mv-expand kind=bag with_itemindex=i a ((= b c) to long) d (limit 5))
        | (mv-expand kind)
      `,
    );
  });

  it('parse and parse-where with or without commas', () => {
    check(
      `logs | parse kind=regex flags=Ui uri with * 'a=' a:long ',' ['b c']:string * | parse-where x with region, '-', tenant '-' user`,
      `
        logs
        | (parse kind=regex flags=Ui uri * "a=" a:long "," ['b c']:string *)
        | (parse-where x region "-" tenant "-" user)
      `,
    );
  });

  it('parse-kv', () => {
    check(
      `logs | parse-kv x as (a, b:long, ['c.d']) with (pair_delimiter=',', kv_delimiter='=') | parse-kv y as (z)`,
      `
        logs
        | (parse-kv x (a b:long ['c.d']) pair_delimiter="," kv_delimiter="=")
        | (parse-kv y (z))
      `,
    );
  });

  it('redact', () => {
    check(
      `logs | redact 'a+' | redact replaceToken="*" replaceHash=false 'a+', dynamic(['b']) on uri, ['x.y']`,
      `
        logs
        | (redact "a+")
        | (redact replaceToken="*" replaceHash=false "a+" (dynamic ["b"]) (on uri ['x.y']))
      `,
    );
  });

  it('an unsupported operator, skipping all tokens up to the next stage', () => {
    check(
      'logs | render timechart with (title="x | y") | mv-apply a on (b | c) | take 1',
      `
        logs
        | (unknown render)
        | (unknown mv-apply)
        | (take 1)
      `,
    );
  });

  it('columns named like operators', () => {
    check(
      'logs | project count, where, limit = take | where count > 1',
      `
        logs
        | (project count where (= limit take))
        | (where (> count 1))
      `,
    );
  });
});

describe('statement parsing accepts', () => {
  it('let with a value or a pipeline', () => {
    check(
      `let a = 5; let b = dynamic([1]); let c = ['logs'] | where x; let d = (logs | take 5); let e = datatable(x:long)[1]; let f = print 1; logs`,
      `
        (let a 5)
        (let b (dynamic [1]))
        (let c ['logs']
        | (where x))
        (let d {logs | (take 5)})
        (let e (datatable (x:long) [1]))
        (let f (print 1))
        logs
      `,
    );
  });

  it(`let with a bare name as its value`, () => {
    check(
      'let a = logs; let b = (logs); a',
      `
        (let a logs)
        (let b (() logs))
        a
      `,
    );
  });

  it('set and declare', () => {
    check(
      'set stricttypes; set a = 5; declare query_parameters (d:string = "", e:long=5, f); table(d)',
      `
        (set stricttypes)
        (set a 5)
        (declare (d:string "") (e:long 5) (f))
        (table d)
      `,
    );
  });

  it('several pipelines', () => {
    check(
      'a | count; b | count;',
      `
        a
        | (count)
        b
        | (count)
      `,
    );
  });

  it('empty statements and ignores them', () => {
    check(';;a;;', 'a');
  });

  it('comments anywhere', () => {
    check(
      `
        logs // c | d
        // e "
        | where a // f
        | take 1;
      `,
      `
        logs
        | (where a)
        | (take 1)
      `,
    );
  });

  it('let, set and declare as names', () => {
    check(
      'let | where set == declare',
      `
        let
        | (where (== set declare))
      `,
    );
  });
});
