/**
 * Tests the reports for programs: JSON as described in docs/cli.md, and SARIF as in its standard.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { textReport } from '../../cli/src/report/text.ts';
import { applyEdits, problemCodes, problemRows } from '../../language/src/index.ts';
import { Folder } from './run.ts';

const source = "['logs']\n| where status = 200\n| summarize coutn()\n";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  folder.files({ 'a b/é.apl': source, 'good.apl': "['logs'] | count\n" });
});
afterEach(() => folder.remove());

describe('the JSON report', () => {
  it('lists every checked file, its problems with positions, and totals', async () => {
    const { status, out, err } = await folder.run([
      'check', '--format=json', 'a b/é.apl', 'good.apl', 'none.apl',
    ]); // biome-ignore format: a command line
    assert.equal(status, 2);
    assert.match(err, /none\.apl/);
    const report = JSON.parse(out);
    assert.equal(report.version, 1);
    assert.deepEqual(report.summary, { files: 2, errors: 2, warnings: 0, infos: 0, hints: 0 });
    assert.deepEqual(report.troubles, ['Cannot read none.apl: file not found.']);
    assert.deepEqual(
      report.files.map((file: { path: string }) => file.path),
      ['a b/é.apl', 'good.apl'],
    );
    const [, second] = report.files[0].problems;
    assert.deepEqual(second, {
      code: 'unknown-function',
      severity: 'error',
      message: "Unknown function 'coutn'. Did you mean 'count()'?",
      start: { offset: 42, line: 3, column: 13 },
      end: { offset: 47, line: 3, column: 18 },
      fix: {
        title: second.fix.title,
        edits: [
          {
            start: { offset: 42, line: 3, column: 13 },
            end: { offset: 47, line: 3, column: 18 },
            text: 'count',
          },
        ],
      },
    });
  });

  it('contains fixes that correct the query', async () => {
    const text = "['logs']\n| summarize coutn(), maxx(a)\n";
    folder.files({ 'fix.apl': text });
    const { out } = await folder.run(['check', '--format=json', 'fix.apl']);
    const problems: { fix: { edits: { start: Point; end: Point; text: string }[] } }[] =
      JSON.parse(out).files[0].problems;
    const edits = problems.flatMap(({ fix }) =>
      fix.edits.map(({ start, end, text }) => ({ start: start.offset, end: end.offset, text })),
    );
    assert.equal(applyEdits(text, edits), "['logs']\n| summarize count(), max(a)\n");
  });
});

interface Point {
  offset: number;
}

/** Asserts the rules of SARIF 2.1.0 that apply to the reports. Each check cites its section. */
function assertSarif(log: Sarif): void {
  assert.equal(log.version, '2.1.0');
  assert.match(log.$schema, /sarif.*2\.1\.0/);
  assert.equal(log.runs.length, 1);
  for (const run of log.runs) {
    // 3.18.2, 3.19.8: a run has a tool, whose driver has a name.
    const { driver } = run.tool;
    assert.ok(driver.name && /^\d+\.\d+\.\d+/.test(driver.version));
    // 3.14.17: "utf16CodeUnits" or "unicodeCodePoints".
    assert.equal(run.columnKind, 'utf16CodeUnits');
    const levels = ['none', 'note', 'warning', 'error'];
    const ids = driver.rules.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const rule of driver.rules) {
      assert.ok(rule.shortDescription.text && rule.help.text);
      assert.ok(levels.includes(rule.defaultConfiguration.level));
    }
    for (const base of Object.values(run.originalUriBaseIds)) {
      // 3.14.14: the URI of a base ends with a slash.
      assert.match(new URL(base.uri).href, /\/$/);
    }
    for (const { executionSuccessful } of run.invocations)
      assert.equal(typeof executionSuccessful, 'boolean');
    for (const result of run.results) {
      // 3.27.7: the rule at `ruleIndex` has the result's id.
      assert.equal(driver.rules[result.ruleIndex]?.id, result.ruleId);
      assert.ok(levels.includes(result.level) && result.message.text);
      assert.ok(result.locations.length > 0);
      for (const { physicalLocation } of result.locations) {
        assertArtifact(physicalLocation.artifactLocation, run);
        assertRegion(physicalLocation.region);
      }
      for (const fix of result.fixes ?? []) {
        // 3.55.3: a fix has at least one artifact change, each with at least one replacement.
        assert.ok(fix.artifactChanges.length > 0);
        for (const change of fix.artifactChanges) {
          assertArtifact(change.artifactLocation, run);
          assert.ok(change.replacements.length > 0);
          for (const one of change.replacements) {
            assertRegion(one.deletedRegion);
            assert.equal(typeof one.insertedContent.text, 'string');
          }
        }
      }
    }
  }
}

function assertArtifact({ uri, uriBaseId, index }: Artifact, run: Sarif['runs'][number]): void {
  // 3.10.3: a URI reference, encoded as RFC 3986 requires. 3.4.5: the index of the same artifact.
  assert.doesNotMatch(uri, /[^\w\-.~:/?#[\]@!$&'()*+,;=%]/);
  if (uriBaseId !== undefined) assert.ok(run.originalUriBaseIds[uriBaseId]);
  if (index !== undefined) assert.equal(run.artifacts[index]?.location.uri, uri);
}

function assertRegion({ startLine, startColumn, endLine, endColumn }: Region): void {
  for (const one of [startLine, startColumn, endLine, endColumn])
    assert.ok(Number.isInteger(one) && one >= 1);
  assert.ok(endLine > startLine || (endLine === startLine && endColumn >= startColumn));
}

interface Artifact {
  uri: string;
  uriBaseId?: string;
  index?: number;
}

type Region = Record<'startLine' | 'startColumn' | 'endLine' | 'endColumn', number>;

interface Sarif {
  $schema: string;
  version: string;
  runs: {
    tool: {
      driver: {
        name: string;
        version: string;
        rules: {
          id: string;
          shortDescription: { text: string };
          help: { text: string };
          defaultConfiguration: { level: string };
        }[];
      };
    };
    columnKind: string;
    originalUriBaseIds: Record<string, { uri: string }>;
    invocations: { executionSuccessful: boolean; toolExecutionNotifications: object[] }[];
    artifacts: { location: Artifact }[];
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      locations: { physicalLocation: { artifactLocation: Artifact; region: Region } }[];
      fixes?: {
        artifactChanges: {
          artifactLocation: Artifact;
          replacements: { deletedRegion: Region; insertedContent: { text: string } }[];
        }[];
      }[];
    }[];
  }[];
}

describe('the SARIF report', () => {
  it('conforms to SARIF 2.1.0', async () => {
    const { status, out } = await folder.run(['check', '--format', 'sarif', 'a b', 'good.apl']);
    assert.equal(status, 1);
    const log: Sarif = JSON.parse(out);
    assertSarif(log);
    const [run] = log.runs;
    assert.deepEqual(
      run?.results.map(({ ruleId, level }) => `${ruleId} ${level}`),
      ['single-equals error', 'unknown-function error'],
    );
    const [found] = run?.results.at(-1)?.locations ?? [];
    assert.deepEqual(found?.physicalLocation, {
      artifactLocation: { uri: 'a%20b/%C3%A9.apl', uriBaseId: '%SRCROOT%', index: 0 },
      region: { startLine: 3, startColumn: 13, endLine: 3, endColumn: 18 },
    });
    const [change] = run?.results.at(-1)?.fixes?.[0]?.artifactChanges ?? [];
    assert.equal(change?.replacements[0]?.insertedContent.text, 'count');
  });

  it('lists every problem code as a rule', async () => {
    const { out } = await folder.run(['check', '--format=sarif', 'good.apl']);
    const log: Sarif = JSON.parse(out);
    assertSarif(log);
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    assert.deepEqual(
      rules.map(({ id }) => id),
      problemCodes,
    );
    for (const { id, defaultConfiguration } of rules) {
      const { severity } = problemRows[id as keyof typeof problemRows];
      const level = { error: 'error', warning: 'warning', info: 'note', hint: 'note' }[severity];
      assert.equal(defaultConfiguration.level, level);
    }
  });

  it('is valid and gives the reason if no file could be read', async () => {
    const { status, out } = await folder.run(['check', '--format=sarif', 'none.apl']);
    assert.equal(status, 2);
    const log: Sarif = JSON.parse(out);
    assertSarif(log);
    const [invocation] = log.runs[0]?.invocations ?? [];
    assert.equal(invocation?.executionSuccessful, false);
    assert.equal(invocation?.toolExecutionNotifications.length, 1);
  });

  it('contains the full URI of a file outside the working folder', async () => {
    const other = new Folder();
    try {
      other.files({ 'b.apl': source });
      const { out } = await folder.run(['check', '--format=sarif', `${other.path}/b.apl`]);
      const log: Sarif = JSON.parse(out);
      assertSarif(log);
      assert.match(log.runs[0]?.artifacts[0]?.location.uri ?? '', /^file:\/\/\/.*\/b\.apl$/);
    } finally {
      other.remove();
    }
  });
});

describe('the text report', () => {
  const at = { offset: 0, line: 1, column: 1 };
  const finding = { code: 'unknown-column', message: 'Bad.', start: at, end: at } as const;

  it('differs only in colors if it is printed to a terminal', () => {
    const report = {
      files: [{ path: 'a.apl', findings: [{ ...finding, severity: 'error' as const }] }],
      errors: [],
    };
    const plain = textReport(report, false);
    const coloured = textReport(report, true);
    const mark = String.fromCharCode(27);
    assert.ok(coloured.includes(`${mark}[31merror`) && !plain.includes(mark));
    const words = coloured.split(mark).map((part, i) => (i ? part.replace(/^\[\d+m/, '') : part));
    assert.equal(words.join(''), plain);
  });

  it('totals the problems by severity', () => {
    const findings = (['error', 'warning', 'warning', 'info', 'hint'] as const).map((severity) => ({
      ...finding,
      severity,
    }));
    const text = textReport({ files: [{ path: 'a.apl', findings }], errors: [] }, false);
    assert.match(text, /1 file checked: 1 error, 2 warnings, 1 note, 1 hint\.\n$/);
  });
});
