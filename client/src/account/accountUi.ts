// The bundle with the deployment forms, the connection test and the Who Am I page, which is loaded on first use.
export { addDeployment } from './addDeployment.ts';
export { editDeployment } from './editDeployment.ts';
export { whoAmI } from './whoAmI.ts';
