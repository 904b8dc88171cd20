/** The progress line of the running command. */
import { printable } from '../../../language/src/index.ts';
import { ProgressLine } from '../../../system/src/progressLine.ts';

export const progressLine = new ProgressLine(process.stderr, printable);
