/** Entry point of the planning thread if the process runs from its sources. */
import { servePlans } from './servePlans.ts';

servePlans();
