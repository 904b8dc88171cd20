// Text that users read: advice with actions, welcome views, error ranges, and names of datasets and documents.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { documentParts, readAddress } from '../../client/src/deployments/resourceAddress.ts';
import { adviceFor } from '../../client/src/host/advice.ts';
import { datasetNameProblem, suggestedName } from '../../client/src/ingest/datasetName.ts';
import { latestTime, moveTimes } from '../../client/src/ingest/sampleTimes.ts';
import { errorPlace, positionOf } from '../../client/src/query/errorPlace.ts';
import { listState } from '../../client/src/resources/listState.ts';
import type { Failure, FailureKind } from '../../client/src/service/failure.ts';
import { refusal } from '../../client/src/service/refusal.ts';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

function failure(kind: FailureKind, more: Partial<Failure> = {}): Failure {
  return { kind, host: 'edge.example', message: 'It failed.', ...more };
}

describe('advice', () => {
  const attempt = {
    local: false,
    again: { command: 'aplomb.runLastQuery' },
    needs: 'query access to logs',
  };
  const cases: readonly (readonly [Failure, readonly string[], RegExp])[] = [
    [failure('token'), ['Change Token'], /It failed\./],
    [
      failure('refused', { status: 401 }),
      ['Change Token'],
      /^It failed\. The token is invalid, expired or revoked\. Enter another one\.$/,
    ],
    [
      failure('refused', { status: 403 }),
      ['Change Token'],
      /Use a token with query access to logs\./,
    ],
    [
      failure('refused', { status: 429, retryAfterSeconds: 300 }),
      ['Try Again'],
      /Try again in 5 min\./,
    ],
    [failure('refused', { status: 503 }), ['Try Again'], /It failed\.$/],
    [failure('refused', { status: 500 }), ['Try Again', 'Show Log'], /It failed\.$/],
    [failure('refused', { status: 400 }), [], /It failed\.$/],
    [failure('refused', { status: 501 }), [], /It failed\.$/],
    [failure('timeout'), ['Try Again', 'Change Timeout'], /Narrow the time range/],
    [failure('unreachable'), ['Try Again', 'Edit Deployment'], /It failed\.$/],
    [failure('certificate'), ['Edit Deployment'], /It failed\.$/],
    [failure('redirected'), ['Edit Deployment'], /It failed\.$/],
    [failure('unreadable'), ['Try Again', 'Show Log'], /It failed\.$/],
    [failure('tooLarge'), [], /It failed\.$/],
  ];
  for (const [what, labels, message] of cases) {
    it(`for the failure "${[what.kind, what.status].join(' ').trim()}" offers ${labels.join(', ') || 'no action'}`, () => {
      const advice = adviceFor(what, attempt);
      assert.deepEqual(
        advice.actions.map(({ label }) => label),
        labels,
      );
      assert.match(advice.message, message);
    });
  }

  for (const code of ['UND_ERR_DESTROYED', 'ECONNREFUSED', 'UND_ERR_SOCKET']) {
    it(`for ${code} from the local deployment says that it stopped, and offers to try again`, () => {
      const advice = adviceFor(failure('unreachable', { code }), { ...attempt, local: true });
      assert.match(advice.message, /^The local deployment stopped or restarted/);
      assert.deepEqual(
        advice.actions.map(({ label }) => label),
        ['Try Again', 'Restart Local Deployment', 'Show Log'],
      );
    });
  }

  it('passes the requested deployment to its actions, whichever deployment is active', () => {
    for (const what of [
      failure('token'),
      failure('certificate'),
      failure('refused', { status: 401 }),
    ])
      for (const { arguments: given } of adviceFor(what, { ...attempt, deployment: 'EU' }).actions)
        assert.deepEqual(given, ['EU']);
  });

  it('refers only to existing commands', () => {
    const declared: string[] = manifest.contributes.commands.map(
      ({ command }: { command: string }) => command,
    );
    for (const local of [true, false]) {
      for (const [what] of cases) {
        for (const { command } of adviceFor(what, { ...attempt, local }).actions) {
          assert.ok(declared.includes(command) || command.startsWith('workbench.'), command);
        }
      }
    }
  });
});

describe('a list in a tree', () => {
  it('does not present the text of a proxy error as a message of the service', () => {
    const answer = { ok: true, status: 502, text: 'Bad Gateway', header: () => undefined } as const;
    const { message, byService } = refusal(answer, 'h', undefined);
    assert.match(message, /^A proxy answered 502/);
    assert.equal(byService, false);
  });

  it('has a welcome text for each state in which it is empty', () => {
    const states = [
      listState(undefined, 0),
      listState(failure('token'), 0),
      listState(failure('refused', { status: 401 }), 0),
      listState(failure('refused', { status: 403 }), 0),
      listState(failure('unreachable'), 0),
      listState(failure('refused', { status: 502 }), 0),
      listState(failure('refused', { status: 500 }), 0),
    ];
    assert.deepEqual(states, [
      'empty',
      'noToken',
      'rejected',
      'noAccess',
      'unreachable',
      'gateway',
      'failing',
    ]);
    const views: { id: string }[] = manifest.contributes.views.aplomb;
    const welcomes: { view: string; when: string }[] = manifest.contributes.viewsWelcome;
    for (const { id } of views) {
      for (const state of new Set(states)) {
        assert.ok(
          welcomes.some(({ view, when }) => view === id && when === `${id} == '${state}'`),
          `${id} ${state}`,
        );
      }
    }
  });
});

describe('the range of an error', () => {
  const text = "orders\n| where status >= 200\r\n  | join ['no such'] on id\n";
  const cases: readonly (readonly [Parameters<typeof errorPlace>[1], string])[] = [
    [{ line: 1, column: 1 }, 'orders'],
    [{ line: 2, column: 3 }, 'where'],
    [{ line: 2, column: 16 }, '>'],
    [{ line: 2 }, '| where status >= 200'],
    [{ line: 3 }, "| join ['no such'] on id"],
    [{ line: 3, column: 10, endLine: 3, endColumn: 21 }, "['no such']"],
    [{ line: 2, column: 3, endLine: 3, endColumn: 9 }, 'where status >= 200\r\n  | join'],
    [{ line: 2, column: 3, endLine: 2, endColumn: 3 }, 'w'],
    [{ line: 1, column: 999 }, 's'],
    [{ line: 1, column: 3, endLine: 1, endColumn: 999 }, 'ders'],
    [{ line: 1, column: 3, endLine: 99, endColumn: 1 }, 'ders'],
  ];
  for (const [place, underlined] of cases) {
    it(`at ${JSON.stringify(place)} covers ${JSON.stringify(underlined)}`, () => {
      const { start, end } = errorPlace(text, place);
      assert.equal(text.slice(start, end), underlined);
    });
  }

  it('is limited to the text, and is empty if the text is empty', () => {
    const { start, end } = errorPlace('a b', { line: 40, column: 2 });
    assert.ok(start >= 0 && end > start && end <= 3);
    assert.deepEqual(errorPlace('', { line: 1, column: 1 }), { start: 0, end: 0 });
  });

  it('is converted to lines of the document that contains the query', () => {
    const start = { line: 10, character: 4 };
    assert.deepEqual(positionOf(text, 0, start), start);
    assert.deepEqual(positionOf(text, text.indexOf('s'), start), { line: 10, character: 9 });
    assert.deepEqual(positionOf(text, text.indexOf('where'), start), { line: 11, character: 2 });
    assert.deepEqual(positionOf(text, text.indexOf('join'), start), { line: 12, character: 4 });
  });
});

describe('dataset names', () => {
  for (const [file, name] of [
    ['My Cars.v2.json.gz', 'my-cars.v2'],
    ['flights-2k.csv', 'flights-2k'],
    ['Übersicht.NDJSON', 'ubersicht'],
    ['日本.json', 'events'],
    ['app.logfmt', 'app'],
    ['access.log.12', 'access'],
    ['access.log-20261123.gz', 'access'],
    ['orders.failed-20261123-130058-c31422.ndjson', 'orders'],
    ['orders.failed.csv', 'orders.failed'],
    ['.json', 'events'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a'.repeat(300), 'a'.repeat(128)],
  ] as const) {
    it(`are derived from file names: ${file.slice(0, 30)} becomes ${name.slice(0, 30)}`, () => {
      assert.equal(suggestedName(file), name);
      assert.equal(datasetNameProblem(name), undefined);
    });
  }

  it('are rejected with a reason if they are invalid', () => {
    for (const name of ['', '-a', 'a-', 'a b', 'ä', "a'", 'a/b', 'a'.repeat(129)]) {
      assert.equal(typeof datasetNameProblem(name), 'string', name);
    }
  });
});

describe('the URI of a resource document', () => {
  it('contains the deployment, kind, ID and form, even if names contain URI delimiters', () => {
    const hostile = ['a/b', '../..', 'x?y#z', '%2F', '&id=other&form=apl', '\'"', '日本', ' '];
    for (const name of hostile) {
      const address = { deployment: name, kind: 'monitors', id: name, form: 'json' } as const;
      const { path, query } = documentParts(address, name);
      assert.match(path, /^\/monitors\/[^/\p{Cc}]+\.json$/u);
      assert.deepEqual(readAddress(query), address);
    }
  });

  it("ends with the resource's name, without slashes and line breaks and cut to 80 characters", () => {
    for (const [name, shown] of [
      ['Errors / 5xx: too many?', 'Errors \u2215 5xx: too many?'],
      ['50% *of* "all" <b>|# \\d+', '50% *of* "all" <b>|# \\d+'],
      ['two\r\nlines', 'two lines'],
      ['😀'.repeat(100), '😀'.repeat(80)],
      ['\n', 'monitors'],
    ] as const) {
      const address = { deployment: 'Local', kind: 'monitors', id: '1', form: 'apl' } as const;
      const { path } = documentParts(address, name);
      assert.equal(path, `/monitors/${shown}.apl`);
    }
  });

  it('is ignored if one of its parts is missing or unknown', () => {
    for (const query of [
      '',
      'id=1',
      'deployment=a&kind=toString&id=1&form=json',
      'deployment=a&kind=views&id=1&form=exe',
    ]) {
      assert.equal(readAddress(query), undefined);
    }
  });
});

describe('times of samples', () => {
  it('are all shifted by the same amount and keep their nanoseconds', () => {
    const text =
      '{"_time":"2026-01-01T00:00:41.309973503Z","a":1}\n{"_time":"2026-01-01T00:00:42Z"}\n';
    assert.equal(latestTime(text), Date.UTC(2026, 0, 1, 0, 0, 42));
    assert.equal(
      moveTimes(text, 1_500),
      '{"_time":"2026-01-01T00:00:42.809973503Z","a":1}\n{"_time":"2026-01-01T00:00:43.500Z"}\n',
    );
    assert.equal(latestTime('{}'), undefined);
  });

  it('are all found in the bundled samples', () => {
    for (const name of ['sample-http-logs', 'sample-traces', 'sample-app-logs']) {
      const file = new URL(`../../media/samples/${name}.ndjson`, import.meta.url);
      const text = readFileSync(file, 'utf8');
      const moved = moveTimes(text, 86_400_000);
      assert.equal(
        moved.split('"_time":"2026-01-02').length,
        text.split('"_time":"2026-01-01').length,
      );
      assert.equal(latestTime(moved), (latestTime(text) ?? 0) + 86_400_000);
    }
  });
});
