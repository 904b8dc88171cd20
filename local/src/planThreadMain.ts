/** Entry point of the planning thread when the program runs from its sources. */
import { servePlans } from './servePlans.ts';

servePlans();
