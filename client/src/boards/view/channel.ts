/**
 * The two channels to the host over one webview: one for answers, with the contract of notebook outputs that the views
 * of answers use, and one for the page itself.
 */
import type { NotebookContract } from '../../notebook/contract.ts';
import { channel as results } from '../../results/view/channel.ts';
import { PageChannel, webviewLink } from '../../webview/page/channel.ts';
import { linkParts } from '../../webview/page/linkParts.ts';
import type { BoardsContract } from '../contract.ts';

export const answers = results as unknown as PageChannel<NotebookContract>;
export const board = new PageChannel<BoardsContract>();

const link = linkParts(webviewLink(), ['answers', 'board']);
answers.connect(link.answers);
board.connect(link.board);
