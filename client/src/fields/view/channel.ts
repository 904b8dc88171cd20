// The page's channel.
import { PageChannel } from '../../webview/page/channel.ts';
import type { FieldsContract } from '../contract.ts';

export const channel = new PageChannel<FieldsContract>();
