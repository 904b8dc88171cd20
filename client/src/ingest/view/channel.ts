/** The channel to the host, typed by the ingest page's contract. */
import { PageChannel } from '../../webview/page/channel.ts';
import type { IngestContract } from '../host/ingestContract.ts';

export const channel = new PageChannel<IngestContract>();
