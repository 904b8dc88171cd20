/**
 * Documents of several deployments: each is completed and checked against its own deployment's schema.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { TextDocuments } from 'vscode-languageserver';
import { SourceText } from '../../language/src/index.ts';
import { deploymentOf } from '../../server/src/deploymentOf.ts';
import { DeploymentSchemas } from '../../server/src/deploymentSchemas.ts';
import { Documents } from '../../server/src/documents.ts';
import { Workspace } from '../../server/src/feature.ts';
import { completion } from '../../server/src/features/completion.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { hover } from '../../server/src/features/hover.ts';
import { datasetNames } from '../../server/src/fieldsNeeded.ts';
import type { FieldsResult, WireDataset } from '../../server/src/protocol.ts';
import * as protocol from '../../server/src/protocol.ts';
import { defaultSettings } from '../../server/src/settings.ts';
import type { SourceDocument } from '../../server/src/sourceDocument.ts';
import { cursor, shownDiagnostic } from './marked.ts';
import { Session } from './session.ts';

interface Known {
  readonly datasets: readonly WireDataset[];
  readonly fields: Readonly<Record<string, FieldsResult>>;
}

const dataset = (name: string): WireDataset => ({ name, kind: 'dataset' });
const fields = (...names: string[]): FieldsResult => ({
  fields: names.map((name) => ({ name, type: 'integer' })),
  complete: true,
});

const local: Known = { datasets: [dataset('logs')], fields: { logs: fields('status') } };
const staging: Known = {
  datasets: [
    dataset('logs'),
    dataset('orders'),
    { name: 'late', kind: 'view', query: "['orders'] | extend days_late = paid + 1" },
  ],
  fields: {
    logs: {
      fields: [
        { name: 'code', type: 'integer', unit: 'ms', description: 'What was answered.' },
        { name: 'is_error', type: 'boolean', description: 'A virtual field.' },
        { name: 'attributes', type: 'map' },
        { name: 'attributes.user', type: 'string' },
        { name: 'secret', type: 'string', hidden: true },
      ],
      complete: true,
    },
    orders: fields('paid'),
  },
};

/** Open documents over deployments that a test changes. The active deployment is Local. */
class Opened {
  readonly world: Record<string, Known | null> = { Local: local, Staging: staging };
  readonly asked: string[] = [];
  readonly schemas: DeploymentSchemas;
  readonly workspace: Workspace;
  readonly #documents = new Map<string, SourceDocument>();

  constructor() {
    this.schemas = new DeploymentSchemas({
      datasets: async (deployment) => {
        this.asked.push(`${deployment}: datasets`);
        const known = this.world[String(deployment)];
        return known ? { datasets: [...known.datasets], complete: true } : null;
      },
      fields: async (name, deployment) => {
        this.asked.push(`${deployment}: ${name}`);
        return this.world[String(deployment)]?.fields[name] ?? null;
      },
    });
    this.schemas.active = 'Local';
    const open = {
      get: (uri: string) => this.#documents.get(uri),
      all: () => [...this.#documents.values()],
    } as TextDocuments<SourceDocument>;
    this.workspace = new Workspace(open, new Documents(), this.schemas, defaultSettings);
  }

  write(uri: string, text: string, languageId = 'axiom-apl'): string {
    const version = (this.#documents.get(uri)?.version ?? 0) + 1;
    this.#documents.set(uri, { uri, languageId, version, text: new SourceText(text) });
    return uri;
  }

  snapshot(uri: string) {
    return this.workspace.snapshot(uri) ?? assert.fail(uri);
  }

  /**
   * Fetches the schema of everything that the documents name, as the server does after a change.
   */
  async settle(): Promise<void> {
    for (const { uri } of this.#documents.values()) {
      const schemas = this.workspace.schemasOf(uri);
      await schemas.ensureDatasets();
      for (const { analysis } of this.snapshot(uri).queries) {
        await Promise.all(
          datasetNames(analysis.bound.references).map((name) => schemas.ensureFields(name)),
        );
      }
    }
  }

  problems(uri: string): string[] {
    const snapshot = this.snapshot(uri);
    return diagnostics(snapshot).map((one) => shownDiagnostic(snapshot.text, one));
  }

  /** Returns the completion labels at the mark after all schemas are fetched. */
  async offered(uri: string, marked: string): Promise<Set<string>> {
    const { text, offset } = cursor(marked);
    this.write(uri, text);
    await this.settle();
    return new Set(completion(this.snapshot(uri), offset).items.map(({ label }) => label));
  }

  async hover(uri: string, marked: string): Promise<string> {
    const { text, offset } = cursor(marked);
    this.write(uri, text);
    await this.settle();
    const found = hover(this.snapshot(uri), offset, this.workspace.deploymentOf(uri));
    return JSON.stringify(found?.contents);
  }
}

const a = 'file:///a.apl';
const b = 'file:///b.apl';

describe('a file with a deployment line', () => {
  it("offers that deployment's datasets, views and fields in completion", async () => {
    const opened = new Opened();
    const names = await opened.offered(a, '// deployment: Staging\n$0');
    for (const name of ['logs', 'orders', 'late']) assert.ok(names.has(name), name);
    const columns = await opened.offered(a, "// deployment: Staging\n['logs'] | where $0");
    for (const name of ['code', 'is_error', 'attributes']) assert.ok(columns.has(name), name);
    for (const name of ['status', 'secret']) assert.ok(!columns.has(name), name);
    const members = await opened.offered(
      a,
      "// deployment: Staging\n['logs'] | where attributes.$0",
    );
    assert.ok(members.has('user'), [...members].join());
    const ofView = await opened.offered(a, "// deployment: Staging\n['late'] | where $0");
    for (const name of ['paid', 'days_late']) assert.ok(ofView.has(name), name);
    const own = await opened.offered(b, "['logs'] | where $0");
    assert.ok(own.has('status') && !own.has('code'));
  });

  it("is checked against that deployment's schema, unlike files without the line", async () => {
    const opened = new Opened();
    const text = "['logs'] | where status == 1 and code == 1\n\n['orders'] | count";
    opened.write(a, `// deployment: Staging\n${text}`);
    opened.write(b, text);
    await opened.settle();
    assert.deepEqual(opened.problems(a), ['unknown-column "status"']);
    assert.deepEqual(opened.problems(b), [
      'unknown-column "code"',
      'unknown-dataset "[\'orders\']"',
    ]);
  });

  it('displays the deployment in the hover of a dataset', async () => {
    const opened = new Opened();
    const text = await opened.hover(a, "// deployment: Staging\n['lo$0gs']");
    assert.match(text, /4 fields/);
    assert.match(text, /Deployment: Staging/);
    assert.match(await opened.hover(b, "['lo$0gs']"), /Deployment: Local/);
    const field = await opened.hover(a, "// deployment: Staging\n['logs'] | where co$0de == 1");
    assert.match(field, /What was answered/);
    assert.match(field, /\bms\b/);
  });

  it("reports no unknown names while the deployment's schema is unavailable", async () => {
    const opened = new Opened();
    opened.world.Staging = null;
    opened.write(a, "// deployment: Staging\n['nowhere'] | where nothing == 1");
    opened.write(b, "['nowhere'] | count");
    await opened.settle();
    assert.deepEqual(opened.problems(a), []);
    assert.deepEqual(opened.problems(b), ['unknown-dataset "[\'nowhere\']"']);
    // A failure is not cached, so the same file is checked after the deployment responds.
    opened.world.Staging = staging;
    await opened.settle();
    assert.deepEqual(opened.problems(a), ['unknown-dataset "[\'nowhere\']"']);
  });

  it("reports no unknown names if the deployment doesn't exist", async () => {
    const opened = new Opened();
    opened.write(a, "// deployment: Stag\n['nowhere'] | where nothing == 1");
    await opened.settle();
    assert.deepEqual(opened.problems(a), []);
  });

  it('is reanalyzed if its deployment line changes, unlike other files', async () => {
    const opened = new Opened();
    opened.write(a, "// deployment: Staging\n['orders'] | count");
    opened.write(b, "['logs'] | count");
    await opened.settle();
    const before = opened.snapshot(b);
    assert.deepEqual(opened.problems(a), []);
    opened.write(a, "// deployment: Local\n['orders'] | count");
    await opened.settle();
    assert.deepEqual(opened.problems(a), ['unknown-dataset "[\'orders\']"']);
    assert.equal(opened.snapshot(b), before);
  });

  it("isn't reanalyzed if the active deployment changes", async () => {
    const opened = new Opened();
    opened.write(a, "// deployment: Staging\n['orders'] | count");
    opened.write(b, "['orders'] | count");
    await opened.settle();
    const before = opened.snapshot(a);
    assert.deepEqual(opened.problems(b), ['unknown-dataset "[\'orders\']"']);
    opened.schemas.active = 'Staging';
    await opened.settle();
    assert.deepEqual(opened.problems(b), []);
    assert.equal(opened.snapshot(a), before);
  });

  it('causes no additional schema request if it names the active deployment', async () => {
    const opened = new Opened();
    opened.write(a, "// deployment: Local\n['logs'] | count");
    opened.write(b, "['logs'] | count");
    await opened.settle();
    assert.deepEqual(opened.asked, ['Local: datasets', 'Local: logs']);
  });

  it('keeps its analysis if the schema of a different deployment changes', async () => {
    const opened = new Opened();
    opened.write(a, "// deployment: Staging\n['orders'] | where paid == 1");
    opened.write(b, "['logs'] | where status == 1");
    await opened.settle();
    const [ofA, ofB] = [opened.snapshot(a), opened.snapshot(b)];
    opened.world.Local = { ...local, fields: { logs: fields('other') } };
    opened.schemas.invalidate('Local', ['logs']);
    await opened.settle();
    assert.equal(opened.snapshot(a), ofA);
    assert.notEqual(opened.snapshot(b), ofB);
    assert.deepEqual(opened.problems(b), ['unknown-column "status"']);
    opened.schemas.invalidate(undefined, undefined);
    assert.notEqual(opened.snapshot(a), ofA);
  });

  it("offers only values from that deployment's results", async () => {
    const opened = new Opened();
    const columns = [{ name: 'status', values: [418] }];
    await opened.workspace.learn({ deployment: 'Local', query: "['logs']", columns });
    assert.deepEqual(opened.workspace.valuesSeen.of('Local').of('logs', 'status'), [418]);
    assert.deepEqual(opened.workspace.valuesSeen.of('Staging').of('logs', 'status'), []);
    opened.workspace.valuesSeen.clear('Staging');
    assert.equal(opened.workspace.valuesSeen.of('Local').of('logs', 'status').length, 1);
  });
});

describe('the deployment of a document', () => {
  const named = (uri: string, text: string, languageId?: string) =>
    deploymentOf({
      uri,
      version: 1,
      ...(languageId && { languageId }),
      text: new SourceText(text),
    });

  it("comes from the resource's URI, even if the text names a different deployment", () => {
    // The URI is encoded as VS Code encodes it.
    const uri = 'aplomb:/monitors/Errors.apl?deployment%3DEU%2BCentral%2526%26kind%3Dmonitors';
    assert.equal(named(uri, '// deployment: Other\n'), 'EU Central&');
    const embedded = `aplomb-embedded:/0.apl?${encodeURIComponent('deployment=Staging&document=x')}`;
    assert.equal(named(embedded, "['logs']"), 'Staging');
  });

  it('is undefined if the URI is malformed or has no deployment', () => {
    assert.equal(named('file:///a.apl?deployment=Staging', 'logs'), undefined);
    assert.equal(named('aplomb:/a.apl?%', 'logs'), undefined);
    assert.equal(named('aplomb:/a.apl', 'logs'), undefined);
  });

  it('is read from a line at the start of an APL file, but not of a Markdown file', () => {
    assert.equal(named(a, '\n  // deployment:  EU \nlogs'), 'EU');
    assert.equal(named(a, `${'\n'.repeat(5_000)}// deployment: EU`), undefined);
    assert.equal(named('file:///a.md', '// deployment: EU\n', 'markdown'), undefined);
  });

  it("is the notebook's deployment in a cell unless the cell names a deployment", async () => {
    const opened = new Opened();
    opened.workspace.deploymentOfCell = () => 'Staging';
    opened.write('cell:1', "['orders'] | count");
    opened.write('cell:2', "// deployment: Local\n['orders'] | count");
    await opened.settle();
    assert.deepEqual(opened.problems('cell:1'), []);
    assert.deepEqual(opened.problems('cell:2'), ['unknown-dataset "[\'orders\']"']);
  });
});

describe('the language server with several deployments', { timeout: 60_000 }, () => {
  let session: Session;

  beforeEach(async () => {
    session = new Session();
    session.deployments = { Local: { logs: ['status'] }, Staging: { orders: ['paid'] } };
    await session.initialize('Local');
  });

  afterEach(async () => {
    session.connection.dispose();
    session.child.kill();
    await session.exited;
  });

  it('requests the schema of the deployment named in the file', async () => {
    await session.open("// deployment: Staging\n['orders'] | where paid > 1 and gone == 1");
    await session.published('unknown-column');
    assert.deepEqual(session.asked, ['Staging: datasets', 'Staging: orders']);
    assert.ok((await session.completion(1, 19)).includes('paid'));
    await session.change("['orders'] | count");
    await session.published('unknown-dataset');
  });

  it('rechecks files without a deployment line after the active deployment changes', async () => {
    await session.open("['orders'] | count");
    await session.published('unknown-dataset');
    await session.connection.sendNotification(protocol.activeDeploymentNotification, {
      deployment: 'Staging',
    });
    await session.published();
  });

  it("rechecks a file only after its own deployment's schema changes", async () => {
    await session.open("// deployment: Staging\n['orders'] | where gone == 1");
    await session.published('unknown-column');
    session.deployments = { ...session.deployments, Staging: { orders: ['gone'] } };
    await session.connection.sendNotification(protocol.schemaChangedNotification, {
      deployment: 'Staging',
      datasets: ['orders'],
    });
    await session.published();
    assert.ok(!session.asked.includes('Local: logs'));
  });
});
