/**
 * Every use of a client's string in the deployment, as a row: it sends the string and checks the
 * result. Any other response must be a result or a refusal with a reason.
 */
import assert from 'node:assert/strict';
import { REQUEST_HEADERS } from '../../api/src/index.ts';
import {
  type FunctionRow,
  functions,
  type Parameter,
  quoteName,
  quoteText,
  scalarOperators,
} from '../../language/src/index.ts';
import { ALL_TIMES, type Answer, type Deployment, rowsOf } from './deployment.ts';
import type { Random } from './random.ts';

export interface Place {
  readonly local: Deployment;
  /** A number unique among the strings of a run. */
  readonly id: number;
  readonly below: Random;
}

export type Use = (text: string, place: Place) => Promise<void>;

/**
 * Asserts that a response is not an internal error, that an error has a message without internals,
 * and that the secret isn't in it.
 */
export function check(answer: Answer, what: string): Answer {
  assert.ok(answer.status >= 200 && answer.status < 500, `${what}\n${answer.text.slice(0, 500)}`);
  assert.ok(!answer.text.includes(canarySecret), `${what}\n${answer.text.slice(0, 500)}`);
  if (answer.status >= 400) {
    assert.match(answer.body.message, /\S[\s\S]{5,}$/, what);
    assert.doesNotMatch(answer.body.message, /LINE \d+:|Binder Error|INTERNAL/, what);
  }
  return answer;
}

/** The content of the file that must not be read. */
export const canarySecret = 'the canary sings 7d1f';

async function ask({ local }: Place, apl: string, members: object = {}): Promise<Answer> {
  return check(
    await local.query(apl, { ...ALL_TIMES, ...members }),
    JSON.stringify({ apl, ...members }),
  );
}

/** Returns the first row of a query that must succeed. */
async function row(
  place: Place,
  apl: string,
  members: object = {},
): Promise<Record<string, unknown>> {
  const answer = await ask(place, apl, members);
  assert.equal(answer.status, 200, `${apl}\n${answer.text.slice(0, 300)}`);
  return rowsOf(answer.body.tables[0])[0] ?? {};
}

async function send(place: Place, method: string, path: string, body: object): Promise<Answer> {
  const sent = JSON.stringify(body);
  return check(await place.local.call(method, path, sent), `${method} ${path} ${sent}`);
}

/** Returns whether a string has no lone surrogates, so UTF-8 can represent it. */
function whole(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

const named = (text: string) => whole(text) && [...text].length <= 1024;

const textFunctions = functions.filter((of) =>
  of.signatures.some(({ parameters }) => parameters.some(takesText)),
);

function takesText({ type }: Parameter): boolean {
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

const samples: Readonly<Record<string, string>> = {
  long: '3',
  real: '1.5',
  numeric: '2',
  bool: 'true',
  datetime: 'datetime(2026-01-01)',
  timespan: '1h',
  type: 'typeof(string)',
};

/** Returns a call with the string in every possible parameter, as a constant or from a row. */
function callText(of: FunctionRow, text: string, below: Random): string {
  const { parameters } = of.signatures[below(of.signatures.length)]!;
  const args = parameters.map((parameter) => {
    if (takesText(parameter)) return below(3) === 0 ? 's' : text;
    const type = Array.isArray(parameter.type) ? parameter.type[0] : parameter.type;
    if (type === 'dynamic')
      return below(2) === 0 ? `pack_array(${text}, s)` : `bag_pack(${text}, s)`;
    return samples[String(type)] ?? 's';
  });
  return `${of.name}(${args.join(', ')})`;
}

const textOperators = scalarOperators.filter(({ category }) => category === 'string');

export const uses: Readonly<Record<string, Use>> = {
  'the name of a dataset': async (text, place) => {
    await send(place, 'POST', '/v2/datasets', { name: text, description: text });
    await ask(place, `[${quoteText(text)}] | count`);
    check(
      await place.local.call(
        'GET',
        `/v2/datasets/${encodeURIComponent(Buffer.from(text).toString())}`,
      ),
      text,
    );
  },
  'the name and value of a stored field': async (text, place) => {
    const { local, id } = place;
    const dataset = `hostile-fields-${Math.floor(id / 40)}`;
    const marked = `${text.slice(0, 60)}${id}`;
    const event = { [marked]: text, id };
    await send(place, 'POST', '/v2/datasets', { name: dataset });
    const answer = check(await local.ingest(dataset, [event]), marked);
    const kept = Buffer.byteLength(marked) <= 200 && whole(marked) && !marked.includes('.');
    if (answer.body.ingested !== 1 || !kept || !whole(text)) return;
    const name = `[${quoteText(marked)}]`;
    const found = await row(
      place,
      `['${dataset}'] | where id == ${id} and ${name} == ${quoteText(text)} | project v = ${name}, ${name}`,
    );
    assert.deepEqual(found, { v: text, [marked]: text });
  },
  'an alias': async (text, place) => {
    if (!named(text) || text === '') return;
    const name = quoteName(text);
    const found = await row(
      place,
      `print ${name} = 1 | extend o = ${name} + 1 | summarize ${name} = sum(o) by g = ${name} | sort by ${name} desc`,
    );
    assert.deepEqual(found, { g: 1, [text]: 2 });
  },
  'the name of a let': async (text, place) => {
    if (!named(text) || text === '') return;
    const name = quoteName(text);
    await ask(place, `let ${name} = 5; print x = ${name}`);
    await ask(place, `let ${name} = datatable(a:long) [1]; ${name} | join (${name}) on a`);
  },
  'a text beside an operator': async (text, place) => {
    const operator = textOperators[place.below(textOperators.length)]!.name;
    const right = /in~?$|has_any/.test(operator) ? `(${quoteText(text)}, s)` : quoteText(text);
    await ask(
      place,
      `datatable(s:string) [${quoteText(text)}, "a", ""] | extend x = s ${operator} ${right} | where s ${operator} ${right}`,
    );
  },
  'a text compared': async (text, place) => {
    if (!whole(text)) return;
    const quoted = quoteText(text);
    const found = await row(
      place,
      `datatable(s:string) [${quoted}] | where s == ${quoted} and s in (${quoted}, "other") and s startswith_cs ${quoted} | project s, t = ${quoted}`,
    );
    assert.deepEqual(found, { s: text, t: text });
  },
  'an argument of a function': async (text, place) => {
    const of = textFunctions[place.below(textFunctions.length)]!;
    if (of.kind === 'aggregate') return;
    const call = callText(of, quoteText(text), place.below);
    await ask(place, `datatable(s:string) [${quoteText(text)}, "a"] | project x = ${call}`);
  },
  'an argument of an aggregate': async (text, place) => {
    const name = ['dcount', 'make_list', 'make_set', 'min', 'max', 'topk'][place.below(6)]!;
    const more = name === 'topk' ? ', 3' : '';
    await ask(
      place,
      `datatable(s:string) [${quoteText(text)}, "a"] | summarize ${name}(s${more}) by g = strcat(s, ${quoteText(text)})`,
    );
  },
  'a key of a dynamic value': async (text, place) => {
    if (!whole(text)) return;
    const quoted = quoteText(text);
    const found = await row(
      place,
      `print d = bag_pack(${quoted}, 1), k = ${quoted} | project a = d[${quoted}], b = d[k], c = bag_has_key(d, ${quoted}), e = array_length(bag_keys(d))`,
    );
    assert.deepEqual(found, { a: 1, b: 1, c: true, e: 1 });
  },
  'JSON in a query': async (text, place) => {
    const json = place.below(2) === 0 ? text : JSON.stringify({ [text]: [text] });
    await ask(
      place,
      `print x = parse_json(${quoteText(json)}), y = dynamic({${JSON.stringify(text)}: 1}), z = todynamic(${quoteText(json)})`,
    );
  },
  'a pattern of parse': async (text, place) => {
    const kind = ['simple', 'regex', 'relaxed'][place.below(3)]!;
    const quoted = quoteText(text);
    await ask(
      place,
      `print s = strcat("x", ${quoted}, "7") | parse kind=${kind} s with a ${quoted} b:long`,
    );
    await ask(place, `print s = strcat("x", ${quoted}, "7") | parse-where s with * ${quoted} b`);
  },
  'a delimiter of parse-kv': async (text, place) => {
    const quoted = quoteText(text);
    const key = named(text) && text !== '' ? quoteName(text) : 'k';
    await ask(
      place,
      `print s = strcat("k", ${quoted}, "v") | parse-kv s as (k:string, ${key}:long) with (pair_delimiter=' ', kv_delimiter=${quoted}, quote=${quoted})`,
    );
    await ask(
      place,
      `print s = strcat("k", ${quoted}, "v") | parse-kv s as (k) with (pair_delimiter=${quoted}, kv_delimiter='=')`,
    );
  },
  'a pattern or token of redact': async (text, place) => {
    const quoted = quoteText(text);
    await ask(place, `print s = "aaab" | redact replaceToken=${quoted} 'a+' on s`);
    await ask(
      place,
      `print s = strcat("aaab", ${quoted}) | redact ${place.below(2) === 0 ? 'redactGroups=true ' : ''}${quoted}, '(a)' on s`,
    );
  },
  'a regular expression': async (text, place) => {
    const quoted = quoteText(text);
    const calls = [
      's matches regex P',
      'extract(P, 1, s)',
      'extract_all(P, s)',
      'replace_regex(s, P, "$0")',
      'replace_regex(s, "(a)", P)',
      'countof_regex(P, s)',
      'indexof_regex(s, P)',
      'trim_regex(P, s)',
    ];
    const call = calls[place.below(calls.length)]!;
    const constant = call.replace(/\bP\b/, quoted.replaceAll('$', '$$$$'));
    const fromRow = call.replace(/\bP\b/, 'p');
    await ask(
      place,
      `datatable(s:string, p:string) ["aaaaaaaaaaaaaaaaaaaaaaaaaaa!", ${quoted}, ${quoted}, "("] | extend x = ${place.below(2) === 0 ? constant : fromRow}`,
    );
  },
  'an address or option of externaldata': async (text, place) => {
    const quoted = quoteText(text);
    await ask(place, `externaldata (a:string) [${quoted}] with (format='csv')`);
    await ask(
      place,
      `externaldata (${named(text) && text !== '' ? quoteName(text) : 'a'}:string) ["/nowhere/at/all"] with (format=${quoted}, ignoreFirstRecord=${quoted})`,
    );
  },
  'the name and text of a view': async (text, place) => {
    const name = `${text.slice(0, 100)}${place.id}`;
    const made = await send(place, 'POST', '/v2/views', {
      name,
      aplQuery: place.below(2) === 0 ? text : `print x = ${quoteText(text)}`,
    });
    await ask(place, `[${quoteText(name)}] | count`);
    if (made.status === 200)
      await send(
        place,
        'DELETE',
        `/v2/views/${encodeURIComponent(Buffer.from(made.body.id).toString())}`,
        {},
      );
  },
  'the name and expression of a virtual field': async (text, place) => {
    const name = `${text.slice(0, 100)}${place.id}`;
    const expression = place.below(2) === 0 ? text : `strcat(s, ${quoteText(text)})`;
    const made = await send(place, 'POST', '/v2/vfields', { dataset: 'canary', name, expression });
    await ask(place, `canary | where isnotnull([${quoteText(name)}])`);
    if (made.status === 200)
      await send(
        place,
        'DELETE',
        `/v2/vfields/${encodeURIComponent(Buffer.from(made.body.id).toString())}`,
        {},
      );
  },
  'a cursor, a time, an order': async (text, place) => {
    await ask(place, 'canary | project s', { cursor: text });
    await ask(place, 'canary', { startTime: text });
    await ask(place, 'canary', { defaultOrder: [{ field: text, desc: true }] });
  },
  'a variable': async (text, place) => {
    const found = await row(place, 'declare query_parameters (p:string = ""); print x = p', {
      variables: { p: text, [text]: text },
    });
    if (whole(text)) assert.equal(found['x'], text);
  },
  'a label': async (text, place) => {
    // Headers are ASCII, so other characters are escaped as in JSON.
    const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const label = JSON.stringify({ [`l${text.slice(0, 50)}`]: text }).replace(/[^ -~]/g, escaped);
    const headers = { [REQUEST_HEADERS.eventLabels]: label };
    const dataset = `hostile-labels-${Math.floor(place.id / 40)}`;
    await send(place, 'POST', '/v2/datasets', { name: dataset });
    check(await place.local.ingest(dataset, [{ a: 1 }], { headers }), label);
  },
  'a header and cell of CSV': async (text, place) => {
    const quoted = `"${text.replaceAll('"', '""')}"`;
    const dataset = `hostile-csv-${Math.floor(place.id / 40)}`;
    await send(place, 'POST', '/v2/datasets', { name: dataset });
    for (const csv of [`id,${quoted}\n${place.id},${quoted}\n`, `${text}\n${text}\n`]) {
      check(await place.local.ingest(dataset, csv, { type: 'text/csv' }), csv);
    }
  },
  'a name that is looked for': async (text, place) => {
    const quoted = quoteText(text);
    await ask(
      place,
      `canary | extend x = column_ifexists(${quoted}, "none"), y = ensure_field(${quoted}, typeof(long))`,
    );
    await ask(place, `canary | project-away [${quoted}]*`);
    await ask(place, `union withsource=[${quoted}] canary, [${quoted}]*`);
    await ask(place, `table(${quoted}) | count`);
  },
  'a term of a search': async (text, place) => {
    await ask(place, `search in (canary) ${quoteText(text)}`);
    await ask(place, `canary | search s:${quoteText(text)} or ${quoteText(`*${text}*`)}`);
  },
  'text in the middle of a query': async (text, place) => {
    await ask(place, `canary | where ${text}`);
    await ask(place, text);
  },
};
