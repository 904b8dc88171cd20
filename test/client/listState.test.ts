// What a tree says in place of its list, by what came back from the deployment.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Failure } from '../../client/src/api/failure.ts';
import { refusal } from '../../client/src/api/refusal.ts';
import { type ListState, listState } from '../../client/src/resources/listState.ts';

const failure = (kind: Failure['kind'], status?: number): Failure => ({
  kind,
  host: 'h',
  message: 'm',
  ...(status !== undefined && { status }),
});

describe('the state of a tree', () => {
  const cases: readonly (readonly [Failure, ListState])[] = [
    [failure('token'), 'noToken'],
    [failure('refused', 401), 'rejected'],
    [failure('refused', 403), 'noAccess'],
    [failure('refused', 502), 'gateway'],
    [failure('refused', 504), 'gateway'],
    [failure('refused', 500), 'failing'],
    [failure('unreachable'), 'unreachable'],
    [failure('timeout'), 'unreachable'],
  ];
  for (const [what, state] of cases)
    it(`${what.kind} ${what.status ?? ''} is ${state}, with its own welcome text in every tree`, async () => {
      assert.equal(listState(what, 0), state);
      const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
      const { viewsWelcome } = JSON.parse(manifest).contributes;
      const views = ['datasets', 'monitors', 'dashboards', 'notifiers', 'views', 'annotations'];
      for (const view of views)
        assert.ok(
          viewsWelcome.some(
            ({ when }: { when: string }) => when === `aplomb.${view} == '${state}'`,
          ),
          `${view} ${state}`,
        );
    });

  it('does not take the plain text of a proxy for words of the service', () => {
    const answer = { ok: true, status: 502, text: 'Bad Gateway', header: () => undefined } as const;
    const { message, byService } = refusal(answer, 'h', undefined);
    assert.match(message, /^A proxy answered 502/);
    assert.equal(byService, false);
  });
});
