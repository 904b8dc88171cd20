/** The way to the host, typed by the contract of this page. */
import { PageChannel } from '../../webview/page/channel.ts';
import type { ResultsContract } from '../resultsContract.ts';

export const channel = new PageChannel<ResultsContract>();
