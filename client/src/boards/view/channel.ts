/** Two channels to the host over one webview: one for answers, the other for the page itself. */
import { channel as answers } from '../../results/view/channel.ts';
import { PageChannel, webviewLink } from '../../webview/page/channel.ts';
import { linkParts } from '../../webview/page/linkParts.ts';
import type { BoardsContract } from '../boardsContract.ts';

export { answers };
export const board = new PageChannel<BoardsContract>();

const link = linkParts(webviewLink(), ['answers', 'board']);
answers.connect(link.answers);
board.connect(link.board);
