/** The completion context at the cursor, mostly in incomplete queries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeQuery } from '../../language/src/analysis.ts';
import { type Context, callAt, contextAt, operatorAt } from '../../language/src/context.ts';
import { schema, show } from './binding/marked.ts';

function at(marked: string): { context: Context; text: string; offset: number } {
  const offset = marked.indexOf('$0');
  assert.ok(offset >= 0, 'no cursor');
  const text = marked.slice(0, offset) + marked.slice(offset + 2);
  const { bound } = analyzeQuery(text, schema);
  return { context: contextAt(bound, offset), text, offset };
}

/** Formats the context on one line: its kind, the text it replaces, and details of that kind. */
function say(marked: string): string {
  const { context, text } = at(marked);
  const parts: string[] = [context.kind];
  if ('replace' in context && context.replace.end > context.replace.start) {
    parts.push(JSON.stringify(text.slice(context.replace.start, context.replace.end)));
  }
  switch (context.kind) {
    case 'expression':
      if (context.aggregates !== 'refused') parts.push(`aggregates ${context.aggregates}`);
      if (context.expected !== undefined) parts.push(`wants ${context.expected}`);
      if (context.call !== undefined) {
        parts.push(`in ${context.call.name} #${context.call.argument}`);
      }
      if (context.tables) parts.push('tables');
      break;
    case 'afterExpression':
      parts.push(context.type);
      if (!context.operators) parts.push('no operators');
      if (context.unfinished) parts.push('unfinished');
      break;
    case 'source':
      if (context.statements) parts.push('statements');
      break;
    case 'member':
      parts.push(context.path, ...context.keys.map((key) => `.${key}`));
      break;
    case 'text':
      if (context.tables) parts.push('tables');
      else parts.push(context.values.slice(0, 2).join(',') || compared(context));
      break;
    default:
  }
  if ('words' in context && context.words.length > 0) {
    parts.push(`[${context.words.map(({ name }) => name).join(' ')}]`);
  }
  return parts.join(' ');
}

function compared(context: Extract<Context, { kind: 'text' | 'expression' }>): string {
  const { column, operator } = context.compared ?? assert.fail('compared with nothing');
  return `${column.name} ${operator}`;
}

function columnsAt(marked: string): string {
  const { context } = at(marked);
  assert.ok('columns' in context, `${context.kind} has no columns`);
  return show(context.columns);
}

test('the start of a query expects a source or a statement', () => {
  assert.equal(say('$0'), 'source statements');
  assert.equal(say('lo$0'), 'source "lo" statements');
  assert.equal(say("['o$0"), 'source "[\'o" statements');
  assert.equal(say("['o$0']"), 'source "[\'o\']" statements');
  assert.equal(say('let x = 5;\n$0'), 'source statements');
  assert.equal(say('http-lo$0'), 'source "http-lo" statements');
  assert.equal(say('k8s.ev$0 | count'), 'source "k8s.ev" statements');
  assert.equal(say('http-$0\n| count'), 'source "http-" statements');
  assert.equal(say('let x = 5; a-b.c$0'), 'source "a-b.c" statements');
  assert.equal(say('a - b$0'), 'nothing');
  assert.equal(say('logs $0'), 'nothing');
});

test('an operator is expected after a pipe', () => {
  assert.equal(say('logs | $0'), 'operator');
  assert.equal(say("['ds'] | $0"), 'operator');
  assert.equal(say('logs\n| wh$0'), 'operator "wh"');
  assert.equal(say('logs | project-$0'), 'operator "project-"');
  assert.equal(say('logs | project-aw$0'), 'operator "project-aw"');
  assert.equal(say('logs | $0 | count'), 'operator');
  assert.equal(say('logs | where x in (users | $0)'), 'operator');
});

test('a condition in where expects a bool and lists the columns available at the stage', () => {
  assert.equal(say('logs | where $0'), 'expression wants bool');
  assert.equal(say('logs | where sta$0'), 'expression "sta" wants bool');
  assert.equal(say('logs | where status == 1 and $0'), 'expression wants bool');
  assert.equal(say('logs | where (sta$0'), 'expression "sta" wants bool');
  assert.equal(say("logs | where ['ge$0"), 'expression "[\'ge" wants bool');
  assert.equal(columnsAt('users | project id | where $0'), 'id:long');
  assert.equal(
    columnsAt('users | extend a = 1 | where $0 | project b'),
    'id:long name:string status:string a:long',
  );
});

test('columns are still known after a broken or empty stage', () => {
  assert.equal(columnsAt('users | where | project id | sort by $0'), 'id:long');
  assert.equal(
    columnsAt('users | where status == | summarize count() by na$0'),
    'id:long name:string status:string',
  );
});

test("a stray closing bracket doesn't hide the columns of its stage", () => {
  assert.equal(columnsAt('users | where f(id)) == $0'), 'id:long name:string status:string');
  assert.equal(columnsAt('users | project id | where a] and (b) == $0 | count'), 'id:long');
});

test("a position after an operand expects an operator for the operand's type", () => {
  assert.equal(say('logs | where status $0'), 'afterExpression long unfinished');
  assert.equal(say('logs | where status cont$0'), 'afterExpression "cont" long unfinished');
  assert.equal(say("logs | where ['geo.city'] $0"), 'afterExpression string unfinished');
  assert.equal(say('logs | where strlen(method) $0'), 'afterExpression long unfinished');
  assert.equal(say('logs | where status > 5 $0'), 'afterExpression long');
  assert.equal(say('logs | extend x = "a" $0'), 'afterExpression string');
});

test('a comparison expects the type of the column on its left', () => {
  assert.equal(say('logs | where status == $0'), 'expression wants long');
  assert.equal(say('logs | where method in ($0'), 'expression wants string tables');
  assert.equal(say('logs | where method in ("a", $0'), 'expression wants string');
  const { context } = at('logs | where method == $0');
  assert.ok(context.kind === 'expression' && context.compared?.column.name === 'method');
});

test('an argument expects the type of its parameter', () => {
  assert.equal(say('logs | extend x = strlen($0'), 'expression wants string in strlen #0');
  assert.equal(say('logs | extend x = iff(ok, $0)'), 'expression in iff #1');
  assert.equal(
    say('logs | extend x = substring(method, 1, $0'),
    'expression wants long in substring #2',
  );
  assert.equal(say('logs | extend x = strlen(tolower($0'), 'expression wants string in tolower #0');
  assert.equal(say('logs | extend x = nonsense(1, $0'), 'expression in nonsense #1');
});

test('callAt() finds the call even if the offset is inside a string or number argument', () => {
  const callIn = (marked: string) => {
    const { text, offset } = at(marked);
    const call = callAt(analyzeQuery(text).bound, offset);
    return call === undefined
      ? undefined
      : `${call.name} #${call.argument} ${call.parameter?.name}`;
  };
  assert.match(
    String(callIn("logs | extend x = datetime_part('mo$0nth', _time)")),
    /^datetime_part #0/,
  );
  assert.match(
    String(callIn("logs | extend x = datetime_part('month', (_time + $0")),
    /^datetime_part #1/,
  );
  assert.equal(callIn('logs | where status $0'), undefined);
});

test('summarize expects aggregates first, and columns inside an aggregate and after `by`', () => {
  assert.equal(say('logs | summarize $0'), 'expression aggregates allowed');
  assert.equal(say('logs | summarize n = co$0'), 'expression "co" aggregates allowed');
  assert.equal(
    say('logs | summarize avg($0'),
    'expression aggregates inside wants numeric in avg #0',
  );
  assert.equal(
    say('logs | summarize round($0'),
    'expression aggregates allowed wants numeric in round #0',
  );
  assert.equal(say('logs | summarize count() $0'), 'afterExpression long [by]');
  assert.equal(say('logs | summarize count() by $0'), 'expression');
  assert.equal(
    say('logs | summarize count() by bin(_time, $0'),
    'expression wants numeric,timespan in bin #1',
  );
  assert.equal(say('logs | summarize count() by status, $0'), 'expression');
});

test('keywords of an operator are offered in the order of its syntax', () => {
  assert.equal(say('logs | sort $0'), 'word [by]');
  assert.equal(say('logs | sort by $0'), 'expression');
  assert.equal(
    say('logs | sort by status $0'),
    'afterExpression long [asc desc nulls first nulls last]',
  );
  assert.equal(
    say('logs | sort by status d$0'),
    'afterExpression "d" long [asc desc nulls first nulls last]',
  );
  assert.equal(say('logs | sort by status asc nulls $0'), 'word [first last]');
  assert.equal(
    say('logs | sort by nulls $0'),
    'afterExpression unknown [asc desc nulls first nulls last]',
  );
  assert.equal(say('logs | top 5 $0'), 'afterExpression long [by]');
  assert.equal(say('logs | top 5 by $0'), 'expression');
  assert.equal(
    say('logs | make-series count() on _time $0'),
    'afterExpression datetime [from to step by]',
  );
});

test("an operand is expected after an operator's options", () => {
  assert.equal(say('logs | parse kind=relaxed $0'), 'expression');
  assert.equal(say('logs | parse kind=relaxed method $0'), 'afterExpression string [with]');
  assert.equal(say('logs | mv-expand kind=bag with_itemindex=i $0'), 'expression');
  assert.equal(say('logs | mv-expand kind=bag $0'), 'expression [with_itemindex=]');
  assert.equal(say('logs | search kind=case_sensitive $0'), 'expression wants bool');
});

test('inside with (…), the missing options are offered', () => {
  const pairs = 'logs | parse-kv method as (a)';
  assert.equal(say(`${pairs} $0`), 'word [with]');
  assert.equal(say(`${pairs} with ($0)`), 'word [pair_delimiter= kv_delimiter=]');
  assert.equal(
    say(`${pairs} with (pair_delimiter=" ", k$0)`),
    'word "k" [pair_delimiter= kv_delimiter=]',
  );
  assert.equal(say(`${pairs} with (pair_delimiter=$0)`), 'nothing');
  const file = 'externaldata (a:string) ["x"]';
  assert.equal(say(`${file} with ($0`), 'word [format= ignoreFirstRecord=]');
  assert.equal(say(`${file} with (format="csv", ignoreFirstRecord=$0`), 'word [true false]');
});

test('join expects a kind, a dataset, and conditions on both sides', () => {
  assert.match(say('logs | join $0'), /^dataset \[kind=/);
  assert.match(say('logs | join kind=$0'), /^word \[.*\binner\b.*leftouter/);
  assert.match(say('logs | join kind=inn$0'), /^word "inn" \[.*\binner\b/);
  assert.equal(say('logs | join kind=inner $0'), 'dataset');
  assert.equal(say('logs | join us$0'), 'dataset "us" [kind=]');
  assert.equal(say('logs | join ($0'), 'source');
  assert.equal(say('logs | join kind=inner (us$0'), 'source "us"');
  assert.equal(say('logs | join (users | $0) on id'), 'operator');
  assert.equal(say('logs | join users $0'), 'word [on]');
  assert.equal(say('logs | join users on $0'), 'expression');
  const { context } = at('users | project id | join (users | project name) on $0');
  assert.ok(context.kind === 'expression' && context.right !== undefined);
  assert.deepEqual([show(context.columns), show(context.right)], ['id:long', 'name:string']);
  assert.equal(columnsAt('users | project id | join users on $left.$0'), 'id:long');
  assert.equal(
    columnsAt('users | project id | join (users | project name) on $left.id == $right.na$0'),
    'name:string',
  );
});

test('union and search expect datasets', () => {
  assert.match(say('logs | union $0'), /^dataset/);
  assert.match(say('union users, $0'), /^dataset/);
  assert.equal(say('search in ($0'), 'dataset');
  assert.equal(say('search kind=$0'), 'word [default case_insensitive case_sensitive]');
});

test('project operators take column names and new expressions', () => {
  assert.equal(say('logs | project-away $0'), 'column');
  assert.equal(say('logs | project-keep status, me$0'), 'column "me"');
  assert.equal(say('logs | project-rename $0'), 'nothing');
  assert.equal(say('logs | project-rename x = $0'), 'column');
  assert.equal(say('logs | project-reorder status $0'), 'word [asc desc granny-asc granny-desc]');
  assert.equal(say('logs | extend x = $0'), 'expression');
  assert.equal(say('logs | project $0'), 'expression');
  assert.equal(say('logs | distinct $0'), 'expression');
});

test('a dot after a path expects one of its properties', () => {
  assert.equal(say('logs | where geo.$0'), 'member geo');
  assert.equal(say('logs | where geo.ci$0'), 'member "ci" geo');
  assert.equal(say('logs | extend x = strlen(a.b.$0'), 'member a.b');
  const { context, text } = at('logs | where geo.ci$0');
  assert.ok(context.kind === 'member');
  assert.equal(text.slice(context.whole.start, context.whole.end), 'geo.ci');
});

test('a type is expected after a colon and in typeof', () => {
  assert.equal(say('datatable (a:$0'), 'type');
  assert.equal(say('datatable (a:long, b:str$0'), 'type "str"');
  assert.equal(say('datatable ($0'), 'nothing');
  assert.equal(say('declare query_parameters (x:$0'), 'type');
  assert.equal(say("logs | extend x = ensure_field('a', typeof($0"), 'type');
  assert.equal(say('logs | mv-expand tags to $0'), 'word [typeof]');
  assert.equal(say('logs | mv-expand tags to typeof($0'), 'type');
  assert.equal(say("logs | parse method with 'a' x:$0"), 'type');
});

test('strings, numbers, comments and new names offer no completion', () => {
  assert.equal(say('logs | where "a$0'), 'nothing');
  assert.equal(say('logs | take 1$0'), 'nothing');
  assert.equal(say('logs // wh$0'), 'nothing');
  assert.equal(say('logs\n// a\n| $0'), 'operator');
  assert.equal(say('let $0'), 'nothing');
  assert.equal(say('logs | count $0'), 'nothing');
});

test('a string offers values of its parameter or of the column that it is compared with', () => {
  assert.match(say("logs | extend x = datetime_part('$0'"), /^text .*,/);
  assert.equal(say("logs | where method == 'G$0'"), 'text "G" method ==');
  assert.equal(say("logs | where method in ('GET', '$0"), 'text method in');
});

test('a value or a table is expected after let, and an option name after set', () => {
  assert.equal(say('let x = $0'), 'expression tables');
  assert.equal(say('let x = strlen($0'), 'expression wants string in strlen #0');
  assert.equal(say('let x = logs | $0'), 'operator');
  assert.equal(say('set $0'), 'word [stricttypes]');
});

test('inside an index, the properties of the indexed path, join side or constant are offered', () => {
  assert.equal(say("logs | where geo['ci$0']"), 'member "ci" geo');
  assert.equal(say("logs | where geo['ci$0"), 'member "ci" geo');
  const { context, text } = at("logs | where geo['ci$0'] == 1");
  assert.ok(context.kind === 'member');
  assert.equal(text.slice(context.whole.start, context.whole.end), "geo['ci']");
  assert.equal(say('let b = dynamic({"k": 1, "l": 2}); print b.$0'), 'member b .k .l');
  assert.equal(say('let b = dynamic({"k": 1, "l": 2}); print b["$0"]'), 'text k,l');
  assert.equal(say("users | join users on $left['$0']"), 'text id,name');
  assert.equal(say("logs | where tags[0]['$0']"), 'nothing');
});

test('the context of a compared string contains the column and the operator, such as !has or in', () => {
  for (const operator of ['==', '!=', '=~', 'has', '!has', 'contains_cs', '!startswith']) {
    assert.equal(say(`logs | where method ${operator} '$0'`), `text method ${operator}`);
  }
  for (const operator of ['in', '!in', 'in~', '!in~', 'has_any', 'has_any_cs']) {
    assert.equal(say(`logs | where method ${operator} ('$0`), `text method ${operator}`);
  }
  assert.equal(say("logs | where ['geo.city'] == '$0'"), 'text geo.city ==');
  assert.equal(say("logs | where geo.city == '$0'"), 'nothing');
  assert.equal(say("logs | where tolower(method) == '$0'"), 'nothing');
});

test('inside a string argument, columns, tables or option values are offered, depending on the parameter', () => {
  assert.match(say("logs | extend x = column_ifexists('$0', 1)"), /^text \S+,\S+$/);
  assert.match(say("users | extend x = ensure_field('$0"), /^text id,name$/);
  assert.equal(say("table('$0')"), 'text tables');
  assert.equal(say('externaldata (a:string) ["x"] with (format="$0")'), 'text csv,scsv');
});

test('the context of a string contains its quote and verbatim flag, and an unclosed string ends at the cursor', () => {
  const text = (marked: string) => {
    const { context, text } = at(marked);
    assert.ok(context.kind === 'text', context.kind);
    const { quote, verbatim, closed, replace } = context;
    return [text.slice(replace.start, replace.end), quote, verbatim, closed];
  };
  assert.deepEqual(text("logs | where method == 'G$0E' | count"), ['GE', "'", false, true]);
  assert.deepEqual(text('logs | where method == "G$0 | count'), ['G', '"', false, false]);
  assert.deepEqual(text("logs | where method == @'G$0'"), ['G', "'", true, true]);
  assert.equal(say("logs | where method == @$0'G'"), 'nothing');
});

test("a condition is unfinished after a single operand that isn't a bool", () => {
  assert.equal(say('logs | where ok $0'), 'afterExpression bool');
  assert.equal(say('logs | where status == 5 $0'), 'afterExpression long');
  assert.equal(say('logs | where status == 5 and method $0'), 'afterExpression string unfinished');
  assert.equal(say('logs | where (method $0'), 'afterExpression string unfinished');
  assert.equal(say('logs | extend x = method $0'), 'afterExpression string');
  assert.equal(say('logs | where isempty(method) $0'), 'afterExpression bool');
});

test('make-series offers default= after an aggregate', () => {
  assert.equal(
    say('logs | make-series count() $0'),
    'afterExpression long [on from to step by default=]',
  );
  assert.equal(say('logs | make-series count() default=$0'), 'expression');
});

test('operatorAt returns the operator and its clause at the offset', () => {
  const operator = (marked: string) => {
    const { text, offset } = at(marked);
    const found = operatorAt(analyzeQuery(text).bound, offset);
    return found && [found.name, found.clause].filter(Boolean).join(' ');
  };
  assert.equal(operator('logs | top $0'), 'top');
  assert.equal(operator('logs | top 5 by x$0'), 'top by');
  assert.equal(operator('logs | to$0p'), undefined);
  assert.equal(operator('logs | make-series count() on _time from $0'), 'make-series from');
  assert.equal(operator('logs | join (users) on $0'), 'join on');
  assert.equal(operator('logs | join (users | top $0) on id'), 'top');
  assert.equal(operator('externaldata (a:string) ["x"] with ($0'), 'externaldata with');
  assert.equal(operator('logs | where x // to$0p'), undefined);
  assert.equal(operator('logs | nonsense $0'), undefined);
});

test('callAt counts the arguments after the offset if the call is closed', () => {
  const count = (marked: string) => {
    const { text, offset } = at(marked);
    return callAt(analyzeQuery(text).bound, offset)?.count;
  };
  assert.equal(count('print case(a, 1,$0 b, 2, 3)'), 5);
  assert.equal(count('print case(a, f(1, 2$0), 3)'), 2);
  assert.equal(count('print case(a, (1 + $0), [1, 2])'), 3);
  assert.equal(count('print case(a, $0 | count'), 2);
});

test('every offset of a long query has a context whose range contains the offset', () => {
  const query = `let n = 5; // five
logs
| where status in (1, 2) and ['geo.city'] has "x" // and more
| extend a = iff(ok, "1", '2'), b = tags[0:1], c = dynamic({"k": [1]})
| join kind=inner (users | project id) on $left.status == $right.id
| summarize n = count(), make_list(a)[0] by bin(_time, 1h)
| project-reorder n, * asc | take 10`;
  for (let offset = 0; offset <= query.length; offset++) {
    const whole = analyzeQuery(query, schema).bound;
    const cut = analyzeQuery(query.slice(0, offset), schema).bound;
    for (const bound of [whole, cut]) {
      const context = contextAt(bound, offset);
      if (!('replace' in context)) continue;
      assert.ok(context.replace.start <= offset && offset <= context.replace.end, `at ${offset}`);
    }
  }
});
