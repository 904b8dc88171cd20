/** The way to the host, typed by the contract of this page. */
import { PageChannel } from '../../webview/page/channel.ts';
import type { IngestContract } from '../host/ingestContract.ts';

export const channel = new PageChannel<IngestContract>();
