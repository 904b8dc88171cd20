// The guide's examples have no problems and run, and so does what it says about Kusto.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { guide } from '../../agents/src/index.ts';
import { SampleReader } from '../../ingest/src/samples/sampleReader.ts';
import { analyzeQuery } from '../../language/src/index.ts';
import { Deployment } from '../local/deployment.ts';

const examples = [...guide.matchAll(/^```apl\n(.*?)^```$/gms)].map(([, query = '']) => query);
const inText = [...guide.matchAll(/^\| [^|]+ \| (.*) \|$/gm)];

describe('the guide', () => {
  let deployment: Deployment;
  before(async () => {
    deployment = await Deployment.open();
    await deployment.dataset('http-logs');
    const settings = { seed: 3, events: 2_000, spanMs: 1_500_000, endMs: Date.now() };
    for await (const { body } of new SampleReader({ kind: 'http-logs', ...settings }).batches()) {
      await deployment.stored('http-logs', Buffer.from(body).toString('utf8'));
    }
  });
  after(() => deployment.close());

  it('has examples without problems, which return rows', async () => {
    assert.ok(examples.length >= 8);
    const range = { startTime: 'now-1h', endTime: 'now' };
    const { body } = await deployment.query("['http-logs'] | getschema", range);
    const { fields, columns } = body.tables[0];
    const column = (name: string): string[] =>
      columns[fields.findIndex((field: { name: string }) => field.name === name)];
    const types = column('ColumnType');
    const known = column('ColumnName').map((name, index) => ({ name, type: types[index] ?? '' }));
    const datasets = [{ name: 'http-logs', fields: known }];
    for (const query of examples) {
      const { problems } = analyzeQuery(query, { datasets, complete: true });
      assert.deepEqual(problems, [], query);
      const answer = await deployment.query(query, range);
      assert.equal(answer.status, 200, `${query}\n${answer.text}`);
      assert.ok(answer.body.tables[0].columns[0].length > 0, query);
    }
  });

  it('writes a dotted field as the checker requires it', () => {
    const [, plain = '', quoted = ''] =
      /^.* dotted field such as (\S+) is one name, in brackets and quotes: (\S+)\. /m.exec(guide) ??
      [];
    const fields = [{ name: plain, type: 'string' }];
    const codes = (name: string) => {
      const query = `logs | summarize requests = count() by ${name}`;
      const schema = { datasets: [{ name: 'logs', fields }], complete: true };
      return analyzeQuery(query, schema).problems.map(({ code }) => code);
    };
    assert.deepEqual(codes(quoted), []);
    assert.deepEqual(codes(plain), ['dotted-column']);
  });

  it('names in its table what Kusto has and APL rejects, and what APL has', () => {
    assert.ok(inText.length > 10);
    const rejected = [
      'percentiles(status, 50)',
      'take_any(status)',
      'toscalar(status)',
      'row_number()',
      'prev(status)',
      'format_datetime(_time, "HH:mm")',
    ];
    for (const call of rejected) {
      const { problems } = analyzeQuery(`logs | extend a = ${call}`);
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error').map(({ code }) => code),
        ['kusto-function'],
        call,
      );
    }
    for (const stage of ['render timechart', 'tail 10', 'mv-apply a on (take 1)', 'serialize']) {
      const { problems } = analyzeQuery(`logs | ${stage}`);
      assert.ok(
        problems.some(({ code }) => code === 'kusto-operator'),
        stage,
      );
    }
    const accepted = [
      'where x startswith_cs "a" and x !startswith "b" and not(x between (1 .. 2))',
      'extend a = dayofyear(_time), b = getyear(_time), c = datetime_part("hour", _time)',
      'where not(x in (other | project x))',
      'union other',
      'summarize max(a), arg_max(a, b), p50 = percentile(a, 50)',
      'extend time = substring(tostring(_time), 11, 5)',
    ];
    for (const stage of accepted) {
      const { problems } = analyzeQuery(`logs | ${stage}`);
      assert.deepEqual(
        problems.filter(({ severity }) => severity === 'error'),
        [],
        stage,
      );
    }
  });
});
