// Forms for deployments, the connection test and the Who Am I page, in a bundle that is loaded with the first use.
export { addDeployment } from './addDeployment.ts';
export { editDeployment } from './editDeployment.ts';
export { whoAmI } from './whoAmI.ts';
