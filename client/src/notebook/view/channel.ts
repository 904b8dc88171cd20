/** The channel to the host. The views of answers use it with the contract of the results page, which it extends. */

import { channel as results } from '../../results/view/channel.ts';
import type { PageChannel } from '../../webview/page/channel.ts';
import type { NotebookContract } from '../contract.ts';

export const channel = results as unknown as PageChannel<NotebookContract>;
