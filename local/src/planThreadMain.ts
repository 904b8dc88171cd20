/** The planning thread where the process runs from its sources. */
import { servePlans } from './servePlans.ts';

servePlans();
