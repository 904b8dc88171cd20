/** Several channels over one webview, each with its own state. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stateOfPart } from '../../client/src/rpc/parts.ts';
import type { HostLink } from '../../client/src/webview/page/channel.ts';
import { linkParts } from '../../client/src/webview/page/linkParts.ts';

it('a webview link keeps separate state for each of its parts', () => {
  let kept: unknown;
  const link: HostLink = {
    post: () => undefined,
    onMessage: () => undefined,
    state: {
      read: () => kept,
      write: (state) => {
        kept = state;
      },
    },
  };
  const { answers, board } = linkParts(link, ['answers', 'board']);
  assert.equal(board.state?.read(), undefined);
  board.state?.write({ id: 'a' });
  answers.state?.write({ colors: [] });
  assert.deepEqual(board.state?.read(), { id: 'a' });
  assert.deepEqual(answers.state?.read(), { colors: [] });
  assert.deepEqual(stateOfPart(kept, 'board'), { id: 'a' });
  board.state?.write({ id: 'b' });
  assert.deepEqual(answers.state?.read(), { colors: [] });
});
