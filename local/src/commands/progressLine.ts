/** Shows the progress of the running command on a terminal line. */
import { printable } from '../../../language/src/index.ts';
import { ProgressLine } from '../../../system/src/progressLine.ts';

export const progressLine = new ProgressLine(process.stderr, printable);
