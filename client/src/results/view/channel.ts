/** The channel to the host, typed by this page's contract. */
import { PageChannel } from '../../webview/page/channel.ts';
import type { ResultsContract } from '../resultsContract.ts';

export const channel = new PageChannel<ResultsContract>();
