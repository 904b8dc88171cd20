// What is seldom needed of deployments: the guided forms, the test of a connection and the page Who Am I. A bundle of
// its own, loaded with the first of them.
export { addDeployment } from './addDeployment.ts';
export { editDeployment } from './editDeployment.ts';
export { whoAmI } from './whoAmI.ts';
