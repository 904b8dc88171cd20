// Tests resource folders: names, error positions and differences. Tests that apply plans to a
// deployment that changes meanwhile.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { directDispatcher } from '../../client/src/deployments/network.ts';
import { deploymentStore } from '../../client/src/resources/folders/deploymentStore.ts';
import { Service } from '../../client/src/service/service.ts';
import { aplOf, aplText, canStoreInFile } from '../../resources/src/aplText.ts';
import { applySteps } from '../../resources/src/folder/apply.ts';
import { lineDiff } from '../../resources/src/folder/diff.ts';
import { jsonProblem } from '../../resources/src/folder/jsonProblem.ts';
import { readablePart, stemOf, withNumber } from '../../resources/src/folder/names.ts';
import { planApply } from '../../resources/src/folder/plan.ts';
import type { FolderContent } from '../../resources/src/folder/readFolder.ts';
import { call, Processes, type Running } from '../local/processes.ts';

describe('file names', () => {
  it('are resource names if these are safe, and have a digest otherwise', () => {
    assert.equal(stemOf('errors', ['errors'], 'monitor'), 'errors');
    for (const name of ['Errors', 'con', 'COM1', 'é', '🔥', '-a', 'a b', 'x'.repeat(300), '']) {
      const stem = stemOf(name, [name], 'monitor');
      assert.match(stem, /^[a-z0-9][a-z0-9-]*-[0-9a-v]{8}$/);
      assert.ok(stem.length <= 70, stem);
      assert.equal(stemOf(name, [name], 'monitor'), stem);
    }
    assert.notEqual(stemOf('a b', ['a', 'b'], 'x'), stemOf('a b', ['a b'], 'x'));
    assert.equal(readablePart('Größe / Überblick'), 'gro-e-uberblick');
    assert.deepEqual(
      [0, 1, 2].map((index) => withNumber('a', index)),
      ['a', 'a~2', 'a~3'],
    );
  });
});

describe('the reported problem of invalid JSON', () => {
  it('is at the offset where the JSON becomes invalid', () => {
    const at = (text: string) => jsonProblem(text)?.offset;
    assert.equal(at('{"a": 1}'), undefined);
    assert.equal(at(''), 0);
    assert.equal(at('{"a": 1,}'), 8);
    assert.equal(at('{"a": 1 "b": 2}'), 8);
    assert.equal(at('[1, 2'), 5);
    assert.equal(at('{"a": 1}x'), 8);
    assert.equal(at('{"a": 1, "\\u0061": 2}'), 9);
    assert.match(jsonProblem('['.repeat(100_000))?.message ?? '', /nested/);
    for (const long of ['x'.repeat(10_000_000), '\n"'.repeat(2_000_000)])
      assert.equal(jsonProblem(JSON.stringify({ long })), undefined);
  });

  it('exists exactly if JSON.parse throws', () => {
    const seed = '{"name":"a\\n\\u00e9","n":[-1.5e3,0,true,null,{}],"o":{"x":"y"}}';
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    for (let index = 0; index < seed.length; index += 1) {
      for (const insert of ['', '"', ',', '}', '1', '\\', '\n', ' ', ':', '[', '.', '-', 'e']) {
        const text = seed.slice(0, index) + insert + seed.slice(index + (insert === '' ? 1 : 0));
        const problem = jsonProblem(text);
        if (problem?.message.includes('twice')) continue;
        assert.equal(problem === undefined, parses(text), text);
      }
    }
  });
});

describe('APL in a file', () => {
  it('is read back unchanged', () => {
    const about = { dataset: "it's\\a", name: 'two\nlines' };
    for (const apl of ['', 'a', '\n', 'a\n', ' a\n\n', "x = ['y']\n| count", '🔥']) {
      assert.ok(canStoreInFile(apl));
      for (const language of ['query', 'expression'] as const) {
        assert.equal(aplOf(aplText(apl, language, about), language)?.apl, apl);
      }
    }
    for (const apl of ['a\r\nb', '\uFEFFa', '\uD800', 'a\0'])
      assert.equal(canStoreInFile(apl), false);
    assert.equal(aplOf('logs\n| extend ratio = a / b\n', 'expression')?.apl, 'a / b');
    assert.equal(aplOf('a / b\n', 'expression'), undefined);
  });
});

describe('a line diff', () => {
  it('contains the changed lines with their context', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const changed = lines.with(10, 'other').toSpliced(2, 1);
    assert.equal(
      lineDiff(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`),
      [
        '@@ -1 +1 @@',
        ...[' line 0', ' line 1', '-line 2', ' line 3', ' line 4', ' line 5'],
        '@@ -8 +7 @@',
        ...[' line 7', ' line 8', ' line 9', '-line 10', '+other'],
        ...[' line 11', ' line 12', ' line 13'],
      ].join('\n'),
    );
    assert.equal(lineDiff('a\n', 'a\n'), '');
    assert.equal(lineDiff('', 'a\n'), '@@ -1 +1 @@\n+a');
  });
});

describe('a plan', () => {
  let processes: Processes;
  let running: Running;
  const dispatcher = directDispatcher();
  before(async () => {
    processes = await Processes.create();
    running = await processes.start('data');
  });
  after(async () => {
    await dispatcher.destroy();
    await processes.dispose();
  });

  const content = (...thresholds: number[]): FolderContent => ({
    kinds: ['monitors'],
    complete: ['monitors'],
    problems: [],
    unused: [],
    entries: thresholds.map((threshold, index) => {
      const name = `monitor-${index}`;
      const document = { name, type: 'Threshold', aplQuery: 'logs | count', threshold };
      return {
        kind: 'monitors',
        path: `monitors/${name}.json`,
        stem: name,
        key: JSON.stringify([name]),
        document,
      };
    }),
  });
  const store = (signal?: AbortSignal) => {
    const { url, token } = running;
    const service = new Service({ general: url, edge: url, dispatcher, token: async () => token });
    return deploymentStore(service, signal);
  };

  it('fails for a resource that was changed on the deployment meanwhile', async () => {
    const first = await planApply(store(), content(1, 2), { deletes: false });
    assert.deepEqual(
      first.steps.map(({ action }) => action),
      ['create', 'create'],
    );
    await applySteps(store(), first.steps);
    const plan = await planApply(store(), content(10, 20), { deletes: false });
    const list = (await call(running, 'GET', '/v2/monitors')).body;
    const theirs = { name: 'monitor-0', type: 'Threshold', aplQuery: 'logs | count', threshold: 7 };
    await call(running, 'PUT', `/v2/monitors/${list[0].id}`, JSON.stringify(theirs));
    const { results } = await applySteps(store(), plan.steps);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['failed', 'done'],
    );
    assert.match(results[0]?.reason ?? '', /changed on the deployment/);
    const now = (await call(running, 'GET', '/v2/monitors')).body;
    assert.deepEqual(
      now.map((one: { threshold: number }) => one.threshold),
      [7, 20],
    );
  });

  it('does not create a resource that was created meanwhile, but creates several with one name', async () => {
    const twice = ['twin', 'twin~2'].map((stem, index) => ({
      kind: 'monitors' as const,
      path: `monitors/${stem}.json`,
      stem,
      key: JSON.stringify(['twin']),
      document: { name: 'twin', type: 'MatchEvent', aplQuery: 'logs', threshold: index },
    }));
    const folder = { ...content(), entries: twice };
    const [mine, theirs] = [
      await planApply(store(), folder, { deletes: false }),
      await planApply(store(), folder, { deletes: false }),
    ];
    const outcomes = async ({ steps }: typeof mine) =>
      (await applySteps(store(), steps)).results.map(({ outcome, reason }) => [outcome, reason]);
    assert.deepEqual(await outcomes(theirs), [
      ['done', undefined],
      ['done', undefined],
    ]);
    const reason = 'It was created on the deployment after the plan was made. Plan again.';
    assert.deepEqual(await outcomes(mine), [
      ['failed', reason],
      ['failed', reason],
    ]);
    const third = { ...twice[0]!, path: 'monitors/twin~3.json', stem: 'twin~3' };
    const entries = [...twice, { ...third, document: { ...third.document, threshold: 9 } }];
    const more = await planApply(store(), { ...folder, entries }, { deletes: false });
    assert.deepEqual(await outcomes(more), [['done', undefined]]);
  });

  it('applies notifiers before the monitors that refer to them, in any order of steps', async () => {
    const entry = (kind: 'monitors' | 'notifiers', name: string, members: object) => ({
      kind,
      path: `${kind}/${name}.json`,
      stem: name,
      key: JSON.stringify([name]),
      document: { name, ...members },
    });
    const folder: FolderContent = {
      ...content(),
      kinds: ['monitors', 'notifiers'],
      entries: [
        entry('notifiers', 'mail', { properties: { email: { emails: ['a@example.com'] } } }),
        entry('monitors', 'mailing', {
          type: 'MatchEvent',
          aplQuery: 'logs',
          notifierIds: [{ $name: 'mail' }],
        }),
      ],
    };
    const { steps } = await planApply(store(), folder, { deletes: false });
    const { results } = await applySteps(store(), steps.toReversed());
    assert.deepEqual(
      results.map(({ step, outcome, reason }) => [step.kind, outcome, reason]),
      [
        ['notifiers', 'done', undefined],
        ['monitors', 'done', undefined],
      ],
    );
  });

  it('refuses values that the service would reject, and gives the reason', async () => {
    const [entry] = content(1).entries;
    assert.ok(entry);
    const wrong = {
      ...entry,
      document: { ...entry.document, type: 'Sometimes', threshold: 'high' },
    };
    const plan = await planApply(store(), { ...content(), entries: [wrong] }, { deletes: false });
    assert.deepEqual(plan.steps, []);
    assert.equal(
      plan.refused[0]?.reason,
      'type must be one of Threshold, MatchEvent, AnomalyDetection, got "Sometimes". threshold must be a number, got "high".',
    );
  });

  it('stops on cancellation and reports the remaining steps as not done', async () => {
    const plan = await planApply(store(), content(30, 40), { deletes: false });
    const controller = new AbortController();
    const report = await applySteps(store(controller.signal), plan.steps, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    assert.deepEqual(
      report.results.map(({ outcome }) => outcome),
      ['done', 'notDone'],
    );
    assert.equal(report.stopReason, 'Cancelled.');
  });
});
