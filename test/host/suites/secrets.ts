// A full run with tokens that can be recognized. What VS Code, the extension and its processes leave behind is
// searched by the test that starts this suite, once the window is closed; what only exists while it is open is written
// to files for that search. A decoy that is put into each kind of place shows that the search finds what is there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { fillInput } from '../../../scripts/host/driver.ts';
import { startAnother } from '../describeDeployments.ts';
import { context, endOf, openApl, rowsOf, runQuery, until, workspaceFile } from '../editing.ts';
import { storageFolder } from '../local.ts';
import type { OtherDeployment } from '../otherDeployment.ts';
import { type EchoingService, type EchoName, echoes, startEchoing } from '../secrets/echoes.ts';
import { marked } from '../secrets/forms.ts';
import { ProcessWatch } from '../secrets/processWatch.ts';
import { Recorder } from '../secrets/recorder.ts';
import type { SecretsOfRun } from '../secrets/run.ts';
import { shownIn, windowContents } from '../secrets/windowContents.ts';
import { withWindow } from '../window.ts';

const { executeCommand } = vscode.commands;

/** One of each kind of failure. */
const repeatedToCommandLine: readonly EchoName[] = [
  'a refusal that quotes the token',
  'a redirect to a host of its name',
  'JSON of another shape',
  'what is not HTTP',
];

describe('a run with marked tokens', () => {
  const hex = randomBytes(24).toString('hex');
  /** Letters for addresses, and characters that are escaped somewhere. */
  const secrets: Record<string, string> = {
    'plain token': `xaat-${hex}`,
    'token with marks': `xaat-${hex.slice(0, 7)}"\\%+/<&${randomBytes(9).toString('hex')}"\\%+/<&=${hex.slice(7, 12)}`,
  };
  const decoy = `xaat-${randomBytes(24).toString('hex')}`;
  const watch = new ProcessWatch(() =>
    [...Object.entries(secrets), ['decoy', decoy] as const].map(([label, secret]) =>
      marked(label, secret),
    ),
  );
  let root: string;
  let recorder: Recorder;
  let other: OtherDeployment;
  let echoing: EchoingService;

  const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri as vscode.Uri;
  const at = (path: string) => vscode.Uri.joinPath(folder(), path);

  before(async () => {
    root = dirname(folder().fsPath);
    await vscode.extensions.getExtension('aplomb.aplomb')?.activate();
    recorder = await Recorder.start(join(root, 'recorded'));
    watch.start();
    const data = join(root, 'other');
    await mkdir(data);
    other = await startAnother({ folder: data, log: join(root, 'recorded', 'other.log') });
    echoing = await startEchoing();
    Object.assign(secrets, { 'API token': other.token, 'personal token': other.personalToken });
    const made = await other.ask('POST', '/v2/tokens', {
      name: 'for the command line',
      datasetCapabilities: { '*': { query: ['read'], ingest: ['create'] } },
      orgCapabilities: { monitors: ['create', 'read', 'update'], datasets: ['read', 'create'] },
    });
    secrets['token of the command line'] = (made as { token: string }).token;
    await other.ask('POST', '/v2/datasets', { name: 'orders' });
    await other.ask('POST', '/v1/ingest/orders', [{ status: 500, region: 'eu' }]);
  });

  after(async () => {
    watch.stop();
    const run: SecretsOfRun = {
      secrets,
      decoy,
      processHits: watch.hits,
      programs: watch.programs,
      echoedRequests: echoing.count,
    };
    await writeFile(process.env.APLOMB_SECRETS as string, JSON.stringify(run));
    recorder.stop();
    await Promise.all([other.stop(), echoing.stop()]);
  });

  /** Writes down what is on the screen and in documents at this moment. */
  async function recordScreen(): Promise<void> {
    const frames = await withWindow(shownIn);
    for (const { place, text: html } of frames) recorder.write('screen.txt', `${place} ${html}`);
    for (const document of vscode.workspace.textDocuments) {
      recorder.write('documents.txt', `${document.uri} ${document.getText()}`);
    }
    for (const [uri, found] of vscode.languages.getDiagnostics()) {
      recorder.write('problems.txt', `${uri} ${JSON.stringify(found)}`);
    }
  }

  /** Adds a deployment as a person does. */
  async function add(name: string, url: string, token: string): Promise<void> {
    const added = executeCommand('aplomb.addDeployment');
    await withWindow(async (page) => {
      await fillInput(page, 'Add Deployment: Region', 'Other address');
      await fillInput(page, 'URL of the API', url);
      await fillInput(page, 'URL of the edge deployment', url);
      await fillInput(page, 'Add Deployment: Name', name);
      await fillInput(page, 'Add Deployment: Production', 'No');
      await page.locator('.quick-input-widget', { hasText: 'Deployment: Token' }).waitFor();
      await page.locator('.quick-input-widget input:visible').first().fill(token);
      for (const { place, text: html } of await shownIn(page)) {
        recorder.write('screen.txt', `${place} ${html}`);
      }
      await page.keyboard.press('Enter');
    });
    assert.equal(await added, name);
    await recordScreen();
  }

  const secret = (label: string) => secrets[label] as string;

  /** Runs the query of a file, and returns how that ended. */
  async function run(name: string, apl: string): Promise<string> {
    const uri = await workspaceFile(name, apl);
    await vscode.window.showTextDocument(uri);
    return (await endOf('aplomb.runQuery', uri)).kind;
  }

  /** What a person does with a deployment, whatever comes of it. Returns how the query ended. */
  async function use(name: string): Promise<string> {
    await executeCommand('aplomb.selectDeployment', name);
    const end = await run('orders.apl', "['orders']\n| count");
    await executeCommand('aplomb.refreshSchema');
    await executeCommand('aplomb.refreshMonitors');
    await executeCommand('aplomb.monitors.focus');
    const file = await workspaceFile('few.csv', 'a,b\n1,2\n');
    await executeCommand('aplomb.ingestFiles', [file], 'orders');
    await executeCommand('aplomb.whoAmI', name);
    await recordScreen();
    await executeCommand('workbench.action.closeAllEditors');
    return end;
  }

  it('adds deployments by the form', async () => {
    await add('Marked', other.url, secret('API token'));
    await add('Person', other.url, secret('personal token'));
    await add('Echo', echoing.url, secret('plain token'));
    echoing.mode = 'a refusal that quotes the token';
    recorder.answer = 'Add Anyway';
    await add('Echo with marks', echoing.url, secret('token with marks'));
    recorder.answer = undefined;
    const added = vscode.workspace.getConfiguration('aplomb').get<object[]>('deployments');
    assert.equal(added?.length, 4);
    const { credentials } = context().deployments;
    const { origin } = new URL(other.url);
    assert.equal(await credentials.token(origin, 'Marked'), secret('API token'));
  });

  it('shares them in the settings of the workspace', async () => {
    const settings = vscode.workspace.getConfiguration('aplomb');
    const shared = settings.get('deployments');
    await settings.update('deployments', shared, vscode.ConfigurationTarget.Workspace);
    assert.match(await readFile(at('.vscode/settings.json').fsPath, 'utf8'), /Echo with marks/);
  });

  it('queries, ingests and asks who it is', async () => {
    await executeCommand('aplomb.selectDeployment', 'Local');
    assert.deepEqual(rowsOf(await runQuery('print 1')), [[1]]);
    const lock = JSON.parse(
      await readFile(join(storageFolder(), 'local', 'deployment.json'), 'utf8'),
    );
    const personal = await readFile(join(storageFolder(), 'local', 'personal-token'), 'utf8');
    Object.assign(secrets, { 'own token': lock.token, 'own personal token': personal.trim() });
    assert.equal(await use('Local'), 'failed');
    assert.equal(await use('Marked'), 'result');
    assert.equal(await use('Person'), 'result');
    assert.equal(await run('broken.apl', 'orders | where ('), 'failed');
    // Kept results and history are written when the window rests.
    await until('A kept result', async () => {
      const files = await readdir(storageFolder(), { recursive: true });
      return files.some((file) => /results/.test(file)) || undefined;
    });
  });

  for (const mode of Object.keys(echoes) as EchoName[]) {
    it(`keeps to itself what a service repeats: ${mode}`, async () => {
      echoing.mode = mode;
      const before = echoing.count;
      assert.notEqual(await use('Echo'), 'result');
      const apl = "// deployment: Echo with marks\n['orders']\n";
      assert.notEqual(await run('marks.apl', apl), 'result');
      await recordScreen();
      await executeCommand('workbench.action.closeAllEditors');
      assert.ok(echoing.count > before);
    });
  }

  it('opens, changes, saves and creates documents of resources', async () => {
    await executeCommand('aplomb.selectDeployment', 'Marked');
    const { id } = (await other.ask('POST', '/v2/monitors', {
      name: 'Errors',
      type: 'Threshold',
      aplQuery: "['orders']\n| count",
      operator: 'Above',
      threshold: 10,
      intervalMinutes: 5,
      rangeMinutes: 5,
    })) as { id: string };
    const uri = await executeCommand<vscode.Uri>('aplomb.openResource', {
      kind: 'monitors',
      id,
      name: 'Errors',
    });
    const document = await vscode.workspace.openTextDocument(uri);
    const replace = async (from: string, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(uri, all, document.getText().replace(from, to));
      await vscode.workspace.applyEdit(edit);
    };
    await replace('"threshold": 10', '"threshold": 11');
    assert.ok(await document.save());
    await replace('"Threshold"', '"Nonsense"');
    // What is refused stays, with a message.
    assert.equal(await Promise.race([document.save(), late(5_000)]), false);
    await recordScreen();
    await executeCommand('workbench.action.files.revert');
    await openApl("['orders']\n| where status >= 500$0");
    const creating = executeCommand<vscode.Uri>('aplomb.createFromQuery');
    await withWindow(async (page) => {
      await fillInput(page, 'Create from Query', 'View');
      await fillInput(page, 'New View on Marked', 'failed-orders');
    });
    const draft = await vscode.workspace.openTextDocument(await creating);
    assert.ok(await draft.save());
    await executeCommand('workbench.action.closeAllEditors');
  });

  it('exports resources to a folder and applies it', async () => {
    await executeCommand('aplomb.exportResources', at('exported'));
    const [name] = (await readdir(at('exported/monitors').fsPath)).filter((one) =>
      one.endsWith('.json'),
    );
    const file = at(`exported/monitors/${name}`).fsPath;
    const exported = await readFile(file, 'utf8');
    await writeFile(file, exported.replace('"threshold": 11', '"threshold": 12'));
    recorder.answer = 'Apply';
    const applying = executeCommand<string | undefined>('aplomb.applyResources', at('exported'));
    await withWindow(async (page) => {
      await page.locator('.quick-input-widget', { hasText: 'Apply Resources to' }).waitFor();
      await page.locator('.quick-input-widget', { hasText: 'Errors' }).waitFor();
      await page.keyboard.press('Enter');
    });
    assert.match((await applying) ?? '', /changed monitor "Errors"/);
    recorder.answer = undefined;
    echoing.mode = 'a refusal that quotes the token';
    await executeCommand('aplomb.selectDeployment', 'Echo');
    await executeCommand('aplomb.exportResources', at('not-exported'));
    await recordScreen();
  });

  /** Runs the command line with a token in the variable that is for it. */
  async function commandLine(token: string, ...args: string[]): Promise<number | null> {
    const home = join(root, 'home');
    await mkdir(home, { recursive: true });
    const { extensionPath } = context().extension;
    const child = spawn(process.execPath, [join(extensionPath, 'dist', 'cli.cjs'), ...args], {
      cwd: folder().fsPath,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', HOME: home, APLOMB_TOKEN: token },
    });
    watch.given.add(child.pid as number);
    const ended = once(child, 'close');
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    recorder.write('command-line.txt', [args.join(' '), out, errors].join('\n'));
    return (await ended)[0];
  }

  it('pulls, pushes and ingests by the command line', async () => {
    const token = secret('token of the command line');
    await workspaceFile('events.ndjson', '{"status":500}\n{"status":\n');
    const to = ['--url', other.url];
    assert.equal(await commandLine(token, 'pull', 'pulled', '--kinds', 'monitors', ...to), 0);
    assert.equal(await commandLine(token, 'push', 'pulled', '--dry-run', ...to), 0);
    const ingest = ['ingest', 'events.ndjson', '--dataset', 'orders', '--restart', '--yes'];
    assert.equal(await commandLine(token, ...ingest, ...to), 1);
    for (const mode of repeatedToCommandLine) {
      echoing.mode = mode;
      const there = ['--url', echoing.url];
      const runs = ['plain token', 'token with marks'].flatMap((label) => [
        commandLine(secret(label), 'pull', 'nothing', ...there),
        commandLine(secret(label), 'push', 'pulled', '--yes', ...there),
        commandLine(secret(label), ...ingest, ...there),
      ]);
      await Promise.all(runs);
    }
  });

  it('meets exceptions in the client and in the language server', async () => {
    const { log, language } = context();
    const cause = new Error(`fetch failed with Bearer ${secret('plain token')}`);
    log.error('Provoking an exception', new Error(secret('API token'), { cause }));
    log.error('Provoking another', { headers: { authorization: secret('personal token') } });
    const broken = {
      kind: 'monitors',
      get id(): string {
        throw new Error('provoked');
      },
    };
    for (const command of ['openResource', 'openResourceQuery', 'deleteResource', 'openPlace']) {
      await Promise.resolve(executeCommand(`aplomb.${command}`, broken)).catch((error) =>
        recorder.write('exceptions.txt', String(error?.stack)),
      );
    }
    const client = await language.client();
    for (const [method, params] of [
      ['textDocument/hover', null],
      ['textDocument/completion', { textDocument: 7 }],
      ['aplomb/nothing', { token: 1 }],
    ] as const) {
      await client
        .sendRequest(method, params)
        .then((answer) => recorder.write('exceptions.txt', JSON.stringify(answer ?? null)))
        .catch((error) => recorder.write('exceptions.txt', String(error?.stack)));
    }
    const { pid } = (client as unknown as { _serverProcess: { pid: number } })._serverProcess;
    process.kill(pid, 'SIGSEGV');
    await until('The language server again', async () => {
      await executeCommand('aplomb.selectDeployment', 'Marked');
      const running = run('orders.apl', "['orders']\n| count");
      const end = await Promise.race([running, late(5_000)]).catch(() => undefined);
      return end === 'result' || undefined;
    });
  });

  it('is recorded where it would be lost, next to a decoy', async () => {
    await executeCommand('aplomb.showLog');
    await plant();
    await recordScreen();
    for (const { place, text: value } of await withWindow(windowContents)) {
      recorder.write('window.txt', `${place} ${value}`);
    }
  });

  /** Puts the decoy into a place of each kind that is searched. */
  async function plant(): Promise<void> {
    await workspaceFile('planted.txt', `Bearer ${decoy}`);
    await workspaceFile(
      'planted.json',
      JSON.stringify(Buffer.from(`:${decoy}`).toString('base64')),
    );
    await writeFile(at('planted.gz').fsPath, gzipSync(`a ${decoy} b`));
    await writeFile(join(root, 'other', 'planted.log'), Buffer.from(decoy, 'utf16le'));
    context().log.info(`Planted ${decoy}`);
    void vscode.window.showInformationMessage(`Planted ${decoy}`);
    await context().extension.workspaceState.update('planted', decoy);
    await context().extension.secrets.store('planted', decoy);
    await vscode.workspace
      .getConfiguration('aplomb')
      .update(
        'deployments',
        [{ name: 'Planted', url: `https://${decoy}.invalid` }],
        vscode.ConfigurationTarget.Workspace,
      );
    await openApl(`print '${decoy}'`);
    const idle = 'setTimeout(() => {}, 400)';
    const run = (args: string[], env: Record<string, string>) =>
      once(
        spawn(process.execPath, ['-e', idle, ...args], {
          env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env },
        }),
        'close',
      );
    await Promise.all([run([decoy], {}), run([], { PLANTED: encodeURIComponent(decoy) })]);
    // The window writes its states a moment after they change.
    await late(2_000);
  }
});

function late(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}
