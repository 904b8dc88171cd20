/** Runs `aplomb pull` and `aplomb push` as processes, between deployment processes. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseJson, stringifyJson } from '../../api/src/plain.ts';
import { LoopbackServer } from '../client/loopback.ts';
import { call, Processes, type Running } from '../local/processes.ts';
import { needs } from '../platform.ts';
import { bundle, Folder, type Outcome } from './run.ts';

let processes: Processes;
let source: Running;
let folder: Folder;
let targets = 0;

before(async () => {
  processes = await Processes.create();
  source = await processes.start('source');
  folder = new Folder();
  await fill(source);
});
after(async () => {
  await processes.dispose();
  folder.remove();
});

const ENVIRONMENT = { NO_PROXY: '127.0.0.1', APLOMB_TOKEN: undefined };

function aplomb(data: string, ...args: string[]): Promise<Outcome> {
  return folder.run([...args, '--data', join(processes.folder, data)], '', ENVIRONMENT);
}

/** Starts an empty deployment. */
async function empty(): Promise<{ readonly data: string; readonly running: Running }> {
  targets += 1;
  const data = `target-${targets}`;
  return { data, running: await processes.start(data) };
}

async function post(running: Running, path: string, body: object, method = 'POST') {
  const answer = await call(running, method, path, stringifyJson(body));
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function remove({ url, token }: Running, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(url + path, { method: 'DELETE', headers });
  assert.equal(status, 204);
}

const DIGITS = 9_223_372_036_854_775_807n;
/** Members unknown to every version of the client. */
const unknown = {
  zebra: { b: [DIGITS, { __proto__x: 1 }], a: -9_007_199_254_740_993n },
  '10': 'ten',
};

const NAMES = [
  'plain',
  'Plain',
  'PLAIN',
  'con',
  'CON',
  'nul.json',
  '../../etc/passwd',
  'a/b\\c:d*e?f"g<h>i|j',
  '.',
  '..',
  ' leading and trailing. ',
  '-starts-with-a-hyphen',
  '🔥🚒',
  'شبكة \u202Eمقلوب\u202C',
  'e\u0301t\u0301e\u0301',
  'été',
  'x'.repeat(400),
  `${'x'.repeat(400)}y`,
  'tab\tand\nline',
];

async function fill(running: Running): Promise<void> {
  for (const name of ['http-logs', 'traces']) await post(running, '/v2/datasets', { name });
  const email = { emails: ['team@example.com'] };
  const team = await post(running, '/v2/notifiers', { name: 'Team', properties: { email } });
  for (const [index, name] of NAMES.entries()) {
    await post(running, '/v2/monitors', {
      name,
      type: 'Threshold',
      aplQuery: `['http-logs']\n| where n == ${index}\n| count`,
      threshold: index,
      notifierIds: [team.id],
      ...unknown,
    });
  }
  // Names need not be unique, and queries need not be valid content of a text file.
  for (const apl of ["['http-logs'] | count", "['traces'] | count", "['traces']\r\n| count\n"]) {
    await post(running, '/v2/monitors', { name: 'twice', type: 'MatchEvent', aplQuery: apl });
  }
  await post(running, '/v2/dashboards', {
    uid: 'Board_1',
    dashboard: {
      name: 'Ops / Überblick',
      owner: 'X-AXIOM-EVERYONE',
      charts: [
        { id: 'z', type: 'TimeSeries', name: 'Errors', query: { apl: "['traces'] | count" } },
        { id: 'a', type: 'Note', name: 'Errors', text: 'hello', ...unknown },
        { id: 'A', type: 'Table', name: 'Errors', query: { apl: "['traces'] | take 1\n\n" } },
      ],
      layout: [{ i: 'z', x: 0, y: 0, w: 6, h: 4 }],
      refreshTime: 60,
      ...unknown,
    },
  });
  await post(running, '/v2/dashboards', { uid: 'board_1', dashboard: { name: 'Ops / Überblick' } });
  await post(running, '/v2/views', {
    name: 'errors',
    aplQuery: "['http-logs'] | where s > 4",
    ...unknown,
  });
  await post(running, '/v2/views', { name: 'Errors', aplQuery: "['errors'] | count" });
  for (const title of ['v1', 'v2', undefined]) {
    const time = '2026-01-31T08:30:00.123456789Z';
    const annotation = { type: 'deploy', datasets: ['http-logs'], time, ...unknown };
    await post(
      running,
      '/v2/annotations',
      title === undefined ? annotation : { ...annotation, title },
    );
  }
  for (const dataset of ['http-logs', 'traces']) {
    await post(running, '/v2/apl-starred-queries', {
      name: 'slow requests',
      kind: 'apl',
      dataset,
      query: { apl: `['${dataset}'] | top 5 by duration`, queryOptions: { quickRange: '30d' } },
      metadata: { seen: DIGITS },
    });
    await post(running, '/v2/vfields', {
      dataset,
      name: "it's a ratio",
      expression: ' a /\n  b // per cent',
      ...unknown,
    });
  }
  await post(running, '/v2/apl-starred-queries', {
    name: 'of somebody else',
    who: 'usr_other',
    kind: 'apl',
    query: { apl: 'traces' },
  });
  await post(running, '/v2/datasets/http-logs/mapfields', ['geo', 'attributes.custom'], 'PUT');
}

/** Returns the content of each file in a folder, by path. */
function contents(name: string): Record<string, string> {
  const root = join(folder.path, name);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Parses the JSON output of a push. */
function parsed(text: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert its members.
  return parseJson(text) as any;
}

/** Exports the source into a new folder with this name and returns its files. */
async function pulled(name: string): Promise<Record<string, string>> {
  const { status, err } = await aplomb('source', 'pull', name);
  assert.equal(status, 0, err);
  return contents(name);
}

describe('aplomb', () => {
  it('pull and push round-trip to an empty deployment with identical files', async () => {
    const first = await pulled('first');
    const target = await empty();
    const dry = await aplomb(target.data, 'push', 'first', '--dry-run');
    assert.equal(dry.status, 3, dry.err);
    const push = await aplomb(target.data, 'push', 'first');
    assert.equal(push.status, 0, push.out + push.err);
    const second = await aplomb(target.data, 'pull', 'second');
    assert.equal(second.status, 0, second.err);
    assert.deepEqual(contents('second'), first);
    // Neither deployment needs any changes now.
    for (const data of [target.data, 'source']) {
      const again = await aplomb(data, 'push', 'first', '--dry-run', '--delete');
      assert.equal(again.status, 0, again.out);
      assert.match(again.out, /^Plan for the local deployment: \d+ unchanged\.\n$/);
    }
  });

  it('pull writes one file per resource, with names that are safe on every file system', async () => {
    const files = Object.keys(await pulled('names')).filter((path) => path !== '.gitattributes');
    for (const path of files)
      assert.match(
        path,
        /^(?:[a-z-]+\/)?[a-z0-9-]+(?:~\d+)?(?:\.[a-z0-9-]+(?:~\d+)?)?\.(?:json|apl)$/,
      );
    const lower = new Set(files.map((path) => path.toLowerCase()));
    assert.equal(lower.size, files.length);
    assert.ok(files.every((path) => (path.split('/')[1] ?? '').length < 200));
    assert.ok(!files.some((path) => /\/(?:con|nul)\./.test(path)));
    const monitors = files.filter((path) => /^monitors\/.*\.json$/.test(path));
    assert.equal(monitors.length, NAMES.length + 3);
    assert.ok(files.includes('monitors/plain.json') && files.includes('monitors/plain.apl'));
  });

  it('pull keeps unknown properties and every digit of numbers, and omits properties set by the service', async () => {
    const files = await pulled('digits');
    const monitor = parseJson(files['monitors/plain.json'] ?? '') as Record<string, unknown>;
    assert.deepEqual(monitor['zebra'], unknown.zebra);
    assert.deepEqual(monitor['notifierIds'], [{ $name: 'Team' }]);
    for (const member of ['id', 'createdAt', 'createdBy']) assert.ok(!(member in monitor), member);
    assert.match(files['monitors/plain.json'] ?? '', /9223372036854775807/);
    assert.equal(files['monitors/plain.apl'], "['http-logs']\n| where n == 0\n| count\n");
    const { out } = await aplomb('source', 'pull', 'digits');
    assert.match(out, /Files: 0 created, 0 changed/);
    assert.match(out, /Left out, because the service sets them: createdAt, createdBy, id, /);
  });

  it("pull writes a virtual field's expression as a query that `aplomb check` accepts", async () => {
    const files = await pulled('expression');
    const [path = ''] = Object.keys(files).filter((name) =>
      /^virtual-fields\/http.*apl$/.test(name),
    );
    assert.equal(
      files[path],
      "['http-logs']\n| extend ['it\\'s a ratio'] =  a /\n  b // per cent\n",
    );
    const { status, out } = await folder.run(['check', 'expression']);
    assert.equal(status, 0, out);
  });

  it("pull doesn't rename existing files when a resource is created or deleted", async () => {
    const target = await empty();
    await pulled('stable');
    await aplomb(target.data, 'push', 'stable');
    const before = contents('stable');
    const made = await post(target.running, '/v2/monitors', {
      name: 'Comes',
      type: 'Threshold',
      aplQuery: 'traces | count',
    });
    const come = await aplomb(target.data, 'pull', 'stable');
    assert.match(come.out, /Files: 2 created, 0 changed/);
    await remove(target.running, `/v2/monitors/${made.id}`);
    const gone = await aplomb(target.data, 'pull', 'stable');
    assert.match(
      gone.out,
      /Kept, although their resources are gone:\n {2}monitors\/comes-\w+\.apl\n/,
    );
    await aplomb(target.data, 'pull', 'stable', '--delete');
    assert.deepEqual(contents('stable'), before);
  });

  it('push shows changes, finds a renamed resource by its file, and deletes only with --delete', async () => {
    const target = await empty();
    await pulled('edited');
    await aplomb(target.data, 'push', 'edited');
    const list = async () => (await call(target.running, 'GET', '/v2/monitors')).body;
    const of = async (name: string) =>
      (await list()).find((one: { name: string }) => one.name === name);
    const { id } = await of('plain');
    const json = join(folder.path, 'edited/monitors/plain.json');
    writeFileSync(json, readFileSync(json, 'utf8').replace('"plain"', '"renamed"'));
    writeFileSync(
      join(folder.path, 'edited/monitors/plain.apl'),
      "['http-logs']\n| where n > 7\n| count\n",
    );
    rmSync(join(folder.path, 'edited/views/errors.json'));
    const dry = await aplomb(target.data, 'push', 'edited', '--dry-run');
    assert.equal(dry.status, 3);
    assert.match(dry.out, /^~ monitors\/plain\.json: change monitor "renamed"$/m);
    assert.match(dry.out, /^- {2}"name": "plain",\n\+ {2}"name": "renamed",$/m);
    assert.match(dry.out, /^-\| where n == 0\n\+\| where n > 7$/m);
    assert.match(dry.out, /without a file, and kept:\n {2}view "errors"\n/);
    assert.match(dry.out, /No JSON file refers to:\n {2}views\/errors\.apl/);
    assert.equal((await of('plain')).id, id, 'A dry run has changed something.');
    const push = await aplomb(target.data, 'push', 'edited');
    assert.equal(push.status, 0, push.out);
    assert.match(push.out, /^changed monitor "renamed" \(monitors\/plain\.json\)$/m);
    assert.equal((await of('renamed')).id, id);
    // The file still has the first name, which no resource of the deployment has.
    writeFileSync(json, readFileSync(json, 'utf8').replace('"renamed"', '"renamed again"'));
    const second = await aplomb(target.data, 'push', 'edited');
    assert.match(second.out, /^changed monitor "renamed again" \(monitors\/plain\.json\)$/m);
    assert.equal((await of('renamed again')).id, id);
    const view = () => call(target.running, 'GET', '/v2/views/errors');
    assert.equal((await view()).status, 200);
    const deletes = await aplomb(target.data, 'push', 'edited', '--delete');
    assert.match(deletes.out, /^deleted view "errors"/m);
    assert.equal((await view()).status, 404);
  });

  it('pull follows a rename of a resource or its file, so push accepts the folder', async () => {
    const target = await empty();
    await pulled('renamed');
    await aplomb(target.data, 'push', 'renamed');
    const at = (path: string) => join(folder.path, 'renamed', path);
    const json = at('monitors/plain.json');
    writeFileSync(json, readFileSync(json, 'utf8').replace('"plain"', '"first"'));
    renameSync(at('views/errors.json'), at('views/Errors.json'));
    assert.equal((await aplomb(target.data, 'push', 'renamed')).status, 0);
    const pull = await aplomb(target.data, 'pull', 'renamed');
    assert.equal(pull.status, 0, pull.out);
    assert.equal(existsSync(at('monitors/first.json')), false);
    assert.match(readFileSync(json, 'utf8'), /"name": "first"/);
    assert.equal(existsSync(at('views/errors.json')), false);
    const same = await aplomb(target.data, 'push', 'renamed', '--dry-run');
    assert.equal(same.status, 0, same.out);
    // The file with that name belongs to the new resource from now on.
    const other = { name: 'plain', type: 'Threshold', aplQuery: 'traces | count' };
    await post(target.running, '/v2/monitors', other);
    const again = await aplomb(target.data, 'pull', 'renamed');
    assert.equal(again.status, 0, again.out);
    assert.match(readFileSync(json, 'utf8'), /"name": "plain"/);
    assert.match(readFileSync(at('monitors/first.json'), 'utf8'), /"name": "first"/);
    assert.equal((await aplomb(target.data, 'push', 'renamed', '--dry-run')).status, 0);
    // The JSON file still refers to the APL file's old name.
    for (const ending of ['json', 'apl'])
      renameSync(at(`monitors/first.${ending}`), at(`monitors/moved.${ending}`));
    const repaired = await aplomb(target.data, 'pull', 'renamed');
    assert.equal(repaired.status, 0, repaired.out);
    assert.equal(existsSync(at('monitors/first.json')), false);
    assert.match(readFileSync(at('monitors/moved.json'), 'utf8'), /"moved\.apl"/);
    assert.equal((await aplomb(target.data, 'push', 'renamed', '--dry-run')).status, 0);
  });

  it('push neither reverts nor deletes changes by others without --overwrite', async () => {
    const target = await empty();
    await pulled('stale');
    await aplomb(target.data, 'push', 'stale');
    const monitor = async (name: string) =>
      (await call(target.running, 'GET', '/v2/monitors')).body.find(
        (one: { name: string }) => one.name === name,
      );
    const set = async (name: string, members: object) => {
      const { id, createdAt: _, createdBy: __, ...rest } = await monitor(name);
      await post(target.running, `/v2/monitors/${id}`, { ...rest, ...members }, 'PUT');
    };
    const edit = (name: string, from: string, to: string) => {
      const path = join(folder.path, 'stale/monitors', `${name}.json`);
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
    };
    const [theirs = '', both = '', mine = ''] = Object.keys(contents('stale'))
      .filter((path) => /^monitors\/(?:plain|e-te)[^.]*\.json$/.test(path))
      .map((path) => path.slice('monitors/'.length, -'.json'.length))
      .sort();
    const nameOf = (stem: string) =>
      JSON.parse(contents('stale')[`monitors/${stem}.json`] ?? '').name as string;
    await set(nameOf(theirs), { threshold: 101 });
    await set(nameOf(both), { threshold: 102 });
    const threshold = (stem: string) =>
      JSON.parse(contents('stale')[`monitors/${stem}.json`] ?? '').threshold as number;
    edit(both, `"threshold": ${threshold(both)}`, '"threshold": 202');
    edit(mine, `"threshold": ${threshold(mine)}`, '"threshold": 203');
    const created = { name: 'Somebody else', type: 'MatchEvent', aplQuery: 'traces' };
    await post(target.running, '/v2/monitors', created);

    const dry = await aplomb(target.data, 'push', 'stale', '--dry-run', '--delete');
    assert.equal(dry.status, 1, dry.out);
    assert.match(dry.out, /1 to change, \d+ unchanged, 3 in conflict\./);
    const line = (stem: string, where: string) =>
      `! monitors/${stem}.json: monitor ${JSON.stringify(nameOf(stem))} is in conflict. It was changed ${where} since the export.\n`;
    assert.ok(dry.out.includes(line(theirs, 'on the deployment')), dry.out);
    assert.ok(dry.out.includes(line(both, 'on the deployment and in the folder')), dry.out);
    assert.match(dry.out, /^-.*"threshold": 102,\n\+.*"threshold": 202,$/m);
    assert.match(
      dry.out,
      /monitor "Somebody else" is in conflict and is not deleted\. It was created or changed on the/,
    );
    assert.match(dry.err, /Conflicts are not applied\. .*--overwrite/);

    const push = await aplomb(target.data, 'push', 'stale', '--yes', '--delete');
    assert.equal(push.status, 1, push.out);
    const thresholds = async () =>
      Promise.all(
        [theirs, both, mine].map(async (stem) => (await monitor(nameOf(stem))).threshold),
      );
    assert.deepEqual(await thresholds(), [101, 102, 203]);
    assert.ok(await monitor('Somebody else'));
    // The applied version is recorded, so the next change isn't a conflict.
    edit(mine, '"threshold": 203', '"threshold": 204');
    await aplomb(target.data, 'push', 'stale', '--yes');
    assert.deepEqual(await thresholds(), [101, 102, 204]);

    // An export adopts the deployment's state, so nothing is in conflict afterwards.
    cpSync(join(folder.path, 'stale'), join(folder.path, 'fresh'), { recursive: true });
    await aplomb(target.data, 'pull', 'fresh');
    const clean = await aplomb(target.data, 'push', 'fresh', '--dry-run', '--delete');
    assert.equal(clean.status, 0, clean.out);

    const overwrite = await aplomb(target.data, 'push', 'stale', '--overwrite', '--delete');
    assert.equal(overwrite.status, 0, overwrite.out);
    assert.deepEqual(await thresholds(), [threshold(theirs), 202, 204]);
    assert.equal(await monitor('Somebody else'), undefined);
    const done = await aplomb(target.data, 'push', 'stale', '--dry-run', '--delete');
    assert.equal(done.status, 0, done.out);
  });

  it('push --format json prints the plan and the report as one document, with both sides of each difference', async () => {
    const target = await empty();
    await pulled('json');
    const push = (...args: string[]) => aplomb(target.data, 'push', 'json', ...args);
    await push();
    const file = (path: string) => join(folder.path, 'json', path);
    const edit = (path: string, from: string, to: string) =>
      writeFileSync(file(path), readFileSync(file(path), 'utf8').replace(from, to));
    edit('monitors/plain.json', '"threshold": 0', '"threshold": 5');
    rmSync(file('views/errors.json'));
    const dry = await push('--dry-run', '--delete', '--format', 'json');
    assert.equal(dry.status, 3, dry.err);
    const plan = parsed(dry.out);
    assert.deepEqual([plan.version, plan.target], [1, 'the local deployment']);
    const [change, removal] = plan.steps;
    assert.deepEqual(change.differences, [
      { path: ['threshold'], base: 0, folder: 5, deployment: 0 },
    ]);
    assert.deepEqual([change.folder.zebra, change.hasBase], [unknown.zebra, true]);
    assert.deepEqual(
      [change, removal].map(({ action, kind, path, resource }) => [action, kind, path, resource]),
      [
        ['change', 'monitors', 'monitors/plain.json', 'monitor "plain"'],
        ['delete', 'views', 'views/errors.json', 'view "errors"'],
      ],
    );
    const { unchanged, ...counts } = plan.summary;
    assert.ok(unchanged > 20);
    assert.deepEqual(counts, { create: 0, change: 1, delete: 1, conflicts: 0, refused: 0 });
    assert.ok(!('results' in plan));

    const done = parsed((await push('--format', 'json')).out);
    assert.deepEqual(done.results, [{ path: 'monitors/plain.json', outcome: 'done' }]);
    edit('monitors/plain.json', '"threshold": 5', '"threshold": oops');
    const broken = await push('--format', 'json');
    assert.equal(broken.status, 1);
    const { problems } = JSON.parse(broken.out);
    assert.match(problems[0].message, /Expected a value/);
    assert.equal(problems[0].path, 'monitors/plain.json');
    assert.match((await push('--format', 'xml')).err, /--format must be one of text, json/);
  });

  it('push reads the originally exported value of a conflict from an earlier Git commit', async () => {
    const target = await empty();
    await pulled('sides');
    const at = join(folder.path, 'sides');
    const push = (...args: string[]) => aplomb(target.data, 'push', 'sides', ...args);
    await push();
    const git = (...args: string[]) => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      execFileSync('git', ['-C', at, ...who, ...args], { stdio: 'ignore' });
    };
    git('init');
    git('add', '.');
    git('commit', '-m', 'Export');
    const monitors = (await call(target.running, 'GET', '/v2/monitors')).body;
    const {
      id,
      createdAt: _,
      createdBy: __,
      ...plain
    } = monitors.find(({ name }: { name: string }) => name === 'plain');
    const theirs = { ...plain, threshold: 102, aplQuery: "['http-logs'] | count" };
    await post(target.running, `/v2/monitors/${id}`, theirs, 'PUT');
    const path = join(at, 'monitors/plain.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"threshold": 0', '"threshold": 202'));
    git('commit', '-am', 'Raise the threshold');
    const dry = await push('--dry-run');
    assert.match(
      dry.out,
      /^ {2}threshold\n {4}exported: {3}0\n {4}folder: {5}202\n {4}deployment: 102$/m,
    );
    const query = JSON.stringify(plain.aplQuery);
    assert.ok(dry.out.includes(`  aplQuery\n    exported:   ${query}\n    folder:     ${query}\n`));
    const [conflict] = parsed((await push('--dry-run', '--format', 'json')).out).conflicts;
    assert.deepEqual([conflict.conflict, conflict.hasBase], ['both', true]);
    assert.deepEqual(
      conflict.differences.find(({ path: [name] }: { path: string[] }) => name === 'threshold'),
      { path: ['threshold'], base: 0, folder: 202, deployment: 102 },
    );
    rmSync(join(at, '.git'), { recursive: true });
    const without = await push('--dry-run');
    assert.match(without.out, /^ {2}threshold\n {4}exported: {3}unknown\n {4}folder: {5}202$/m);
  });

  it("push without aplomb.lock.json reports that conflicts can't be detected, and recreates the file", async () => {
    const target = await empty();
    await pulled('older');
    await aplomb(target.data, 'push', 'older');
    const lock = join(folder.path, 'older/aplomb.lock.json');
    rmSync(lock);
    const path = join(folder.path, 'older/monitors/plain.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"threshold": 0', '"threshold": 5'));
    const push = await aplomb(target.data, 'push', 'older');
    assert.equal(push.status, 0, push.out);
    assert.match(push.out, /no aplomb\.lock\.json, so changes that others made/);
    const again = contents('older')['aplomb.lock.json'];
    await aplomb(target.data, 'pull', 'older');
    assert.equal(contents('older')['aplomb.lock.json'], again);
  });

  it('push reports invalid files with line and column, and applies nothing', async () => {
    const target = await empty();
    await pulled('bad');
    const at = (path: string) => join(folder.path, 'bad', path);
    writeFileSync(at('monitors/plain.json'), '{\n  "name": "plain",\n  "type": oops\n}\n');
    writeFileSync(at('monitors/con-copy.json'), readFileSync(at('views/errors.json')));
    cpSync(at('views/errors.json'), at('views/copy.json'));
    const text = readFileSync(at('map-fields/http-logs.json'), 'utf8');
    writeFileSync(
      at('map-fields/http-logs.json'),
      `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`,
    );
    const [annotation = ''] = Object.keys(contents('bad')).filter((path) =>
      path.startsWith('annotations/'),
    );
    writeFileSync(at(annotation), '{\n  "type": "deploy",\n  "type": "deploy"\n}\n');
    const [board = ''] = Object.keys(contents('bad')).filter((path) =>
      /^dashboards\/.*\.apl$/.test(path),
    );
    rmSync(at(board));
    const [query = ''] = Object.keys(contents('bad')).filter((path) =>
      /^saved-queries\/.*\.apl$/.test(path),
    );
    writeFileSync(at(query), "['traces']\n| where (\n");
    const { status, out, err } = await aplomb(target.data, 'push', 'bad');
    assert.equal(status, 1, out);
    assert.match(out, /^bad\/monitors\/plain\.json:3:11: Expected a value, but found 'o'\.$/m);
    assert.match(
      out,
      /^bad\/views\/copy\.json:\d+:\d+: .*errors\.apl is referred to twice|^bad\/views\/errors\.json:\d+:\d+: .*referred to twice/m,
    );
    assert.match(
      out,
      /^bad\/map-fields\/http-logs\.json:1:1: The file has the marks of a merge conflict/m,
    );
    assert.match(out, new RegExp(`^bad/${annotation}:3:3: The member "type" appears twice`, 'm'));
    assert.match(
      out,
      new RegExp(`^bad/dashboards/.*\\.json:\\d+:\\d+: The file ${board} does not exist`, 'm'),
    );
    assert.match(out, new RegExp(`^bad/${query}:2:\\d+: Expected `, 'm'));
    assert.match(err, /Nothing was applied/);
    assert.deepEqual((await call(target.running, 'GET', '/v2/monitors')).body, []);
    assert.deepEqual((await call(target.running, 'GET', '/v2/datasets')).body, []);
  });

  for (const [answer, input] of [
    ['no', 'n\r'],
    ['Ctrl+C', '\x03'],
    ['Ctrl+D', '\x04'],
  ] as const)
    it(`push to another machine applies nothing after the answer ${answer}, and exits like a cancelled run`, {
      skip: !existsSync('/usr/bin/script') && 'There is no script command, which opens a terminal.',
    }, async () => {
      const { running } = await empty();
      await pulled('asked');
      // The second address is never used, but isn't on this machine.
      const to = ['--url', running.url, '--edge-url', 'https://edge.example'];
      const line = [process.execPath, bundle, 'push', 'asked', ...to];
      const terminal = spawn(
        '/usr/bin/script',
        ['--quiet', '--return', '--command', line.join(' '), '/dev/null'],
        {
          cwd: folder.path,
          env: { ...process.env, NO_PROXY: '127.0.0.1', APLOMB_TOKEN: running.token },
          stdio: 'pipe',
        },
      );
      let shown = '';
      const status = await new Promise((resolve, reject) => {
        let isAnswered = false;
        terminal.stdout.setEncoding('utf8').on('data', (text) => {
          shown += text;
          if (isAnswered || !shown.includes('[y/N]')) return;
          isAnswered = true;
          terminal.stdin.write(input);
        });
        terminal.once('error', reject).once('close', resolve);
      });
      assert.equal(status, 130, shown);
      assert.match(shown, /Nothing was applied\./);
      assert.doesNotMatch(shown, /--help|at .*:\d+:\d+/);
      assert.deepEqual((await call(running, 'GET', '/v2/monitors')).body, []);
    });

  it('push reports two files for the same resource', async () => {
    await pulled('two');
    const at = (path: string) => join(folder.path, 'two', path);
    const copy = readFileSync(at('views/errors.json'), 'utf8').replace('errors.apl', 'copy.apl');
    writeFileSync(at('views/copy.json'), copy);
    cpSync(at('views/errors.apl'), at('views/copy.apl'));
    const { status, out } = await aplomb('source', 'push', 'two', '--dry-run');
    assert.equal(status, 1);
    assert.match(out, /^two\/views\/copy\.json:1:1: The same view is in views\/errors\.json\./m);
  });

  it('pull and push neither follow links nor read files outside the folder', {
    skip: needs.links,
  }, async () => {
    await pulled('links');
    folder.files({ 'secret.apl': "['secret']\n" });
    const at = (path: string) => join(folder.path, 'links', path);
    const json = readFileSync(at('views/errors.json'), 'utf8');
    writeFileSync(at('views/errors.json'), json.replace('"errors.apl"', '"../../secret.apl"'));
    const outside = await aplomb('source', 'push', 'links', '--dry-run');
    assert.equal(outside.status, 1);
    assert.match(outside.out, /"\$file" must be the name of an \.apl file/);
    writeFileSync(at('views/errors.json'), json);
    rmSync(at('views/errors.apl'));
    symlinkSync('../../secret.apl', at('views/errors.apl'));
    for (const command of ['push', 'pull']) {
      const { status, err } = await aplomb('source', command, 'links');
      assert.equal(status, 1);
      assert.match(err, /views\/errors\.apl is a link/);
    }
  });

  it('push continues after a rejected step, and the next push applies that step', async () => {
    const target = await empty();
    await pulled('again');
    // A dataset with the same name hides a view, so the service refuses the view.
    await post(target.running, '/v2/datasets', { name: 'errors' });
    const first = await aplomb(target.data, 'push', 'again');
    assert.equal(first.status, 1, first.out);
    assert.match(first.out, /^failed: create view "errors" \(views\/errors\.json\)\. .+$/m);
    assert.match(first.out, /^\d+ done, 1 failed\.$/m);
    await remove(target.running, '/v2/datasets/errors');
    const second = await aplomb(target.data, 'push', 'again');
    assert.equal(second.status, 0, second.out);
    assert.match(second.out, /: 1 to create, \d+ unchanged\.$/m);
  });

  it('push stops on a lost connection, lists the remaining steps, and the next push resumes', async () => {
    const target = await empty();
    await pulled('midway');
    let writes = 0;
    await using gateway = await LoopbackServer.start(async (response, request) => {
      const { method, url, headers, body } = request;
      if (method !== 'GET') writes += 1;
      if (writes > 5) return void response.destroy();
      const answer = await fetch(target.running.url + url, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    const env = { ...ENVIRONMENT, APLOMB_TOKEN: target.running.token };
    const args = ['push', 'midway', '--url', gateway.url];
    const first = await folder.run(args, '', env);
    assert.equal(first.status, 1, first.out + first.err);
    assert.match(first.out, /^not done: create /m);
    assert.match(first.out, /^Ended early: .*Apply again to continue\.$/m);
    writes = Number.NEGATIVE_INFINITY;
    const second = await folder.run(args, '', env);
    assert.equal(second.status, 0, second.out + second.err);
    assert.match(second.out, /Plan for .*: \d+ to create, \d+ unchanged/);
    assert.doesNotMatch(first.out + first.err + second.out, new RegExp(target.running.token));
    const left = await aplomb(target.data, 'push', 'midway', '--dry-run', '--delete');
    assert.equal(left.status, 0, left.out);
  });

  it('push requires aplomb.json, and pull requires it in a folder that contains resources', async () => {
    await pulled('flag');
    folder.files({ 'other/monitors/a.json': '{}', 'nothing/README.md': '' });
    const unmarked = await aplomb('source', 'push', 'nothing');
    assert.equal(unmarked.status, 1);
    assert.match(unmarked.err, /no aplomb\.json here/);
    const other = await aplomb('source', 'pull', 'other');
    assert.equal(other.status, 1);
    assert.match(other.err, /The folder has monitors\/a\.json but no aplomb\.json/);
    assert.equal(readFileSync(join(folder.path, 'other/monitors/a.json'), 'utf8'), '{}');
    const beside = await aplomb('source', 'pull', 'nothing', '--kinds', 'views');
    assert.equal(beside.status, 0, beside.err);
    assert.deepEqual(JSON.parse(readFileSync(join(folder.path, 'nothing/aplomb.json'), 'utf8')), {
      format: 1,
      kinds: ['views'],
    });
    const wrong = await aplomb('source', 'pull', 'nothing', '--kinds', 'boards');
    assert.equal(wrong.status, 2);
  });

  it("pull and push keep secrets out of the folder and find a monitor's notifiers by name", async () => {
    const SECRET = 'https://hooks.example.com/T0P-5ECRET';
    const DOTS = '\u2022'.repeat(8);
    const from = await empty();
    const slack = { name: 'On call', properties: { slack: { slackUrl: SECRET } } };
    const email = { name: 'Team', properties: { email: { emails: ['team@example.com'] } } };
    const ids = [];
    for (const body of [slack, email]) {
      ids.push((await post(from.running, '/v2/notifiers', body)).id);
    }
    const monitor = { name: 'errors', type: 'MatchEvent', aplQuery: 'logs' };
    await post(from.running, '/v2/monitors', { ...monitor, notifierIds: ids });
    const pull = await aplomb(from.data, 'pull', 'notifiers');
    assert.equal(pull.status, 0, pull.err);
    const files = contents('notifiers');
    assert.doesNotMatch(JSON.stringify(files), /5ECRET/);
    assert.deepEqual(JSON.parse(files['monitors/errors.json'] ?? '').notifierIds, [
      { $name: 'On call' },
      { $name: 'Team' },
    ]);
    const same = await aplomb(from.data, 'push', 'notifiers', '--dry-run', '--delete');
    assert.equal(same.status, 0, same.out);

    // On another deployment, notifiers without secrets are created. The others are refused until
    // their secrets are entered there.
    const to = await empty();
    const refused = await aplomb(to.data, 'push', 'notifiers');
    assert.equal(refused.status, 1, refused.out);
    assert.match(
      refused.out,
      /notifier "On call" is refused\. An export leaves out properties\.slack\.slackUrl, which is secret\. Create the notifier on the deployment, under the same name, then apply again\./,
    );
    assert.match(
      refused.out,
      /monitor "errors" is refused\. The deployment has no notifier "On call"\. Create it there, then apply again\./,
    );
    assert.match(refused.out, /^created notifier "Team"/m);
    const theirs = { slack: { slackUrl: 'https://hooks.example.com/other' } };
    const made = await post(to.running, '/v2/notifiers', { name: 'On call', properties: theirs });
    const push = await aplomb(to.data, 'push', 'notifiers');
    assert.equal(push.status, 0, push.out);
    const [applied] = (await call(to.running, 'GET', '/v2/monitors')).body;
    const there = (await call(to.running, 'GET', '/v2/notifiers')).body;
    const team = there.find(({ name }: { name: string }) => name === 'Team');
    assert.deepEqual(applied.notifierIds, [made.id, team.id]);
    await aplomb(to.data, 'pull', 'notifiers-again');
    assert.deepEqual(contents('notifiers-again'), files);

    // A change of the file keeps the deployment's secret.
    const path = Object.keys(files).find((name) => /^notifiers\/on-call.*json$/.test(name)) ?? '';
    const file = join(folder.path, 'notifiers', path);
    const edited = JSON.parse(files[path] ?? '');
    writeFileSync(file, JSON.stringify({ ...edited, disabledUntil: '2030-01-01T00:00:00Z' }));
    const changed = await aplomb(to.data, 'push', 'notifiers');
    assert.equal(changed.status, 0, changed.out);
    const now = (await call(to.running, 'GET', `/v2/notifiers/${made.id}`)).body;
    assert.deepEqual([now.properties, now.disabledUntil], [theirs, '2030-01-01T00:00:00Z']);

    // The deployment has no secret for another kind of notifier, and dots within a longer string
    // aren't a placeholder.
    for (const [properties, member] of [
      [{ webhook: { url: DOTS } }, 'webhook.url'],
      [{ slack: { slackUrl: DOTS }, email: { emails: [`${DOTS}@example.com`] } }, 'email.emails.0'],
    ] as const) {
      writeFileSync(file, JSON.stringify({ ...edited, properties }));
      const other = await aplomb(to.data, 'push', 'notifiers');
      assert.equal(other.status, 1, other.out);
      assert.ok(
        other.out.includes(
          `notifier "On call" is refused. The deployment has no stored value for properties.${member}.`,
        ),
        other.out,
      );
    }
    const kept = (await call(to.running, 'GET', `/v2/notifiers/${made.id}`)).body;
    assert.deepEqual(kept.properties, theirs);

    // A secret in a file is reported without being printed, and nothing is applied.
    writeFileSync(file, JSON.stringify({ ...edited, properties: slack.properties }, null, 2));
    const bare = await aplomb(to.data, 'push', 'notifiers');
    assert.equal(bare.status, 1);
    assert.match(
      bare.out,
      /:\d+:\d+: properties\.slack\.slackUrl contains a secret\. Write "\u2022{8}"/,
    );
    assert.doesNotMatch(bare.out + bare.err, /5ECRET/);
  });

  it('push creates notifiers under new identifiers, ahead of the monitors that refer to them', async () => {
    const from = await empty();
    const email = { name: 'Team', properties: { email: { emails: ['team@example.com'] } } };
    const { id } = await post(from.running, '/v2/notifiers', email);
    const monitor = { name: 'errors', type: 'MatchEvent', aplQuery: 'logs', notifierIds: [id] };
    await post(from.running, '/v2/monitors', monitor);
    await aplomb(from.data, 'pull', 'together');
    const to = await empty();
    const push = await aplomb(to.data, 'push', 'together');
    assert.equal(push.status, 0, push.out);
    const [made] = (await call(to.running, 'GET', '/v2/notifiers')).body;
    const [applied] = (await call(to.running, 'GET', '/v2/monitors')).body;
    assert.notEqual(made.id, id);
    assert.deepEqual(applied.notifierIds, [made.id]);
    // A notifier that was renamed in its file is found by its new name.
    for (const [path, text] of Object.entries(contents('together'))) {
      writeFileSync(join(folder.path, 'together', path), text.replaceAll('"Team"', '"Crew"'));
    }
    const renamed = await aplomb(to.data, 'push', 'together');
    assert.equal(renamed.status, 0, renamed.out);
    const [now] = (await call(to.running, 'GET', '/v2/monitors')).body;
    assert.deepEqual(now.notifierIds, [made.id]);
  });

  it('push refuses unknown notifier identifiers unless the deployment already stores them', async () => {
    const { data, running } = await empty();
    const email = { name: 'Mail', properties: { email: { emails: ['team@example.com'] } } };
    const { id } = await post(running, '/v2/notifiers', email);
    const monitor = { name: 'old', type: 'Threshold', aplQuery: 'logs | count', threshold: 1 };
    await post(running, '/v2/monitors', { ...monitor, notifierIds: ['deleted'] });
    await aplomb(data, 'pull', 'identifiers');
    const write = (name: string, kind: string, members: object) =>
      folder.files({ [`identifiers/${kind}/${name}.json`]: JSON.stringify({ name, ...members }) });
    const base = { type: 'MatchEvent', aplQuery: 'logs' };
    write('wrong', 'monitors', { ...base, notifierIds: ['Mail', 'nobody', 'Pager'] });
    write('right', 'monitors', { ...base, notifierIds: [id] });
    write('Pager', 'notifiers', { properties: email.properties });
    const push = await aplomb(data, 'push', 'identifiers');
    assert.equal(push.status, 1, push.out);
    for (const sentence of [
      'monitors/wrong.json: monitor "wrong" is refused.',
      '"Mail" is the name of a notifier, not its identifier. Replace it with {"$name": "Mail"}.',
      'The deployment has no notifier with the identifier "nobody". Replace it with the name of one, as {"$name": "NAME"}, or remove it.',
      '"Pager" is the name of a notifier, not its identifier. Replace it with {"$name": "Pager"}.',
    ])
      assert.ok(push.out.includes(sentence), push.out);
    const monitors = async () => (await call(running, 'GET', '/v2/monitors')).body;
    const stored = new Map(
      (await monitors()).map((one: { name: string; notifierIds: string[] }) => [
        one.name,
        one.notifierIds,
      ]),
    );
    assert.deepEqual(
      stored,
      new Map([
        ['old', ['deleted']],
        ['right', [id]],
      ]),
    );

    // Stored identifiers stay valid, even if another member changes.
    const notifierIds = ['deleted'];
    write('wrong', 'monitors', { ...base, notifierIds: [{ $name: 'Mail' }, { $name: 'Pager' }] });
    write('old', 'monitors', { ...monitor, threshold: 2, notifierIds });
    const again = await aplomb(data, 'push', 'identifiers');
    assert.equal(again.status, 0, again.out);
    write('old', 'monitors', { ...monitor, threshold: 2, notifierIds: ['deleted', 'nobody'] });
    const added = await aplomb(data, 'push', 'identifiers');
    assert.equal(added.status, 1, added.out);
    assert.match(added.out, /identifier "nobody"/);
    assert.doesNotMatch(added.out, /identifier "deleted"/);
  });
});
